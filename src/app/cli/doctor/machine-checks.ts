import { access, constants, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type AppConfig } from '../../../infrastructure/config/app-config.js';
import { diskStateOf, freeBytesOf } from '../../health/data-disk.js';
import { readProductVersion } from '../../../infrastructure/version/product-version.js';
import { failed, type Finding, ok, reasonOf, warning } from './finding.js';

const PACKAGE = join(import.meta.dirname, '..', '..', '..', '..', 'package.json');
const MIB = 2 ** 20;

/** The Node of the image, which the handbook recommends. */
const RECOMMENDED_NODE = 24;
/** The last day on which each version of Node gets security fixes: https://github.com/nodejs/Release#end-of-life-releases. */
const MAINTAINED_UNTIL: Readonly<Record<number, string>> = {
  20: '2026-04-30',
  21: '2024-06-01',
  22: '2027-04-30',
  23: '2025-06-01',
  24: '2028-04-30',
  25: '2026-06-01',
  26: '2029-04-30',
};

/** The version of the service, and the version of Node with the end of its maintenance. */
export async function checkVersions(nodeVersion = process.versions.node, now = new Date()): Promise<Finding> {
  const text = await readFile(PACKAGE, 'utf8');
  const { engines } = JSON.parse(text) as { readonly engines: { readonly node: string } };
  const { version, commit } = readProductVersion();
  const required = engines.node.replace('>=', '');
  const found = `Shop Platform ${version}, commit ${commit ?? 'unknown'}, Node ${nodeVersion}`;
  if (!isAtLeast(nodeVersion, required)) return failed('versions', `${found}: install Node ${required} or newer`);
  const until = MAINTAINED_UNTIL[Number.parseInt(nodeVersion, 10)];
  if (until === undefined) return ok('versions', found);
  return now.toISOString().slice(0, 10) > until
    ? warning('versions', `${found}, without security fixes since ${until}: install Node ${RECOMMENDED_NODE}`)
    : ok('versions', `${found}, maintained until ${until}`);
}

/** Compares two versions number by number. */
export function isAtLeast(version: string, required: string): boolean {
  const [have, need] = [version, required].map((text) => text.split('.').map(Number));
  const different = need?.findIndex((number, at) => number !== (have?.[at] ?? 0)) ?? -1;
  return different === -1 || (have?.[different] ?? 0) > (need?.[different] ?? 0);
}

/** The data directory: the process may write to it, and there is space. */
export async function checkDisk({ dataDir, mongodbUri }: Pick<AppConfig, 'dataDir' | 'mongodbUri'>): Promise<Finding> {
  try {
    const folder = await existing(dataDir);
    await access(folder, constants.W_OK);
    return spaceFinding(dataDir, await freeBytesOf(folder), mongodbUri === 'embedded');
  } catch (error) {
    return failed('disk', `DATA_DIR: ${reasonOf(error)}: choose a folder that the user of the service can write to`);
  }
}

/** @param hasDatabase whether the folder has the embedded store: the disk of a MongoDB server cannot be checked from here */
export function spaceFinding(dataDir: string, freeBytes: number, hasDatabase: boolean): Finding {
  const owner = hasDatabase ? 'with the database' : 'without the database: check the disk of MongoDB on its server';
  const found = `${Math.floor(freeBytes / MIB)} MiB are free for ${dataDir} (${owner})`;
  const state = diskStateOf(freeBytes);
  if (state === 'ok') return ok('disk', found);
  const advice = `${found}: free some space, or move DATA_DIR to a larger disk`;
  return state === 'full' ? failed('disk', advice) : warning('disk', advice);
}

/** The folder, or the closest one above it that exists. */
async function existing(folder: string): Promise<string> {
  try {
    await access(folder);
    return folder;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(folder) === folder) throw error;
    return existing(dirname(folder));
  }
}

import { access, constants, readFile, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type AppConfig } from '../../../platform/config/app-config.js';
import { failed, type Finding, ok, reasonOf, warning } from './finding.js';

const PACKAGE = join(import.meta.dirname, '..', '..', '..', '..', 'package.json');
const MIB = 2 ** 20;
/** The embedded store keeps some space free for itself and rejects writes when there is none. */
const LITTLE_SPACE_MIB = 1_024;
const NO_SPACE_MIB = 100;

/** The version of Node and of the service. */
export async function checkVersions(nodeVersion = process.versions.node): Promise<Finding> {
  const text = await readFile(PACKAGE, 'utf8');
  const { version, engines } = JSON.parse(text) as { readonly version: string; readonly engines: { node: string } };
  const required = engines.node.replace('>=', '');
  const found = `Shop Platform ${version}, Node ${nodeVersion}`;
  return isAtLeast(nodeVersion, required)
    ? ok('versions', found)
    : failed('versions', `${found}: install Node ${required} or newer`);
}

/** Compares two versions number by number. */
export function isAtLeast(version: string, required: string): boolean {
  const [have, need] = [version, required].map((text) => text.split('.').map(Number));
  const different = need?.findIndex((number, at) => number !== (have?.[at] ?? 0)) ?? -1;
  return different === -1 || (have?.[different] ?? 0) > (need?.[different] ?? 0);
}

/** The data directory: the process may write to it, and there is space. */
export async function checkDisk({ dataDir }: Pick<AppConfig, 'dataDir'>): Promise<Finding> {
  try {
    const folder = await existing(dataDir);
    await access(folder, constants.W_OK);
    const { bavail, bsize } = await statfs(folder);
    return spaceFinding(dataDir, Math.floor((bavail * bsize) / MIB));
  } catch (error) {
    return failed('disk', `DATA_DIR: ${reasonOf(error)}: choose a folder that the user of the service can write to`);
  }
}

export function spaceFinding(dataDir: string, freeMib: number): Finding {
  const found = `${freeMib} MiB are free for ${dataDir}`;
  if (freeMib >= LITTLE_SPACE_MIB) return ok('disk', found);
  const advice = `${found}: free some space, or move DATA_DIR to a larger disk`;
  return freeMib < NO_SPACE_MIB ? failed('disk', advice) : warning('disk', advice);
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

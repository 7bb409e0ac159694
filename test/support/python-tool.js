import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE_FOLDER } from './cache-folder.js';

const INSTALLATION_MS = 180_000;

/**
 * The virtual environment with a package from PyPI. It is installed once, into the user's cache folder. Where there is no Python or no
 * network: null, with the reason on standard output.
 */
export function pythonPackage(name, version) {
  const folder = join(CACHE_FOLDER, `${name}-${version}`);
  const isInstalled = () => {
    const question = `import importlib.metadata as m; m.version('${name}')`;
    return spawnSync(join(folder, 'bin', 'python'), ['-c', question]).status === 0;
  };
  if (isInstalled()) return folder;
  const isRecent = spawnSync('python3', ['-c', 'import sys, venv; sys.exit(sys.version_info < (3, 10))']).status === 0;
  if (!isRecent) {
    console.log(`Left out: ${name}, because there is no Python 3.10 with the module venv.`);
    return null;
  }
  const options = { encoding: 'utf8', timeout: INSTALLATION_MS };
  const made = spawnSync('python3', ['-m', 'venv', folder], options);
  const pip = ['install', '--quiet', '--disable-pip-version-check', '--only-binary', ':all:', `${name}==${version}`];
  if (made.status === 0 && spawnSync(join(folder, 'bin', 'pip'), pip, options).status === 0) return folder;
  rmSync(folder, { recursive: true, force: true });
  console.log(`Left out: ${name} ${version}, because it could not be installed (no network?).`);
  return null;
}

/** The path of a command from PyPI, whose package has its name; null: see `pythonPackage`. */
export function pythonTool(name, version) {
  const folder = pythonPackage(name, version);
  return folder === null ? null : join(folder, 'bin', name);
}

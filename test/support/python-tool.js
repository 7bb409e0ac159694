import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE_FOLDER } from './cache-folder.js';

const INSTALLATION_MS = 180_000;

/**
 * The path of a command from PyPI, whose package has its name. It is installed once, into the user's cache folder. Where there is no
 * Python or no network: null, with the reason on standard output.
 */
export function pythonTool(name, version) {
  const folder = join(CACHE_FOLDER, `${name}-${version}`);
  const command = join(folder, 'bin', name);
  if (existsSync(command)) return command;
  const isRecent = spawnSync('python3', ['-c', 'import sys, venv; sys.exit(sys.version_info < (3, 10))']).status === 0;
  if (!isRecent) {
    console.log(`Left out: ${name}, because there is no Python 3.10 with the module venv.`);
    return null;
  }
  const options = { encoding: 'utf8', timeout: INSTALLATION_MS };
  const made = spawnSync('python3', ['-m', 'venv', folder], options);
  const pip = ['install', '--quiet', '--disable-pip-version-check', '--only-binary', ':all:', `${name}==${version}`];
  const installed = made.status === 0 && spawnSync(join(folder, 'bin', 'pip'), pip, options).status === 0;
  if (installed && existsSync(command)) return command;
  rmSync(folder, { recursive: true, force: true });
  console.log(`Left out: ${name} ${version}, because it could not be installed (no network?).`);
  return null;
}

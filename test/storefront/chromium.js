// Finds a Chromium, or installs Debian's.
import { spawnSync } from 'node:child_process';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const INSTALLATION_MS = 300_000;

const works = (command, ...args) =>
  spawnSync(command, args, { stdio: 'ignore', timeout: INSTALLATION_MS }).status === 0;
const find = () => NAMES.find((name) => works(name, '--version')) ?? null;

/** The name of a Chromium, installed when there is none and this user may; null when there is none then. */
export function findChromium() {
  const found = find();
  if (found !== null) return found;
  if (process.getuid?.() !== 0 || !works('apt-get', '--version')) return null;
  const install = ['install', '-y', '-qq', '--no-install-recommends', 'chromium'];
  return works('apt-get', 'update', '-qq') && works('apt-get', ...install) ? find() : null;
}

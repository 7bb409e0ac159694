// `npm run build`: compiles the embedded store and the service to their `dist`, when something has changed since the last time. swc
// writes each file anew, and a process that starts at that moment, such as one of a parallel test, could read half of a file.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = ['src', 'packages/embedded-mongodb/src'];
const SETTINGS = ['.swcrc', 'nest-cli.json', 'tsconfig.build.json', 'package-lock.json'];
const STORE = 'packages/embedded-mongodb/dist';
/** Its time is the begin of the last build. */
const STAMP = 'dist/.built';

const changedAt = (path) => statSync(path).mtimeMs;

function isUpToDate() {
  if (!existsSync(STAMP) || !existsSync(STORE)) return false;
  // Folders too: the time of a folder changes when a file in it is removed.
  const below = (folder) => readdirSync(folder, { recursive: true }).map((path) => join(folder, path));
  const paths = [...SOURCES, ...SOURCES.flatMap(below), ...SETTINGS];
  return paths.every((path) => changedAt(path) < changedAt(STAMP));
}

function run(command) {
  const { status } = spawnSync(command, { shell: true, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

if (!isUpToDate()) {
  const began = new Date();
  console.log('Compiling the embedded store and the service');
  run('npm run --silent build -w packages/embedded-mongodb');
  run('nest build');
  writeFileSync(STAMP, '');
  utimesSync(STAMP, began, began);
}

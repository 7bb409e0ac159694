// `npm run build`: compiles the embedded store and the service to their `dist`, when something has changed since the last time. swc
// writes each file anew, and a process that starts in that moment, such as one of a parallel test, could read half of a file.
import { execSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = ['src', 'packages/embedded-mongodb/src'];
const SETTINGS = ['.swcrc', 'nest-cli.json', 'tsconfig.build.json', 'package-lock.json'];
const STORE = 'packages/embedded-mongodb/dist';
/** Its time is the begin of the last build. */
const STAMP = 'dist/.built';

const changedAt = (path) => statSync(path).mtimeMs;
/** The folders are among the paths, because the time of a folder changes when a file is removed. */
const paths = SOURCES.flatMap((folder) => [
  folder,
  ...readdirSync(folder, { recursive: true }).map((path) => join(folder, path)),
]);

if (
  !existsSync(STAMP) ||
  !existsSync(STORE) ||
  [...paths, ...SETTINGS].some((path) => changedAt(path) > changedAt(STAMP))
) {
  const began = new Date();
  console.log('Compiling the embedded store and the service');
  execSync('npm run --silent build -w packages/embedded-mongodb', { stdio: 'inherit' });
  execSync('nest build', { stdio: 'inherit' });
  writeFileSync(STAMP, '');
  utimesSync(STAMP, began, began);
}

// `npm run build`: compiles the packages, the service and the console to their `dist`, when something has changed since the last time.
// swc writes each file anew, and a process that starts at that moment, such as one of a parallel test, could read half of a file.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

const PACKAGES = ['packages/embedded-mongodb', 'packages/client', 'packages/agent'];
const SOURCES = ['src', ...PACKAGES.map((folder) => `${folder}/src`)];
const SETTINGS = ['.swcrc', 'nest-cli.json', 'tsconfig.build.json', 'package-lock.json'];
const RESULTS = PACKAGES.map((folder) => `${folder}/dist`);
/** Its time is the begin of the last build. */
const STAMP = 'dist/.built';
/** The console takes the font and the tokens of the storefront, the rule of accent colours and the client of the API. */
const CONSOLE_SOURCES = ['packages/console/src', 'packages/client/src', 'templates/assets', 'src/lib/formats'];
const CONSOLE_SETTINGS = ['packages/console/index.html', 'packages/console/vite.config.js', 'package-lock.json'];
const CONSOLE_STAMP = 'dist/.console-built';
/** The id of the commit that was built: src/infrastructure/version/product-version.ts reads it. */
const COMMIT = 'dist/commit';

const changedAt = (path) => statSync(path).mtimeMs;

/** @param results what the build writes @param sources folders @param settings files */
function isUpToDate(stamp, results, sources, settings) {
  if (![stamp, ...results].every(existsSync)) return false;
  // Folders too: the time of a folder changes when a file in it is removed.
  const below = (folder) => readdirSync(folder, { recursive: true }).map((path) => join(folder, path));
  const paths = [...sources, ...sources.flatMap(below), ...settings];
  return paths.every((path) => changedAt(path) < changedAt(stamp));
}

/** Marks what was built from the sources of a moment. */
function stampAt(stamp, began) {
  writeFileSync(stamp, '');
  utimesSync(stamp, began, began);
}

function run(command) {
  const { status } = spawnSync(command, { shell: true, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** The commit of the sources, from `SOURCE_COMMIT` or from git; null: neither knows it. */
function commitOfSources() {
  const given = process.env.SOURCE_COMMIT?.trim() ?? '';
  if (given !== '') {
    if (/^[0-9a-f]{7,64}(-dirty)?$/.test(given)) return given;
    console.error('SOURCE_COMMIT must be the id of a commit: git rev-parse HEAD');
    process.exit(1);
  }
  // A repository above this folder is another project's. A build waits for no other git and makes none wait.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(process.cwd()), GIT_OPTIONAL_LOCKS: '0' };
  const { status, stdout } = spawnSync('git', ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*'], {
    env,
  });
  return status === 0 ? stdout.toString().trim() : null;
}

/** Also when nothing was compiled: a commit can change only files that are not. */
function writeCommit(commit) {
  if (commit === null) {
    rmSync(COMMIT, { force: true });
  } else if (!existsSync(COMMIT) || readFileSync(COMMIT, 'utf8').trim() !== commit) {
    // Whole at every moment: a process may start now.
    writeFileSync(`${COMMIT}.${process.pid}`, `${commit}\n`);
    renameSync(`${COMMIT}.${process.pid}`, COMMIT);
  }
}

const commit = commitOfSources();
if (!isUpToDate(STAMP, RESULTS, SOURCES, SETTINGS)) {
  const began = new Date();
  console.log('Compiling the packages and the service');
  for (const folder of PACKAGES) run(`npm run --silent build -w ${folder}`);
  run('nest build');
  stampAt(STAMP, began);
  if (commit === null) console.log('The commit is unknown: git does not know this folder. SOURCE_COMMIT can name it.');
}
if (!isUpToDate(CONSOLE_STAMP, ['dist/console/index.html'], CONSOLE_SOURCES, CONSOLE_SETTINGS)) {
  const began = new Date();
  console.log('Building the console');
  run('npm run --silent build -w packages/console');
  stampAt(CONSOLE_STAMP, began);
}
writeCommit(commit);

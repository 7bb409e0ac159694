// Measures the service with two workers next to one process, in turns. The load comes from wrk, because a client in Node needs a whole
// core for itself.
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startService } from '../../test/support/start-service.js';
import { median } from '../http.js';
import { table } from './report.js';
import { alive, publicStatus, validation } from './requests.js';

const START_MS = 60_000;
const ROUND_SECONDS = 2;
const ROUNDS = 5;
const run = promisify(execFile);

const isInstalled = () => spawnSync('wrk', ['-v']).error === undefined;

/** A script for wrk that sends these requests, one after the other. Texts of JSON are texts of Lua, too, as long as they are ASCII. */
function scriptOf(requests) {
  const lines = requests.map(({ path, method = 'GET', headers = {}, body = '' }) => {
    const fields = Object.entries(headers).map(([name, value]) => `[${JSON.stringify(name)}]=${JSON.stringify(value)}`);
    const [of, to, content] = [method, `/api/v2${path}`, body].map((text) => JSON.stringify(text));
    return `  requests[#requests + 1] = wrk.format(${of}, ${to}, {${fields.join(', ')}}, ${content})`;
  });
  return [
    ...['local requests, number = {}, 0', 'function init()', ...lines, 'end'],
    ...['function request()', '  number = number % #requests + 1', '  return requests[number]', 'end', ''],
  ].join('\n');
}

/** @returns requests per second. @throws Error when a response is not a 200 */
async function rateOf(url, script, clients) {
  const load = ['-t1', `-c${clients}`, `-d${ROUND_SECONDS}s`, '--timeout', '10s'];
  const { stdout } = await run('wrk', [...load, '-s', script, url]);
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`a request failed:\n${stdout}`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)[1]);
}

/**
 * @param api the address of the API of a service with one process
 * @param env the environment that both have
 * @param callers who sends the requests
 * @returns a table; one sentence when wrk is not installed
 */
export async function measureWorkers(api, env, callers) {
  if (!isInstalled()) return 'The workers were left out, because wrk is not installed.';
  const dataDir = mkdtempSync(join(tmpdir(), 'shop-platform-bench-'));
  const pair = startService({ dataDir, env: { ...env, DEMO: 'false', WORKERS: '2' } });
  try {
    const both = await pair.started({ timeoutMs: START_MS, text: 'all workers listen' });
    const sides = { one: new URL(api).origin, two: both };
    const rows = [];
    for (const { name, next } of [alive, publicStatus, validation]) {
      const script = join(dataDir, 'requests.lua');
      writeFileSync(script, scriptOf(callers.map((caller, number) => next(caller, number))));
      const rates = { one: [], two: [] };
      for (const url of Object.values(sides)) await rateOf(url, script, callers.length);
      for (let round = 0; round < ROUNDS; round++) {
        for (const [side, url] of Object.entries(sides)) rates[side].push(await rateOf(url, script, callers.length));
      }
      const ratio = median(rates.two.map((rate, round) => rate / rates.one[round]));
      rows.push([name, median(rates.one).toFixed(0), median(rates.two).toFixed(0), ratio.toFixed(2)]);
    }
    return table([`${callers.length} callers`, '`WORKERS=1`, per second', '`WORKERS=2`, per second', 'Ratio'], rows);
  } finally {
    await pair.stop('SIGTERM');
    rmSync(dataDir, { recursive: true, force: true });
  }
}

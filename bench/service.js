// Measures the service: the time to its first response, its memory when idle, and its endpoints next to bare Express handlers that
// make the same queries on the same store (bench/bare/server.js), in turns, with 32 connections.
// Usage: npm run bench [-- --short] [-- --check]. It takes about four minutes (`--short`: two) and prints Markdown for RESULTS.md.
// With `--check` it fails when a ratio is below half of its target (targets.json).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ObjectId } from 'mongodb';
import { startBare } from './bare/start.js';
import { disconnect, load, median, quantile, send } from './http.js';
import targets from './targets.json' with { type: 'json' };
import { newOrder, withService } from './with-service.js';

const ROOT = join(import.meta.dirname, '..');
const isShort = process.argv.includes('--short');
const ROUND_MS = isShort ? 500 : 1_500;
const ROUNDS = isShort ? 3 : 5;
const CLIENTS = 32;
const IDLE_MS = 5_000;
const POLL_MS = 100;
const JWT_SECRET = 'a secret of the benchmark that is long enough for HS256';

/** Starts the service with the embedded store in its process. Returns it with the milliseconds until its first response. */
async function start(dataDir, port) {
  const began = performance.now();
  const child = spawn(process.execPath, [join(ROOT, 'dist', 'bundle', 'main.js')], {
    cwd: dataDir,
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'warn' },
    stdio: 'ignore',
  });
  for (;;) {
    const { status } = await send(`http://127.0.0.1:${port}/api/v2/health/live`).catch(() => ({ status: 0 }));
    if (status === 200) return { child, firstResponseMs: performance.now() - began };
    if (child.exitCode !== null) throw new Error('the service ended');
    await pause(5);
  }
}

async function stop({ child }) {
  child.kill('SIGTERM');
  await once(child, 'exit');
}

const residentMiB = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

async function measureStart() {
  const dataDir = mkdtempSync(join(tmpdir(), 'shop-platform-bench-'));
  const port = 20_000 + (process.pid % 12_000);
  try {
    const first = await start(dataDir, port);
    await stop(first);
    const starts = [];
    for (let times = 0; times < 3; times++) {
      const again = await start(dataDir, port);
      starts.push(again.firstResponseMs);
      await stop(again);
    }
    const service = await start(dataDir, port);
    await pause(IDLE_MS);
    const idleMiB = residentMiB(service.child.pid);
    await stop(service);
    console.log(`first start, demo shop made: ${first.firstResponseMs.toFixed(0)} ms`);
    console.log(`start with the demo data in place (median of 3): ${median(starts).toFixed(0)} ms`);
    console.log(`idle resident memory after ${IDLE_MS / 1000} s: ${idleMiB.toFixed(0)} MiB\n`);
  } finally {
    disconnect();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** What a new user needs to try the service, which writes it when it listens. */
async function demoIn(dataDir) {
  const file = join(dataDir, 'demo.json');
  while (!existsSync(file)) await pause(POLL_MS);
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Waits until the statistics of a shop are folded: a comparison is slower before. */
async function folded(database, shopId) {
  const ofShop = { shopId: new ObjectId(shopId) };
  for (;;) {
    const state = await database.collection('stats_states').findOne(ofShop);
    const pending = await database.collection('stats_ledger').countDocuments({ ...ofShop, pending: true });
    if (state?.phase === 'ready' && pending === 0) return;
    await pause(POLL_MS);
  }
}

/** The requests, with their names in targets.json. The first one does nothing: what the framework itself costs. */
function requestsOf({ keys, owner, discountCode: code, productId, serverId, shopId, keyId }) {
  const json = { 'content-type': 'application/json' };
  const key = { 'x-api-key': keys.secret };
  const bearer = { authorization: `Bearer ${owner.accessToken}` };
  let names = 0;
  const basket = JSON.stringify({ code, orderValue: 49.99, productId, serverId });
  return {
    'health/live': () => ({ path: '/health/live' }),
    '1 team list': () => ({ path: `/shops/${shopId}/team`, headers: key }),
    '2 API key update': () => {
      const body = JSON.stringify({ name: `Plugin ${++names}` });
      return { path: `/api-keys/${keyId}`, method: 'PATCH', headers: { ...bearer, ...json }, body };
    },
    '3 API key list': () => ({ path: '/api-keys', headers: bearer }),
    '4 discount validation': () => {
      return { path: `/discounts/${shopId}/validate`, method: 'POST', headers: { ...key, ...json }, body: basket };
    },
    '6 domain removal': () => ({ path: `/shops/${shopId}/domain`, method: 'DELETE', headers: key }),
    '7 comparison of 30 days': () => ({ path: `/stats/${shopId}/comparison?period=30d`, headers: key }),
    '8 public status': () => ({ path: `/servers/public/${serverId}/status` }),
    'lease without deliveries': () => {
      const body = JSON.stringify({ serverId, players: ['Alex'], limit: 10 });
      return { path: `/deliveries/${shopId}/lease`, method: 'POST', headers: { ...key, ...json }, body };
    },
    checkout: () => {
      const body = JSON.stringify(newOrder({ serverId, productId }));
      return { path: `/checkout/${shopId}/orders`, method: 'POST', headers: { ...key, ...json }, body };
    },
  };
}

/** Measures one endpoint of both in turns, because other work on the machine changes the figures. */
async function compared(next, api, bareApi) {
  const sides = { bare: bareApi, service: api };
  const at = (base) => () => {
    const { path, ...request } = next();
    return { url: `${base}${path}`, ...request };
  };
  const rounds = { bare: [], service: [] };
  for (const base of Object.values(sides)) await load(at(base), ROUND_MS, CLIENTS);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [side, base] of Object.entries(sides)) rounds[side].push(await load(at(base), ROUND_MS, CLIENTS));
  }
  const p99 = ({ latencies }) => quantile(latencies, 0.99);
  const ratios = (of) => rounds.service.map((mine, round) => of(mine) / of(rounds.bare[round]));
  return {
    bareRate: median(rounds.bare.map(({ rate }) => rate)),
    rate: median(rounds.service.map(({ rate }) => rate)),
    ratio: median(ratios(({ rate }) => rate)),
    p99: median(rounds.service.map(p99)),
    p99Ratio: median(ratios(p99)),
  };
}

await measureStart();
const tooSlow = [];
let bare = null;
const env = { JWT_SECRET, DEMO: 'true' };
await withService(async ({ api, database, databaseUri, dataDir }) => {
  const demo = await demoIn(dataDir);
  await folded(database, demo.shopId);
  // So that a lease finds nothing, which is what most requests of plugins find.
  await database.collection('deliveries').updateMany({}, { $set: { state: 'delivered' } });
  bare = await startBare('server.js', { MONGODB_URI: databaseUri, JWT_SECRET });
  console.log(
    '| Endpoint | Bare, per second | Service, per second | Ratio | Target | p99 | p99 next to the bare one |',
  );
  console.log('| --- | --- | --- | --- | --- | --- | --- |');
  for (const [name, next] of Object.entries(requestsOf(demo))) {
    const { bareRate, rate, ratio, p99, p99Ratio } = await compared(next, api, `${bare.url}/api/v2`);
    const target = targets[name];
    if (target !== undefined && ratio < target / 2) tooSlow.push(`${name}: ${ratio.toFixed(2)} of ${target}`);
    const cells = [bareRate.toFixed(0), rate.toFixed(0), ratio.toFixed(2), target ?? '', `${p99.toFixed(0)} ms`];
    console.log(`| ${[name, ...cells, p99Ratio.toFixed(1)].join(' | ')} |`);
  }
}, env).finally(() => bare?.stop());
if (process.argv.includes('--check') && tooSlow.length > 0) {
  throw new Error(`less than half of the target: ${tooSlow.join('; ')}`);
}

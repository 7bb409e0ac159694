// Measures the service: the time to its first response, its memory when idle, and the requests per second of seven of the
// nine endpoints. Next to each of them it measures `/health/live`, which does nothing: the most that the framework can do on
// this machine at this moment (the "floor"). Usage: npm run bench. It takes about a minute and prints Markdown for RESULTS.md.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { disconnect, load, median, send } from './http.js';

const ROOT = join(import.meta.dirname, '..');
const ROUND_MS = 1_500;
const ROUNDS = 3;
const IDLE_MS = 5_000;

/** Starts the service. Returns it with the milliseconds until its first response. */
async function start(dataDir, port) {
  const began = performance.now();
  const child = spawn(process.execPath, [join(ROOT, 'dist', 'main.js')], {
    cwd: dataDir,
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      PORT: String(port),
      RATE_LIMIT_FACTOR: '100000',
      QUOTAS: 'openOrdersPerAddress=1000000,openOrdersPerMailbox=1000000,openOrdersPerNickname=1000000',
      LOG_LEVEL: 'warn',
    },
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    const { status } = await send(`${url}/api/v2/health/live`).catch(() => ({ status: 0 }));
    if (status === 200) return { child, url, firstResponseMs: performance.now() - began };
    if (child.exitCode !== null) throw new Error('the service ended');
    await pause(5);
  }
}

async function stop({ child }) {
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** Requests per second of one round. */
const rate = async (call) => (await load(() => call, ROUND_MS)).rate;

const residentMiB = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

const dataDir = mkdtempSync(join(tmpdir(), 'shop-platform-bench-'));
const port = 20_000 + (process.pid % 20_000);
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
  const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'));
  const api = `${service.url}/api/v2`;
  const key = { 'x-api-key': demo.keys.secret };
  const bearer = { authorization: `Bearer ${demo.owner.accessToken}` };
  const json = { ...key, 'content-type': 'application/json' };
  const { discountCode: code, productId, serverId, shopId, keyId } = demo;
  const floor = { name: 'health/live (floor)', url: `${api}/health/live` };
  const calls = [
    { name: '1 team list', url: `${api}/shops/${shopId}/team`, headers: key },
    {
      name: '2 API key update',
      url: `${api}/api-keys/${keyId}`,
      method: 'PATCH',
      headers: { ...bearer, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Survival plugin' }),
    },
    { name: '3 API key list', url: `${api}/api-keys`, headers: bearer },
    {
      name: '4 discount validation',
      url: `${api}/discounts/${shopId}/validate`,
      method: 'POST',
      headers: json,
      body: JSON.stringify({ code, orderValue: 49.99, productId, serverId }),
    },
    { name: '6 domain removal', url: `${api}/shops/${shopId}/domain`, method: 'DELETE', headers: key },
    { name: '7 comparison, 30 days', url: `${api}/stats/${shopId}/comparison?period=30d`, headers: key },
    { name: '8 public status', url: `${api}/servers/public/${serverId}/status` },
  ];
  console.log(`first start, demo shop made: ${first.firstResponseMs.toFixed(0)} ms`);
  console.log(`start with the demo data in place (median of 3): ${median(starts).toFixed(0)} ms`);
  console.log(`idle resident memory after ${IDLE_MS / 1000} s: ${idleMiB.toFixed(0)} MiB\n`);
  console.log('| Endpoint | Requests/s | Share of the floor |\n| --- | --- | --- |');
  await rate(floor);
  for (const call of calls) {
    await rate(call);
    const floors = [];
    const rates = [];
    // One after the other in short rounds, because other work on the machine changes the figures.
    for (let round = 0; round < ROUNDS; round++) {
      floors.push(await rate(floor));
      rates.push(await rate(call));
    }
    const share = (median(rates) / median(floors)) * 100;
    console.log(`| ${call.name} | ${median(rates).toFixed(0)} | ${share.toFixed(0)} % |`);
  }
  await stop(service);
} finally {
  disconnect();
  rmSync(dataDir, { recursive: true, force: true });
}

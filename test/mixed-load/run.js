// `npm run long -- mixed-load [SECONDS]`: an hour of mixed load on a real process with its embedded store, on loopback, while 500 slow
// sockets and 10,000 idle connections are held. Prints figures, and exits with 1 when somebody is harmed or the memory grows. It
// needs Linux.
//
// Nobody is harmed: each request gets the response that it should, each paid order is delivered once, and the slowest hundredth of
// the reads takes at most twice as long as before the connections are held, or 50 ms: while one address holds what it can, and then
// while many hold them all. A run that is too short to judge memory and times says so, and judges the rest.
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { disposeAll, startTarget } from '../attack/target.js';
import { Client } from './client.js';
import { Load } from './load.js';
import { startMailServer } from './mail-server.js';
import { processorSeconds, sampleMemory } from './memory.js';
import { openShop } from './shop.js';
import { verdictsOf } from './verdicts.js';

const HOUR_SECONDS = 3_600;
const [IDLE_CONNECTIONS, SLOW_SOCKETS] = [10_000, 500];
/** So many that none of them reaches the limit of one address. */
const MANY_ADDRESSES = 20;
/** What this process and the service open beside the held connections. */
const OTHER_FILES = 500;
/** The part of the run without held connections, that while one address holds some, and the longest time of each. */
const [FIRST_SHARE, LONGEST_FIRST_MS] = [0.12, 120_000];
const SAMPLED_EVERY_MS = 10_000;
/** Ends the wait for the held connections. */
const PATIENCE_MS = 600_000;
const POLL_MS = 200;
const MIB = 1_048_576;

function requireFiles() {
  const limit = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Infinity;
  const needed = IDLE_CONNECTIONS + SLOW_SOCKETS + OTHER_FILES;
  if (Number(limit) < needed) throw new Error(`Raise the limit of open files: ulimit -n ${needed}`);
}

/** Starts the service with a mail server. No limit refuses the load, and no time limit depends on the speed of the machine. */
async function start() {
  const mail = await startMailServer();
  const target = await startTarget({
    logs: true,
    env: {
      ...{ RATE_LIMIT_FACTOR: '100000', TIME_LIMIT_FACTOR: '10', METRICS_PORT: '0', SMTP_URL: mail.url },
      NODE_OPTIONS: `--import ${join(import.meta.dirname, 'report-memory.js')}`,
      MEMORY_FILE: 'memory.jsonl',
    },
  });
  return { ...target, mail, memoryFile: join(target.dataDir, 'memory.jsonl') };
}

/** Opens connections from some addresses in a process of their own. Returns its latest figures, and what ends it. */
async function hold(port, addresses) {
  const script = join(import.meta.dirname, 'held-connections.js');
  const child = fork(script, [port, IDLE_CONNECTIONS, SLOW_SOCKETS, addresses].map(String));
  const held = { slowSockets: SLOW_SOCKETS, idleOpened: 0 };
  child.on('message', (figures) => Object.assign(held, figures));
  const until = performance.now() + PATIENCE_MS;
  while (held.idleOpened < IDLE_CONNECTIONS) {
    if (performance.now() > until) throw new Error(`only ${held.idleOpened} idle connections could be opened`);
    await pause(POLL_MS);
  }
  return { held, release: () => child.kill() };
}

/** Does something. Returns how long the reads of the load took meanwhile, and prints what the service did. */
async function during(name, work, { service, load, requests }) {
  const usage = () => ({ at: performance.now(), used: processorSeconds(service.pid), sent: requests() });
  load.measure();
  const before = usage();
  await work();
  const after = usage();
  const rate = (of) => (after[of] - before[of]) / ((after.at - before.at) / 1_000);
  console.log(`${name}: ${rate('sent').toFixed(0)} requests a second with ${rate('used').toFixed(2)} cores`);
  return load.measured();
}

/** Takes samples at even intervals, at least three. */
async function sampleUntil(end, samples, take) {
  for (let due = performance.now(); due < end || samples.length < 3; due += SAMPLED_EVERY_MS) {
    await pause(Math.max(0, due - performance.now()));
    await take();
    const { requests, idle, reads, ...memory } = samples.at(-1);
    const [service, store, resident] = [memory.service, memory.store, memory.resident].map((bytes) =>
      (bytes / MIB).toFixed(1),
    );
    const p99 = reads.p99?.toFixed(0) ?? 'unknown';
    console.log(
      `${requests} requests, ${idle} idle connections, p99 of reads in ms: ${p99}; ` +
        `MiB: service ${service}, store ${store}, process ${resident}`,
    );
  }
}

async function main(seconds) {
  requireFiles();
  const end = performance.now() + seconds * 1_000;
  const service = await start();
  const client = new Client(service.url);
  const load = new Load(client, await openShop(client));
  const sending = load.start();

  const holders = [];
  const requests = () => holders.reduce((sum, { held }) => sum + held.idleOpened, client.requests);
  const measured = { service, load, requests };
  const firstMs = Math.min(LONGEST_FIRST_MS, FIRST_SHARE * seconds * 1_000);
  // Warms the code up.
  await pause(firstMs);
  const quiet = await during('No held connections', () => pause(firstMs), measured);

  holders.push(await hold(service.port, 1));
  const greedy = await during('Connections of one address', () => pause(firstMs), measured);
  holders[0].release();

  holders.push(await hold(service.port, MANY_ADDRESSES));
  const { held } = holders[1];
  const samples = [];
  const sample = async () => {
    // At rest, because what a request uses while it runs is not left behind.
    const memory = await load.atRest(() => sampleMemory(service.pid, service.memoryFile));
    samples.push({ ...memory, idle: held.idle, requests: requests(), reads: load.measured() });
  };
  const busy = await during('Connections of many addresses', () => sampleUntil(end, samples, sample), measured);

  await load.stop();
  await sending;
  holders[1].release();
  client.close();
  console.log(
    `${held.idleOpened} idle connections and ${held.slowOpened} slow sockets were opened; ${service.mail.taken()} emails; ` +
      `${load.leftOut} requests of the load were left out, because too many were running`,
  );
  const errors = service
    .output()
    .split('\n')
    .filter((line) => /"level":"(error|fatal)"/.test(line));
  const sent = { requests: client.requests, failures: load.failures, sales: load.sales() };
  const holds = holders.map((holder) => holder.held);
  const verdicts = verdictsOf({ samples, reads: { quiet, greedy, busy }, holds, load: sent, errors });
  for (const { name, ok, figure } of verdicts) console.log(`${ok ? 'ok    ' : 'FAILED'}  ${name}: ${figure}`);
  return verdicts.every(({ ok }) => ok);
}

const seconds = Number(process.argv[2] ?? HOUR_SECONDS);
if (!(seconds > 0)) throw new Error('Give a number of seconds');
let ok = false;
try {
  ok = await main(seconds);
} catch (error) {
  console.error(error);
}
await disposeAll();
process.exit(ok ? 0 : 1);

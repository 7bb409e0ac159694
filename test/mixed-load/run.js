// `npm run long -- mixed-load [SECONDS]`: an hour of mixed load on a real process with its embedded store, on loopback, while 500 slow
// sockets and 10,000 idle connections are held. Prints figures, and exits with 1 when somebody is harmed or the memory grows. It
// needs Linux.
//
// Nobody is harmed: each request gets the response that it should, each paid order is delivered once, and the slowest hundredth of
// the reads takes at most twice as long as before the connections are held, or 50 ms. A run that is too short to judge memory and
// times says so, and judges the rest.
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
/** What this process and the service open beside the held connections. */
const OTHER_FILES = 500;
/** The part of the run without held connections, and its longest time. The first half of it warms the code up. */
const [QUIET_SHARE, LONGEST_QUIET_MS] = [0.2, 180_000];
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

/** Opens the held connections in a process of their own. Returns its latest figures, and what ends it. */
async function hold(port) {
  const script = join(import.meta.dirname, 'held-connections.js');
  const child = fork(script, [port, IDLE_CONNECTIONS, SLOW_SOCKETS].map(String));
  const held = { slowSockets: SLOW_SOCKETS, idleOpened: 0 };
  child.on('message', (figures) => Object.assign(held, figures));
  const until = performance.now() + PATIENCE_MS;
  while (held.idleOpened < IDLE_CONNECTIONS) {
    if (performance.now() > until) throw new Error(`only ${held.idleOpened} idle connections could be opened`);
    await pause(POLL_MS);
  }
  return { held, release: () => child.kill() };
}

const usageOf = ({ pid }, requests) => ({ at: performance.now(), used: processorSeconds(pid), requests });

/** What the service did between two usages. */
function rates(before, after) {
  const elapsed = (after.at - before.at) / 1_000;
  const rate = (name) => (after[name] - before[name]) / elapsed;
  return { perSecond: rate('requests').toFixed(0), cores: rate('used').toFixed(2) };
}

/** Takes samples at even intervals, at least three. */
async function sampleUntil(end, take) {
  const samples = [];
  for (let due = performance.now(); due < end || samples.length < 3; due += SAMPLED_EVERY_MS) {
    await pause(Math.max(0, due - performance.now()));
    samples.push(await take());
    const { requests, idle, ...memory } = samples.at(-1);
    const [service, store, resident] = [memory.service, memory.store, memory.resident].map((bytes) =>
      (bytes / MIB).toFixed(1),
    );
    console.log(
      `${requests} requests, ${idle} idle connections; MiB: service ${service}, store ${store}, process ${resident}`,
    );
  }
  return samples;
}

async function main(seconds) {
  requireFiles();
  const end = performance.now() + seconds * 1_000;
  const service = await start();
  const client = new Client(service.url);
  const load = new Load(client, await openShop(client));
  const sending = load.start();

  const quietMs = Math.min(LONGEST_QUIET_MS, QUIET_SHARE * seconds * 1_000);
  await pause(quietMs / 2);
  load.measure();
  const beforeQuiet = usageOf(service, client.requests);
  await pause(quietMs / 2);
  const quiet = { ...load.measured(), ...rates(beforeQuiet, usageOf(service, client.requests)) };

  const { held, release } = await hold(service.port);
  const requestsSoFar = () => client.requests + held.idleOpened;
  load.measure();
  const beforeBusy = usageOf(service, requestsSoFar());
  // At rest, because what a request uses while it runs is not left behind.
  const samples = await sampleUntil(end, async () => {
    const memory = await load.atRest(() => sampleMemory(service.pid, service.memoryFile));
    return { ...memory, idle: held.idle, requests: requestsSoFar() };
  });
  const busy = { ...load.measured(), ...rates(beforeBusy, usageOf(service, requestsSoFar())) };

  await load.stop();
  await sending;
  release();
  client.close();
  console.log(`without the held connections: ${quiet.perSecond} requests a second with ${quiet.cores} cores`);
  console.log(`with them: ${busy.perSecond} requests a second, theirs among them, with ${busy.cores} cores`);
  console.log(
    `${held.idleOpened} idle connections and ${held.slowOpened} slow sockets were opened; ${service.mail.taken()} emails; ` +
      `${load.leftOut} requests of the load were left out, because too many were running`,
  );
  const errors = service
    .output()
    .split('\n')
    .filter((line) => /"level":"(error|fatal)"/.test(line));
  const sent = { requests: client.requests, failures: load.failures, sales: load.sales() };
  const verdicts = verdictsOf({ samples, quiet, busy, held, load: sent, errors });
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

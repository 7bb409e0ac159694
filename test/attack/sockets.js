// Clients that hold connections, or use up those of others.
import { execFileSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { openSocket, openSockets, requestText, startTarget } from './target.js';

const REJECTED = 500;
const SILENT = 250;
const DESCRIPTORS = 300;
/** More than one address may have, and how many are opened at once: fewer than may wait to be accepted. */
const [OF_ONE_ADDRESS, LIMIT_OF_ADDRESS, OPENED_AT_ONCE] = [1_300, 1_000, 260];
/** Sockets that the service opens meanwhile: both ends of 50 connections to its store. */
const OF_STORE = 100;
const [GREEDY, PATIENT] = ['127.0.0.2', '127.0.0.3'];
const PIPELINED = 450_000;
const PIPELINES = 10;
/** How long other clients may wait: less than the 15 s after which a silent client is cut off. */
const OTHERS_MS = 5_000;
/** After this time, a request of another client has failed. */
const PATIENCE_MS = 60_000;

/** Starts a service, runs an attack against it, and ends both. */
async function against(options, attack) {
  const target = await startTarget(options);
  const sockets = [];
  const open = async (count, bytes, { reads = true, localAddress } = {}) => {
    const opened = await Promise.all(Array.from({ length: count }, () => openSocket(target.port, bytes, localAddress)));
    if (reads) for (const socket of opened) socket.resume();
    sockets.push(...opened);
    return opened;
  };
  try {
    return await attack(target, open);
  } finally {
    for (const socket of sockets) socket.destroy();
    await target.dispose();
  }
}

/** Waits until the process has no more sockets than before the attack. Returns how many are left over after `patienceMs`. */
async function leftOver(target, before, patienceMs) {
  const until = performance.now() + patienceMs;
  let left;
  do {
    await pause(200);
    left = Math.max(0, openSockets(target.pid) - before);
  } while (left > 0 && performance.now() < until);
  return left;
}

/** The longest time that a client waits for `/health/ready`, in milliseconds, and how often it does not get 200. */
async function waitOfOthers(target, times) {
  let longest = 0;
  let failures = 0;
  for (let time = 0; time < times; time++) {
    const began = performance.now();
    const status = await fetch(`${target.url}/health/ready`, {
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).then(
      (response) => response.status,
      () => 0,
    );
    longest = Math.max(longest, performance.now() - began);
    if (status !== 200) failures++;
    await pause(100);
  }
  return { longest: Math.round(longest), failures };
}

const rejected = () =>
  against({}, async (target, open) => {
    const before = openSockets(target.pid);
    await open(REJECTED, 'nonsense\r\n\r\n');
    const left = await leftOver(target, before, 10_000);
    return { ok: left === 0, figure: `${left} of ${REJECTED} are still open` };
  });

const silent = () =>
  against({}, async (target, open) => {
    // Lowered only now: to load its modules, the service opens more files at once.
    execFileSync('prlimit', [`--nofile=${DESCRIPTORS}:${DESCRIPTORS}`, '--pid', String(target.pid)]);
    await open(SILENT, '');
    const { longest, failures } = await waitOfOthers(target, 20);
    return {
      ok: failures === 0 && longest < OTHERS_MS,
      figure: `with ${SILENT} of them and ${DESCRIPTORS} descriptors ${failures} of 20 requests failed, the longest took ${longest} ms`,
    };
  });

/** Opens more connections from one address than it may have. Returns how many the service keeps, and whether an older one of another address stays. */
async function keptOfOneAddress(env) {
  const files = 2 * OF_ONE_ADDRESS;
  execFileSync('prlimit', [`--nofile=${files}:`, '--pid', String(process.pid)]);
  return against({ env, descriptors: files }, async (target, open) => {
    const [patient] = await open(1, '', { localAddress: PATIENT });
    const before = openSockets(target.pid);
    for (let opened = 0; opened < OF_ONE_ADDRESS; opened += OPENED_AT_ONCE) {
      await open(OPENED_AT_ONCE, '', { localAddress: GREEDY });
    }
    const { failures } = await waitOfOthers(target, 3);
    return { kept: openSockets(target.pid) - before, isDisturbed: failures > 0 || patient.readableEnded };
  });
}

const greedy = async () => {
  const ofClient = await keptOfOneAddress({});
  const ofProxy = await keptOfOneAddress({ TRUST_PROXY: GREEDY });
  return {
    ok: ofClient.kept <= LIMIT_OF_ADDRESS + OF_STORE && ofProxy.kept >= OF_ONE_ADDRESS && !ofClient.isDisturbed,
    figure: `of ${OF_ONE_ADDRESS} the service keeps ${ofClient.kept}, and ${ofProxy.kept} of a proxy`,
  };
};

const unread = () =>
  against({ env: { RATE_LIMIT_FACTOR: '1000' } }, async (target, open) => {
    const before = openSockets(target.pid);
    const document = requestText('GET', '/api/v2/openapi.json');
    const sockets = await open(50, document, { reads: false });
    // More than the buffers of the kernel hold, so that the service has to wait.
    for (let more = 0; more < 60; more++) {
      await pause(100);
      for (const socket of sockets) if (socket.writable) socket.write(document);
    }
    const { longest, failures } = await waitOfOthers(target, 20);
    const left = await leftOver(target, before, 60_000);
    return {
      ok: left === 0 && failures === 0,
      figure: `${left} of ${sockets.length} are still open, others waited ${longest} ms`,
    };
  });

const pipelined = () =>
  against({}, async (target, open) => {
    const sockets = await open(PIPELINES, '');
    const requests = requestText('GET', '/api/v2/nothing').repeat(PIPELINED / PIPELINES);
    for (const socket of sockets) socket.write(requests);
    const { longest, failures } = await waitOfOthers(target, 10);
    return { ok: failures === 0, figure: `others waited ${longest} ms, ${failures} of 10 failed` };
  });

const slow = () =>
  against({}, async (target, open) => {
    const before = openSockets(target.pid);
    const half =
      'POST /api/v2/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n';
    const sockets = [
      ...(await open(100, '')),
      ...(await open(100, 'GET /api/v2/health/live HTTP/1.1\r\n')),
      ...(await open(100, half)),
    ];
    const trickle = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write('x');
    }, 1_000);
    const left = await leftOver(target, before, 60_000);
    clearInterval(trickle);
    return { ok: left === 0, figure: `${left} of ${sockets.length} are still open` };
  });

export const socketAttacks = [
  { name: 'Connections that were rejected are closed', run: rejected },
  { name: 'Silent clients keep nobody out', run: silent },
  { name: 'One address has no more than its share of the connections', run: greedy },
  { name: 'Pipelined requests keep nobody waiting', run: pipelined },
  { name: 'Clients that send a byte each second are cut off', run: slow, long: true },
  { name: 'Clients that do not read are cut off', run: unread, long: true },
];

// A process of its own, so that its work delays no request of the load. It holds idle connections that made one request, and slow
// sockets that send a byte a second. Each one that the service closes is opened again. It reports its figures every second, and ends
// when its parent disconnects.
// Usage: fork it with the port of the service, the number of idle connections, that of slow sockets, and that of addresses they come from.
import { connect } from 'node:net';

const OPENED_PER_SECOND = 1_000;
/** The service closes an idle connection after 65 s, or for a new one. So it takes 154 a second to have 10,000. */
const REPLACED_PER_SECOND = 200;
/**
 * How many wait for their response at once, and how many slow sockets are opened in a second: fewer than 511 connections wait to be
 * accepted, so that the system of a busy machine drops none.
 */
const [MOST_WAITING, SLOW_OPENED_PER_SECOND] = [300, 100];
const TICK_MS = 20;

const ALIVE = 'GET /api/v2/health/live HTTP/1.1\r\nHost: idle.example\r\n\r\n';
const HALF_HEAD = 'GET /api/v2/health/live HTTP/1.1\r\nHost: slow.example\r\nX-Slow: ';
const HALF_BODY =
  'POST /api/v2/auth/login HTTP/1.1\r\nHost: slow.example\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n';

const [port, idleConnections, slowSockets, addresses] = process.argv.slice(2).map(Number);
const [idle, waiting, slow] = [new Set(), new Set(), new Set()];
const figures = { idleOpened: 0, unserved: 0, problem: null, slowOpened: 0 };

/** The addresses take turns. None of them is that of the load. */
function open(number, held) {
  const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.1.${1 + (number % addresses)}` });
  held.add(socket);
  socket.on('error', () => {});
  return socket.once('close', () => held.delete(socket));
}

/** Its request must get a 200, however many connections the service has. */
function openIdle() {
  const socket = open(figures.idleOpened, idle);
  let problem = 'no response';
  socket.write(ALIVE);
  socket.once('data', (chunk) => {
    const [line] = chunk.toString().split('\r\n');
    problem = line.includes(' 200 ') ? null : line;
    waiting.delete(socket);
  });
  socket.once('error', ({ message }) => (problem &&= message));
  socket.once('close', () => {
    waiting.delete(socket);
    if (problem === null) return;
    figures.unserved += 1;
    figures.problem ??= problem;
  });
  waiting.add(socket);
  figures.idleOpened += 1;
}

function openSlow() {
  const socket = open(figures.slowOpened, slow);
  socket.write(figures.slowOpened % 2 === 0 ? HALF_HEAD : HALF_BODY);
  socket.resume();
  figures.slowOpened += 1;
}

setInterval(() => {
  for (const socket of slow) if (socket.writable) socket.write('x');
  const missing = Math.min(slowSockets - slow.size, SLOW_OPENED_PER_SECOND);
  for (let number = 0; number < missing; number++) openSlow();
  process.send({ ...figures, idle: idle.size, slow: slow.size });
}, 1_000);
let [last, due] = [performance.now(), 0];
setInterval(() => {
  const perSecond = figures.idleOpened < idleConnections ? OPENED_PER_SECOND : REPLACED_PER_SECOND;
  const now = performance.now();
  // What was due earlier, when this process had no time, is opened now.
  due = Math.min(MOST_WAITING, due + (perSecond * (now - last)) / 1_000);
  last = now;
  for (; due >= 1 && idle.size < idleConnections && waiting.size < MOST_WAITING; due--) openIdle();
}, TICK_MS);
process.once('disconnect', () => process.exit());

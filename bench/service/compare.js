// Measures an endpoint of the service next to the bare handler that makes the same queries.
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import { median, repeat, succeed } from '../http.js';

const POLL_MS = 20;
const MAX_REST_MS = 120_000;

/** Waits until both have sent the events and emails of what was requested. They do so after their responses. */
export async function rest(database) {
  const deadline = performance.now() + MAX_REST_MS;
  const due = (name) => database.collection(name).findOne({ state: 'waiting', dueAt: { $lte: new Date() } });
  while ((await due('outbox')) !== null || (await due('bare_outbox')) !== null) {
    if (performance.now() > deadline) throw new Error('messages are not sent');
    await pause(POLL_MS);
  }
}

/** Sends a request of a client, and what follows from its response. @returns the body of the last response */
export async function perform(base, { next, follow }, caller, client) {
  const { path, ...options } = next(caller, client);
  const text = await succeed(`${base}${path}`, options);
  return follow === undefined
    ? text
    : perform(base, { next: () => follow(caller, JSON.parse(text).data) }, caller, client);
}

/** Sends a request to both and compares what matters of their responses. */
async function requireSame(sides, request, caller) {
  const { name, essence } = request;
  const essences = [];
  for (const base of Object.values(sides)) {
    // As it was sent: an id of the bare handler is then a string too.
    essences.push(essence(JSON.parse(await perform(base, request, caller, 0)).data, caller));
  }
  if (!isDeepStrictEqual(...essences)) throw new Error(`${name} differs: ${JSON.stringify(essences)}`);
}

/**
 * Measures one endpoint of both in turns, because other work on the machine changes the figures.
 * @param sides the addresses of the `bare` handlers and of the `service`
 * @param request one of `requestsFor`
 * @param callers who sends the requests; the clients share them
 * @returns requests per second of both, and the ratio: medians of the rounds
 */
export async function compare({ sides, database, roundMs, rounds: count, clients }, request, callers) {
  const { prepare = () => undefined } = request;
  const round = async (base) => {
    await rest(database);
    await prepare(callers);
    const sendNext = (client) => perform(base, request, callers[client % callers.length], client);
    return (await repeat(sendNext, roundMs, clients)).rate;
  };
  await prepare(callers);
  await requireSame(sides, request, callers[0]);
  for (const base of Object.values(sides)) await round(base);
  const rounds = { bare: [], service: [] };
  for (let number = 0; number < count; number++) {
    for (const [side, base] of Object.entries(sides)) rounds[side].push(await round(base));
  }
  const ratios = rounds.service.map((rate, number) => rate / rounds.bare[number]);
  return { bareRate: median(rounds.bare), rate: median(rounds.service), ratio: median(ratios) };
}

// Whether somebody was harmed, and whether the memory grew.

/** The limit of the service: then a new connection replaces the idle one that has waited the longest. */
const MOST_CONNECTIONS = 10_000;
/** The share of the connections that is open at each time; the others are being opened again. */
const HELD_SHARE = 0.9;
/** With fewer, the noise of the samples hides a leak of 200 bytes in each request. They take about six minutes. */
const JUDGED_REQUESTS = 40_000;
/** What each request may leave behind, in bytes: half of a small object. */
const MOST_BYTES_PER_REQUEST = 100;
/** How much larger the process may become: against leaks outside of the heap. */
const MOST_RESIDENT_TIMES = 1.15;
/**
 * How much longer the slowest hundredth of the reads may take than before the connections are held. With 10,500 connections of many
 * addresses, two cores that also run the load miss this: 60 to 160 ms instead of 18 to 40. The connections make the heap 130 MiB instead of
 * 76, and V8 marks it every four seconds.
 */
const MOST_TIMES = 2;
const ALWAYS_ALLOWED_MS = 50;
const MIB = 1_048_576;

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
/** The part of the run that is judged: the first third fills the caches. */
const afterWarmUp = (samples) => samples.slice(Math.floor(samples.length / 3));
const requestsIn = (samples) => samples.at(-1).requests - samples[0].requests;

/**
 * How many bytes each request leaves behind. Each connection takes memory too, and a busy machine has fewer of them now and then. So
 * this is the least-squares fit of a sum: a constant, a part for each idle connection, and one for each request.
 * @param valueOf the bytes of a sample
 */
function bytesPerRequest(samples, valueOf) {
  const centred = (of) => {
    const values = samples.map(of);
    const middle = mean(values);
    return values.map((value) => value - middle);
  };
  const product = (one, other) => one.reduce((sum, value, index) => sum + value * other[index], 0);
  const bytes = centred(valueOf);
  const [idle, requests] = [centred((sample) => sample.idle), centred((sample) => sample.requests)];
  const [idleSquares, mixed, requestSquares] = [
    product(idle, idle),
    product(idle, requests),
    product(requests, requests),
  ];
  return (
    (product(requests, bytes) * idleSquares - product(idle, bytes) * mixed) /
    (requestSquares * idleSquares - mixed * mixed)
  );
}

/** A machine that is too slow for the load leaves reads out, also without held connections: then nothing is shown. */
const isUnharmed = (reads, quiet) =>
  Number.isFinite(reads.p99) && reads.p99 <= Math.max(ALWAYS_ALLOWED_MS, MOST_TIMES * quiet.p99);
const leastResident = (samples) => Math.min(...samples.map(({ resident }) => resident));
const inMib = (bytes) => (bytes / MIB).toFixed(0);
const shown = ({ reads, p50, p99 }) => `p50 ${p50.toFixed(0)} ms and p99 ${p99.toFixed(0)} ms of ${reads} reads`;

/** What a run that is long enough says in addition. A machine that is busy otherwise can fail it. */
function verdictsOfTime({ samples, reads: { quiet, greedy, busy }, holds }) {
  const held = holds.at(-1);
  const judged = afterWarmUp(samples);
  const perRequest = bytesPerRequest(judged, ({ service, store }) => service + store);
  const half = Math.floor(judged.length / 2);
  const [before, after] = [judged.slice(0, half), judged.slice(half)].map(leastResident);
  const fewestIdle = Math.min(...samples.map(({ idle }) => idle));
  return [
    {
      name: 'The connections are held at each time',
      ok: fewestIdle >= HELD_SHARE * MOST_CONNECTIONS && held.slow >= HELD_SHARE * held.slowSockets,
      figure: `at least ${fewestIdle} idle ones, and ${held.slow} slow ones at the end`,
    },
    {
      name: 'The memory in use is flat',
      ok: perRequest <= MOST_BYTES_PER_REQUEST,
      figure: `${perRequest.toFixed(0)} bytes more for each request`,
    },
    {
      name: 'The memory of the process is flat',
      ok: after <= before * MOST_RESIDENT_TIMES,
      figure: `at least ${inMib(before)} MiB in the second third, and ${inMib(after)} MiB in the last one`,
    },
    {
      name: 'Reads are as fast while one address holds what it can',
      ok: isUnharmed(greedy, quiet),
      figure: `${shown(quiet)} without held connections, ${shown(greedy)} with them`,
    },
    {
      name: 'Reads are as fast while many addresses hold all connections',
      ok: isUnharmed(busy, quiet),
      figure: `${shown(quiet)} without held connections, ${shown(busy)} with them`,
    },
  ];
}

/**
 * Judges a run.
 * @param samples of the memory while the connections were held, each with the number of requests so far
 * @param reads before that (quiet), while one address held some (greedy), and while many held them all (busy)
 * @param holds the figures of the connections that one address held, and of those of many addresses
 * @param errors the lines of the log that report an error
 */
export function verdictsOf({ samples, reads, holds, load, errors }) {
  const { failures, sales } = load;
  const sumOf = (name) => holds.reduce((sum, held) => sum + held[name], 0);
  const problem = holds.find((held) => held.problem !== null)?.problem;
  const verdicts = [
    {
      name: 'Each request gets the response that it should',
      ok: failures.count === 0,
      figure: [`${failures.count} of ${load.requests} did not`, ...failures.first].join('; '),
    },
    {
      name: 'Each idle connection got the response to its request',
      ok: sumOf('unserved') === 0,
      figure: `${sumOf('unserved')} of ${sumOf('idleOpened')} did not${problem === undefined ? '' : `: ${problem}`}`,
    },
    {
      name: 'Each paid order is delivered once',
      ok: sales.wrong === 0,
      figure: `${sales.wrong} of ${sales.paid} were not`,
    },
    {
      name: 'The log has no error',
      ok: errors.length === 0,
      figure: [`${errors.length} lines`, ...errors.slice(0, 3)].join('; '),
    },
  ];
  const judged = requestsIn(afterWarmUp(samples));
  if (judged >= JUDGED_REQUESTS) return [...verdicts, ...verdictsOfTime({ samples, reads, holds })];
  console.log(`Memory and times are not judged: that takes ${JUDGED_REQUESTS} requests, and this run had ${judged}.`);
  return verdicts;
}

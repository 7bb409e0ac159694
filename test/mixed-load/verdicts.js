// Whether somebody was harmed, and whether the memory grew.

/** Of the service: at its limit a new connection replaces the idle one that has waited the longest. */
const MOST_CONNECTIONS = 10_000;
/** The share of the connections that is open at each time; the others are being opened again. */
const HELD_SHARE = 0.9;
/** With fewer, a leak of 200 bytes in each request is less than what the held connections vary by. They take about six minutes. */
const JUDGED_REQUESTS = 100_000;
/** What each request may leave behind, in bytes: half of a small object. */
const MOST_BYTES_PER_REQUEST = 100;
/** How much larger the memory of the process may become, which also depends on the gaps between its objects. */
const MOST_RESIDENT_TIMES = 1.15;
/** How much longer the slowest hundredth of the reads may take than before the connections are held. */
const MOST_TIMES = 2;
const ALWAYS_ALLOWED_MS = 50;

const median = (values) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];

/** Compares the last third of the samples with the second one. The first third fills the caches. */
function growth(samples) {
  const third = Math.floor(samples.length / 3);
  const middle = (value) => median(samples.slice(-2 * third, -third).map(value));
  const end = (value) => median(samples.slice(-third).map(value));
  const inUse = ({ service, store }) => service + store;
  const [requests, resident] = [({ requests: count }) => count, ({ resident: bytes }) => bytes];
  return {
    perRequest: (end(inUse) - middle(inUse)) / (end(requests) - middle(requests)),
    residentTimes: end(resident) / middle(resident),
  };
}

const shown = ({ reads, p50, p99 }) => `p50 ${p50.toFixed(0)} ms and p99 ${p99.toFixed(0)} ms of ${reads} reads`;

/** What a run that is long enough says in addition. A machine that is busy otherwise can fail it. */
function verdictsOfTime({ samples, quiet, busy, held }) {
  const { perRequest, residentTimes } = growth(samples);
  const fewestIdle = Math.min(...samples.map(({ idle }) => idle));
  const isHeld = fewestIdle >= HELD_SHARE * Math.min(MOST_CONNECTIONS, held.idleConnections);
  return [
    {
      name: 'The connections are held at each time',
      ok: isHeld && held.slow >= HELD_SHARE * held.slowSockets,
      figure: `at least ${fewestIdle} idle ones, and ${held.slow} slow ones at the end`,
    },
    {
      name: 'The memory is flat',
      ok: perRequest <= MOST_BYTES_PER_REQUEST && residentTimes <= MOST_RESIDENT_TIMES,
      figure: `${perRequest.toFixed(0)} bytes more for each request, ${residentTimes.toFixed(2)} times as much in the process`,
    },
    {
      name: 'Reads are as fast as without the held connections',
      ok: busy.p99 <= Math.max(ALWAYS_ALLOWED_MS, MOST_TIMES * quiet.p99),
      figure: `${shown(quiet)} without them, ${shown(busy)} with them`,
    },
  ];
}

/**
 * Judges a run.
 * @param samples of the memory while the connections were held, each with the number of requests so far
 * @param quiet the reads before that, and `busy` those meanwhile
 * @param held the figures of the held connections, and how many there were
 * @param errors the lines of the log that report an error
 */
export function verdictsOf({ samples, quiet, busy, held, load, errors }) {
  const { failures, sales } = load;
  const verdicts = [
    {
      name: 'Each request gets the response that it should',
      ok: failures.count === 0,
      figure: [`${failures.count} of ${load.requests} did not`, ...failures.first].join('; '),
    },
    {
      name: 'Each idle connection got the response to its request',
      ok: held.unserved === 0,
      figure: `${held.unserved} of ${held.idleOpened} did not${held.unserved > 0 ? `: ${held.problem}` : ''}`,
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
  const judged = samples.at(-1).requests - samples[0].requests;
  if (judged >= JUDGED_REQUESTS) return [...verdicts, ...verdictsOfTime({ samples, quiet, busy, held })];
  console.log(`Memory and times are not judged: that takes ${JUDGED_REQUESTS} requests, and this run had ${judged}.`);
  return verdicts;
}

import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';

const POLL_MS = 10;
/** A long wait polls less often, because each request costs the service and the spec a share of the processor. */
const MAX_POLL_MS = 200;
/** Ends a wait that hangs, before Jest ends its test. It is long, so that no verdict depends on the speed of the machine. */
const PATIENCE_MS = 240_000;

/** What a condition depends on, for the message of a wait that failed. */
type State = () => unknown;

/**
 * Waits until a condition returns a value. Fails after 4 minutes with the condition and what it returned last.
 * @param state the error shows it too
 */
export async function eventually<Value>(
  condition: () => Promise<Value | undefined | null | false>,
  state?: State,
  patienceMs = PATIENCE_MS,
): Promise<Value> {
  const begin = Date.now();
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== null && value !== false) return value;
    const waitedMs = Date.now() - begin;
    if (waitedMs > patienceMs) throw lateError(`${String(condition)} returned ${String(value)}`, state);
    await pause(Math.min(Math.max(POLL_MS, waitedMs / 10), MAX_POLL_MS));
  }
}

/**
 * Waits for a promise, such as the exit of a process. Fails after 4 minutes with what was expected.
 * @param event what ends the wait, such as `the exit of the service`
 * @param state the error shows it too
 */
export async function settled<Value>(
  work: Promise<Value>,
  event: string,
  state?: State,
  patienceMs = PATIENCE_MS,
): Promise<Value> {
  const ended = new AbortController();
  const late = async (): Promise<never> => {
    // The timer does not keep the process alive when nobody waits any more.
    await pause(patienceMs, undefined, { signal: ended.signal, ref: false });
    throw lateError(event, state);
  };
  try {
    return await Promise.race([work, late()]);
  } finally {
    ended.abort();
  }
}

function lateError(event: string, state?: State): Error {
  const seen = state === undefined ? '' : `\nLast state: ${shown(state())}`;
  return new Error(`Waited in vain for: ${event}${seen}`);
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : inspect(value, { depth: 5 }));

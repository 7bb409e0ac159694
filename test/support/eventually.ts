import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 10;
const PATIENCE_MS = 25_000;

/** Waits until a condition gives a value; fails when it has not after 25 s. */
export async function eventually<Value>(condition: () => Promise<Value | undefined | null | false>): Promise<Value> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== null && value !== false) return value;
    if (Date.now() > deadline) throw new Error('the condition did not come true in 25 s');
    await pause(POLL_MS);
  }
}

import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 10;
/** Ends a wait that hangs. It is long, so that no verdict depends on the speed of the machine. */
const PATIENCE_MS = 240_000;

/** Waits until a condition gives a value. Fails after 4 minutes. */
export async function eventually<Value>(condition: () => Promise<Value | undefined | null | false>): Promise<Value> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== null && value !== false) return value;
    if (Date.now() > deadline) throw new Error('the condition did not become true within 4 minutes');
    await pause(POLL_MS);
  }
}

import { jest } from '@jest/globals';
import { Operation } from '../../src/commands/operation.js';

/**
 * Runs the work while each read of the clock returns `step` ms more. With 10 each slice of time is over at once, with 0 none
 * ever is. `atPause` runs inside the first pause of a command. Returns how often commands have paused for others.
 */
export async function withClock(
  step: number,
  run: () => Promise<unknown>,
  atPause?: (paused: Operation) => unknown,
): Promise<number> {
  const pause = jest.spyOn(Operation.prototype, 'pause');
  if (atPause)
    pause.mockImplementationOnce(async function (this: Operation) {
      await atPause(this);
    });
  let now = performance.now();
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += step));
  try {
    await run();
    return pause.mock.calls.length;
  } finally {
    clock.mockRestore();
    pause.mockRestore();
  }
}

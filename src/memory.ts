import { Session } from 'node:inspector/promises';
import { performance } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { type Logger } from 'pino';
import { describeError } from './common/logging/logger.js';
import { SECOND_MS } from './common/time/durations.js';

const CHECK_MS = 10 * SECOND_MS;
/** A process that works for less than this part of the time is idle. */
const IDLE_SHARE = 0.05;
/** How much the heap grows, as a part of what the last collection left, before it is collected again. */
const GROWTH = 0.5;

/**
 * V8 lets the old objects grow to up to four times of what was in use after the last collection. Background work, such as the
 * folding of statistics, leaves that much behind. From now on they grow by half. Not before: the start would take longer.
 */
export function collectSooner(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH * 100}`);
}

/**
 * Collects the garbage when the process is idle, and returns the memory to the system. V8 should do this itself, and does on Node
 * 20. On Node 24 it takes an idle process for a busy one (`--trace-memory-reducer` says "high alloc"). The timer that is returned
 * does not keep the process alive. It ends with a warning when the collection is not allowed (`node --permission`).
 */
export function collectWhenIdle(logger: Pick<Logger, 'warn'>, checkMs = CHECK_MS): NodeJS.Timeout {
  let checked = performance.eventLoopUtilization();
  let bytesLeft = 0;
  const check = async (): Promise<void> => {
    const { utilization } = performance.eventLoopUtilization(checked);
    if (isWorthCollecting(utilization, bytesOfHeap(), bytesLeft)) {
      await collectGarbage();
      bytesLeft = bytesOfHeap();
    }
    checked = performance.eventLoopUtilization();
  };
  const timer = setInterval(() => {
    check().catch((error: unknown) => {
      clearInterval(timer);
      logger.warn(describeError(error), 'the service cannot return memory when it is idle');
    });
  }, checkMs);
  return timer.unref();
}

/**
 * A collection stops the process for about a tenth of a second, so the process must be idle, and there must be much to collect.
 * `utilization` is the part of the time in which the event loop worked, `bytes` the size of the heap, and `bytesLeft` its size
 * after the last collection.
 */
export function isWorthCollecting(utilization: number, bytes: number, bytesLeft: number): boolean {
  return utilization < IDLE_SHARE && bytes > bytesLeft * (1 + GROWTH);
}

/** The memory that the heap of this thread takes, with its garbage. */
export const bytesOfHeap = (): number => getHeapStatistics().total_physical_size;

/** Only the inspector has a collection that returns memory to the system, without a flag at the start. */
export async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
}

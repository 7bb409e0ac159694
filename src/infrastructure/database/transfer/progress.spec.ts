import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { withProgress } from './progress.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** Yields batches of documents. Each is read in the given number of milliseconds. */
// eslint-disable-next-line @typescript-eslint/require-await -- the documents of a database come later
async function* batchesAfter(...durations: number[]): AsyncGenerator<readonly Buffer[]> {
  for (const duration of durations) {
    jest.advanceTimersByTime(duration);
    yield [Buffer.from('one'), Buffer.from('two')];
  }
}

async function linesOf(...durations: number[]): Promise<string[]> {
  const lines: string[] = [];
  let documents = 0;
  for await (const batch of withProgress('orders', (line) => lines.push(line), batchesAfter(...durations)))
    documents += batch.length;
  expect(documents).toBe(2 * durations.length);
  return lines;
}

it('reports the number of documents every five seconds, and at the end', async () => {
  expect(await linesOf(3_000, 3_000, 3_000, 3_000, 10)).toEqual([
    'orders: 4 documents so far',
    'orders: 8 documents so far',
    'orders: 10 documents',
  ]);
});

it('reports nothing about a collection without documents', async () => {
  expect(await linesOf()).toEqual([]);
});

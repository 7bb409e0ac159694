import { SECOND_MS } from '../../time/durations.js';

const INTERVAL_MS = 5 * SECOND_MS;

/** Gets one line about what was done. */
export type Report = (line: string) => void;

/** Passes on the documents of a collection, and reports how many there were: at the end, and before that every five seconds. */
export async function* withProgress(
  collectionName: string,
  report: Report,
  batches: AsyncIterable<readonly Buffer[]>,
): AsyncGenerator<readonly Buffer[]> {
  let documents = 0;
  let reportedAt = performance.now();
  for await (const batch of batches) {
    yield batch;
    documents += batch.length;
    if (performance.now() - reportedAt < INTERVAL_MS) continue;
    reportedAt = performance.now();
    report(`${collectionName}: ${documents} documents so far`);
  }
  if (documents > 0) report(`${collectionName}: ${documents} documents`);
}

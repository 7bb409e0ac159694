import { SECOND_MS } from '../../../lib/time/durations.js';

const INTERVAL_MS = 5 * SECOND_MS;

/** Gets one line about what was done. */
export type Report = (line: string) => void;

/** Returns a function that reports a line, at most once in five seconds. */
export function paced(report: Report): Report {
  let reportedAt = performance.now();
  return (line) => {
    if (performance.now() - reportedAt < INTERVAL_MS) return;
    reportedAt = performance.now();
    report(line);
  };
}

/** Passes on the documents of a collection, and reports how many there were: at the end, and before that every five seconds. */
export async function* withProgress(
  collectionName: string,
  report: Report,
  batches: AsyncIterable<readonly Buffer[]>,
): AsyncGenerator<readonly Buffer[]> {
  let documents = 0;
  const soFar = paced(report);
  for await (const batch of batches) {
    yield batch;
    documents += batch.length;
    soFar(`${collectionName}: ${documents} documents so far`);
  }
  if (documents > 0) report(`${collectionName}: ${documents} documents`);
}

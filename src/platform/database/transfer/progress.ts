import { SECOND_MS } from '../../time/durations.js';

const INTERVAL_MS = 5 * SECOND_MS;

/**
 * Passes documents on, and writes to standard error how many there were: a line at the end, and before that one every five seconds.
 * @param work what is done with which collection
 */
export async function* withProgress(
  work: string,
  batches: AsyncIterable<readonly Buffer[]>,
): AsyncGenerator<readonly Buffer[]> {
  let documents = 0;
  let reportedAt = performance.now();
  for await (const batch of batches) {
    yield batch;
    documents += batch.length;
    if (performance.now() - reportedAt < INTERVAL_MS) continue;
    reportedAt = performance.now();
    process.stderr.write(`${work}: ${documents} documents so far\n`);
  }
  if (documents > 0) process.stderr.write(`${work}: ${documents} documents\n`);
}

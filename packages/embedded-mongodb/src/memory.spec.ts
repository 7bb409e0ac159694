import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from '@jest/globals';
import { type Collection, type Document, type FindCursor } from 'mongodb';
import { withNewCollections } from '../test/support/test-store.js';

const rows = 6000;
/** Bytes of the heap for each row of an open cursor. A decoded document of this collection takes 6,000. */
const most = 1000;

let c: Collection;

withNewCollections(async (_client, made) => {
  c = made;
  const list = Array.from({ length: 30 }, (_, n) => ({ n }));
  for (let from = 0; from < rows; from += 2000)
    await c.insertMany(Array.from({ length: 2000 }, (_, at) => ({ n: ((from + at) * 7919) % rows, list })));
});

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** The bytes of the heap that are in use for each row of the collection. */
function heapPerRow(): number {
  collect();
  return process.memoryUsage().heapUsed / rows;
}

it('keeps rows that wait for their turn after a sort without their decoded documents, and releases each row that is read', async () => {
  const sorted = (): FindCursor<Document> =>
    c.find({}, { projection: { n: 1, _id: 0 }, batchSize: 500 }).sort({ n: 1 });
  await sorted().toArray(); // compiles the code
  const before = heapPerRow();
  const cursor = sorted();
  for (let n = 0; n < rows; n++) {
    expect(await cursor.next()).toEqual({ n });
    if (n === 0 || n === rows * 0.9) expect(heapPerRow() - before).toBeLessThan(most);
  }
  expect(heapPerRow() - before).toBeLessThan(most);
});

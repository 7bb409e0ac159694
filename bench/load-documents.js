// Loads the orders of a shop into the data file of a store that is closed, with the ledger and the numbers of the buyers. A store takes
// about 6,000 orders a second with all of these; this is many times as fast, because documents of one shape have index entries that
// differ in few places. It runs in a thread of its own.
import assert from 'node:assert/strict';
import { writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { serialize } from 'bson';
import { open } from 'lmdb';
import { Engine } from '../packages/embedded-mongodb/dist/engine.js';
import { entriesFor } from '../packages/embedded-mongodb/dist/storage/indexes.js';
import { entriesOf, recordKey, recordNumber } from '../packages/embedded-mongodb/dist/storage/keys.js';
import { decode } from '../packages/embedded-mongodb/dist/values/bson.js';
import { indexKeyOf, inverted, keyOf } from '../packages/embedded-mongodb/dist/values/compare.js';
import { indexRows } from '../packages/embedded-mongodb/dist/values/paths.js';
import { idsOf, Orders, saleOf } from './folded-orders.js';

const PORTION = 20_000;
/** Of so many documents one is compared with what the store itself would write. */
const COMPARED = 5_000;
/** The fields in which the documents of a collection differ. All others are those of the first document. */
const VARYING = new Set(['_id', 'orderId', 'buyerKey', 'createdAt', 'paidAt', 'events.at', 'number']);

/** Makes the entries of documents of one shape. */
class Shape {
  constructor(collection, first) {
    this.collection = collection;
    const sample = decode(Buffer.from(serialize(first)));
    const indexes = collection.indexes.filter(({ partial }) => !partial || partial.matches(sample));
    this.indexes = indexes.map((index) => ({ index, parts: this.partsOf(index, sample) }));
    // What the store notes about arrays in the fields of an index.
    for (const { index } of this.indexes) entriesFor(index, sample, 1);
  }

  partsOf(index, sample) {
    const parts = [{ bytes: entriesOf(index.id) }];
    for (const { path, parts: names, way } of index.fields) {
      if (VARYING.has(path)) {
        parts.push({ path, way });
        continue;
      }
      const [[value]] = indexRows(
        sample,
        [names],
        () => undefined,
        () => undefined,
      );
      const bytes = indexKeyOf(value);
      parts.push({ bytes: way === 1 ? bytes : inverted(bytes) });
    }
    return parts;
  }

  /** Calls `put` with the key and value of the document and of its entries. */
  write(document, record, put) {
    const bytes = Buffer.from(serialize(document));
    const values = new Map();
    const valueOf = ({ bytes: constant, path, way }) => {
      if (constant !== undefined) return constant;
      const name = way + path;
      const known = values.get(name);
      if (known !== undefined) return known;
      const value = keyOf(path === 'events.at' ? document.events[0].at : document[path]);
      const part = way === 1 ? value : inverted(value);
      values.set(name, part);
      return part;
    };
    const suffix = recordNumber(record);
    const written = [];
    for (const { index, parts } of this.indexes) {
      const bytesOfParts = parts.map(valueOf);
      if (!index.unique) bytesOfParts.push(suffix);
      const key = Buffer.concat(bytesOfParts);
      put(key, index.unique ? suffix : Buffer.alloc(0));
      written.push(key);
    }
    put(recordKey(this.collection.id, record), bytes);
    if (record % COMPARED === 1) this.compare(bytes, record, written);
  }

  compare(bytes, record, written) {
    const expected = this.collection.indexes.flatMap((index) => entriesFor(index, decode(bytes), record));
    assert.deepEqual(
      written,
      expected.map(({ key }) => key),
    );
  }
}

async function load({ directory, database, shop, count, spanMs, endMs }) {
  const engine = await Engine.open(directory);
  const collectionOf = (name) => engine.catalogue.get(`${database}.${name}`);
  const orders = new Orders({ count, spanMs, endMs });
  const ids = idsOf(shop);
  const shapes = new Map();
  const documentsOf = (index) => {
    const { order, entry, number } = saleOf(orders, index, ids);
    return { orders: order, stats_ledger: entry, ...(number === null ? {} : { stats_buyers: number }) };
  };
  const records = new Map();
  for (const [name, document] of Object.entries(documentsOf(0))) {
    const collection = collectionOf(name);
    shapes.set(name, new Shape(collection, document));
    records.set(name, engine.catalogue.newRecord(collection));
    engine.disk.writeNow(() => engine.catalogue.save(engine.live, collection));
  }
  await engine.close();
  const file = open({ path: directory, noSubdir: false, encoding: 'binary', keyEncoding: 'binary', noSync: true });
  let written;
  for (let stored = 0; stored < count;) {
    const until = Math.min(count, stored + PORTION);
    const before = written;
    for (; stored < until; stored++) {
      for (const [name, document] of Object.entries(documentsOf(stored))) {
        const record = records.get(name);
        records.set(name, record + 1);
        shapes.get(name).write(document, record, (key, value) => (written = file.put(key, value)));
      }
    }
    await before;
    // At once: the main thread, which is busy, would write it later.
    if (stored % (10 * PORTION) === 0) writeSync(2, `${stored} of ${count} orders are stored\n`);
  }
  await written;
  await file.close();
}

await load(workerData);
parentPort.postMessage('done');

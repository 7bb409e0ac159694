import { fail } from '../errors.js';
import { compileFilter } from '../query/matcher.js';
import { type Collection } from '../storage/catalogue.js';
import { after, entriesOf, recordsOf } from '../storage/keys.js';
import { count, toNumber } from '../values/numbers.js';
import { type Doc, doc, isDoc, isNumber, type Maybe, noFields, reply, type Value } from '../values/types.js';
import { type Reply, type Operation } from './operation.js';

const batchSize = 1000;

/** Counts the keys and bytes with a prefix. It reads in batches with pauses between them and keeps nothing in memory. */
async function measure(operation: Operation, prefix: Buffer): Promise<{ entries: number; bytes: number }> {
  const total = { entries: 0, bytes: 0 };
  for (let from = prefix; ;) {
    const read = operation.engine.disk.range(from, after(prefix), false, batchSize);
    for (const { key, value } of read) total.bytes += key.length + value.length;
    total.entries += read.length;
    const last = read.at(-1);
    if (!last || read.length < batchSize) return total;
    from = Buffer.concat([last.key, Buffer.of(0)]);
    await operation.pause();
  }
}

/** The statistics of a collection. A size is the sum of the entries, without the unused part of LMDB's pages. */
async function sizes(operation: Operation, collection: Collection, scale: number): Promise<Doc> {
  const records = await measure(operation, recordsOf(collection.id));
  const indexSizes: Doc = new Map();
  let indexBytes = 0;
  for (const { id, name } of collection.indexes) {
    const { bytes } = await measure(operation, entriesOf(id));
    indexSizes.set(name, scaled(bytes, scale));
    indexBytes += bytes;
  }
  return doc({
    size: scaled(records.bytes, scale),
    count: count(records.entries),
    avgObjSize: records.entries > 0 ? count(Math.floor(records.bytes / records.entries)) : undefined,
    storageSize: scaled(records.bytes, scale),
    nindexes: collection.indexes.length,
    totalIndexSize: scaled(indexBytes, scale),
    indexSizes,
    totalSize: scaled(records.bytes + indexBytes, scale),
    capped: false,
    scaleFactor: count(scale),
  });
}

const scaled = (bytes: number, scale: number): Value => count(Math.floor(bytes / scale));

const scaleOf = (value: Maybe): number => {
  if (value === undefined) return 1;
  return isNumber(value) && toNumber(value) >= 1
    ? Math.floor(toNumber(value))
    : fail(51024, 'scale must be at least 1');
};

/** `dbStats` (manual: reference/command/dbStats). */
export async function dbStats(operation: Operation): Promise<Reply> {
  return reply(Object.fromEntries(await databaseSizes(operation, operation.database)));
}

async function databaseSizes(operation: Operation, database: string): Promise<Doc> {
  const scale = scaleOf(operation.body.get('scale'));
  const all = operation.engine.catalogue.list(database);
  const sum = { count: 0, size: 0, nindexes: 0, totalIndexSize: 0 };
  for (const collection of all) {
    const found = await sizes(operation, collection, scale);
    for (const name of ['count', 'size', 'nindexes', 'totalIndexSize'] as const) sum[name] += Number(found.get(name));
  }
  return doc({
    db: database,
    collections: all.length,
    views: 0,
    objects: count(sum.count),
    avgObjSize: sum.count > 0 ? count(Math.floor((sum.size * scale) / sum.count)) : 0,
    dataSize: count(sum.size),
    storageSize: count(sum.size),
    indexes: sum.nindexes,
    indexSize: count(sum.totalIndexSize),
    totalSize: count(sum.size + sum.totalIndexSize),
    scaleFactor: count(scale),
  });
}

/** `listDatabases` (manual: reference/command/listDatabases); sizes as in `dbStats`. */
export async function listDatabases(operation: Operation): Promise<Reply> {
  const matches = compileFilter(operation.optional('filter', isDoc) ?? noFields(), operation.env);
  const nameOnly = operation.flag('nameOnly');
  const all = operation.engine.catalogue.list().map(({ namespace }) => namespace.slice(0, namespace.indexOf('.')));
  const databases: Doc[] = [];
  let totalSize = 0;
  for (const name of [...new Set(all)].sort()) {
    const size = nameOnly ? 0 : Number((await databaseSizes(operation, name)).get('totalSize'));
    const found = doc(nameOnly ? { name } : { name, sizeOnDisk: count(size), empty: false });
    if (!matches(found)) continue;
    databases.push(found);
    totalSize += size;
  }
  return reply({ databases, totalSize: nameOnly ? undefined : count(totalSize) });
}

/** The result of the stage `$collStats`: `count` and `storageStats`; its other parts are rejected (238). */
export async function collStatsStage(operation: Operation, spec: Maybe): Promise<Doc> {
  if (!isDoc(spec)) return fail(5447000, '$collStats must take a nested object');
  const namespace = operation.namespace();
  const collection = operation.collection(namespace) ?? fail(26, `Collection [${namespace}] not found.`);
  for (const name of spec.keys())
    if (!['count', 'storageStats'].includes(name))
      fail(238, `$collStats: ${name} is not supported by the embedded store`);
  const storage = spec.get('storageStats');
  const found = await sizes(operation, collection, scaleOf(isDoc(storage) ? storage.get('scale') : undefined));
  return doc({
    ns: namespace,
    host: operation.server.address,
    localTime: new Date(),
    count: spec.has('count') ? found.get('count') : undefined,
    storageStats: storage === undefined ? undefined : found,
  });
}

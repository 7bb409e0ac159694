import { decode } from '../values/bson.js';
import { type Catalogue, type Collection } from './catalogue.js';
import { type Disk, type Entry } from './disk.js';
import { entriesFor, type Index } from './indexes.js';
import { after, entriesOf, recordIn, recordsOf } from './keys.js';

const batchSize = 1000;

/**
 * Reads everything in the data file: each document must be readable and have all its index entries, and there must be no others,
 * also none of an index that no collection has and that is not marked for removal. Returns a line for each problem.
 */
export function checkData(disk: Disk, catalogue: Catalogue): string[] {
  const problems: string[] = [];
  const known = new Set<number>();
  for (const { key } of all(disk, Buffer.from('D'))) known.add(key.readUInt32BE(1));
  for (const collection of catalogue.list()) {
    for (const { id } of collection.indexes) known.add(id);
    problems.push(...checkCollection(disk, collection));
  }
  for (let from: Buffer = Buffer.from('I'); ;) {
    const [entry] = disk.range(from, Buffer.from('J'), false, 1);
    if (!entry) return problems;
    const id = entry.key.readUInt32BE(1);
    if (!known.has(id)) problems.push(`there are entries of index ${id}, which no collection has`);
    from = after(entriesOf(id));
  }
}

function checkCollection(disk: Disk, { namespace, id, indexes }: Collection): string[] {
  const problems: string[] = [];
  const expected = new Map<Index, number>(indexes.map((index) => [index, 0]));
  for (const { key, value } of all(disk, recordsOf(id))) {
    const record = recordIn(key);
    try {
      const document = decode(value);
      for (const index of indexes) {
        const entries = [...entriesFor(index, document, record).values()];
        expected.set(index, (expected.get(index) ?? 0) + entries.length);
        for (const entry of entries)
          if (!disk.get(entry.key)?.equals(entry.value))
            problems.push(`${namespace} ${index.name}: no entry for record ${record}`);
      }
    } catch (error) {
      problems.push(`${namespace}: record ${record} cannot be read: ${error instanceof Error ? error.message : ''}`);
    }
  }
  for (const [index, count] of expected) {
    const stored = disk.count(entriesOf(index.id), after(entriesOf(index.id)));
    if (stored !== count) problems.push(`${namespace} ${index.name}: ${stored} entries instead of ${count}`);
  }
  return problems;
}

/** All entries whose keys begin with the prefix. */
function* all(disk: Disk, prefix: Buffer): Generator<Entry> {
  const end = after(prefix);
  for (let from = prefix; ;) {
    const entries = disk.range(from, end, false, batchSize);
    yield* entries;
    const last = entries.at(-1);
    if (!last || entries.length < batchSize) return;
    from = Buffer.concat([last.key, Buffer.of(0)]);
  }
}

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Opens a data directory and compares every collection with its indexes. Each document must have all its entries, and there
 * must be no others, also none of an index that no collection has and that is not marked for removal. Returns one line for
 * each problem.
 */
export async function checkDirectory(dist, path) {
  const load = (file) => import(pathToFileURL(join(dist, file)).href);
  const [{ Engine }, { entriesFor }, { decode }, { after, entriesOf, recordIn, recordsOf }] = await Promise.all([
    load('engine.js'),
    load('storage/indexes.js'),
    load('values/bson.js'),
    load('storage/keys.js'),
  ]);
  const engine = await Engine.open(path);
  const all = (prefix) => engine.disk.range(prefix, after(prefix), false, 1e9);
  const problems = [];
  const known = new Set(all(Buffer.from('D')).map(({ key }) => key.readUInt32BE(1)));
  try {
    for (const collection of engine.catalogue.list()) {
      const documents = all(recordsOf(collection.id)).map(({ key, value }) => ({
        record: recordIn(key),
        document: decode(value),
      }));
      for (const index of collection.indexes) {
        known.add(index.id);
        const stored = new Map(
          all(entriesOf(index.id)).map(({ key, value }) => [key.toString('hex'), value.toString('hex')]),
        );
        const name = `${collection.namespace} ${index.name}`;
        for (const { record, document } of documents) {
          for (const { key, value } of entriesFor(index, document, record).values()) {
            const found = stored.get(key.toString('hex'));
            if (found === undefined) problems.push(`${name}: no entry for record ${record}`);
            else if (found !== value.toString('hex'))
              problems.push(`${name}: an entry points elsewhere than to record ${record}`);
            stored.delete(key.toString('hex'));
          }
        }
        if (stored.size > 0) problems.push(`${name}: ${stored.size} entries without a document`);
      }
    }
    const end = Buffer.from('J');
    for (let from = Buffer.from('I'), entry; ([entry] = engine.disk.range(from, end, false, 1)) && entry;) {
      const id = entry.key.readUInt32BE(1);
      if (!known.has(id)) problems.push(`entries of index ${id}, which is not there`);
      from = after(entriesOf(id));
    }
  } finally {
    await engine.close();
  }
  return problems;
}

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Opens a data directory and walks every collection against its indexes: each document's entries must be there, and no
 * others. Answers what is wrong, one line each.
 */
export async function checkDirectory(dist, path) {
  const load = (file) => import(pathToFileURL(join(dist, file)).href);
  const [{ Engine }, { entriesFor }, { decode }, { after, entriesOf, recordIn, recordsOf }] = await Promise.all([
    load('engine.js'),
    load('storage/indexes.js'),
    load('values/bson.js'),
    load('storage/keys.js'),
  ]);
  const engine = new Engine(path);
  const all = (prefix) => engine.disk.range(prefix, after(prefix), false, 1e9);
  const problems = [];
  try {
    for (const collection of engine.catalogue.list()) {
      const documents = all(recordsOf(collection.id)).map(({ key, value }) => ({
        record: recordIn(key),
        document: decode(value),
      }));
      for (const index of collection.indexes) {
        const stored = new Map(
          all(entriesOf(index.id)).map(({ key, value }) => [key.toString('hex'), value.toString('hex')]),
        );
        const name = `${collection.namespace} ${index.name}`;
        for (const { record, document } of documents) {
          for (const { key, value } of entriesFor(index, document, record)) {
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
  } finally {
    await engine.close();
  }
  return problems;
}

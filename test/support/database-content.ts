import { createHash } from 'node:crypto';
import { type Document, Double, Int32, Long, MongoClient, ObjectId, Timestamp, UUID } from 'mongodb';

/** The documents of each collection, in the order of their ids, and its indexes. */
export type Content = Record<
  string,
  { readonly documents: number; readonly sha256: string; readonly indexes: readonly Document[] }
>;

export const byName = (one: Document, other: Document): number =>
  String(one['name']) < String(other['name']) ? -1 : 1;

/** Reads a database without the code of the service. */
export async function contentOf(uri: string): Promise<Content> {
  const client = await MongoClient.connect(uri);
  const content: Content = {};
  for (const { name } of await client.db().listCollections({}, { nameOnly: true }).toArray()) {
    const collection = client.db().collection(name);
    const documents = await collection.find<Buffer>({}, { raw: true }).sort({ _id: 1 }).toArray();
    const indexes = await collection.listIndexes().toArray();
    content[name] = {
      documents: documents.length,
      sha256: createHash('sha256').update(Buffer.concat(documents)).digest('hex'),
      // The order of the fields counts. An engine may add how it stores the index.
      indexes: indexes
        .map(({ storageEngine: _, key, ...index }) => ({ ...index, key: Object.entries(key as Document) }))
        .sort(byName),
    };
  }
  await client.close();
  return content;
}

/** Documents with every type that the embedded store has. */
export const everyType = (): Document[] => [
  { _id: new ObjectId(), int: new Int32(1), double: new Double(1), long: Long.fromNumber(1), date: new Date(0) },
  { _id: new ObjectId(), empty: {}, list: [], nothing: null, bytes: Buffer.from([0, 255]), when: new Timestamp(7n) },
  { _id: new ObjectId(), text: 'Größe 🎮', pattern: /^a.*b$/i, nested: { b: [{ z: true, a: -0 }], a: 1.5 } },
  { _id: new ObjectId(), uuid: new UUID() },
];

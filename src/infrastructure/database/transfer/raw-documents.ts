import { createHash } from 'node:crypto';
import { mongo } from 'mongoose';
import { TransferError } from './transfer-error.js';

/** Of the size of a message of the driver, whatever the size of a document is. */
const BATCH = 1000;

/** How many documents there are, and the SHA-256 of their bytes one after the other. */
export interface Checksum {
  readonly documents: number;
  readonly sha256: string;
}

/** Reads documents as the database stores them, batch by batch. In a transaction: as they were when it began. */
export async function* rawDocuments(
  collection: mongo.Collection,
  options: Pick<mongo.FindOptions, 'session' | 'sort'>,
): AsyncGenerator<readonly Buffer[]> {
  const cursor = collection.find<Buffer>({}, { ...options, raw: true, batchSize: BATCH });
  try {
    while (await cursor.hasNext()) yield cursor.readBufferedDocuments();
  } finally {
    await cursor.close();
  }
}

/**
 * Inserts stored documents, in their order: after an error or the end of the process, the first ones are there.
 * @throws TransferError when a document would not be stored byte for byte
 */
export async function insertRaw(collection: mongo.Collection, documents: readonly Buffer[]): Promise<void> {
  const decoded = documents.map((bytes) => decode(bytes, collection.collectionName));
  await collection.insertMany(decoded, { ordered: true, ignoreUndefined: false });
}

/** Every type of BSON has a class of its own here, so that nothing is lost, such as the difference between 1 and 1.0. */
function decode(bytes: Buffer, collectionName: string): mongo.Document {
  const document = mongo.BSON.deserialize(bytes, {
    promoteValues: false,
    promoteBuffers: false,
    bsonRegExp: true,
    validation: { utf8: false },
  });
  // JavaScript sorts fields whose names are numbers. The service stores none.
  if (!bytes.equals(mongo.BSON.serialize(document, { ignoreUndefined: false }))) {
    throw new TransferError(
      `A document of ${collectionName} has a form that this command would change (fields named like numbers, or text that is not UTF-8): use mongodump and mongorestore.`,
    );
  }
  return document;
}

/** Adds up a checksum. */
export class Checksums {
  private readonly hash = createHash('sha256');
  private documents = 0;

  add(documents: readonly Buffer[]): void {
    for (const document of documents) this.hash.update(document);
    this.documents += documents.length;
  }

  /** Ends it. */
  result(): Checksum {
    return { documents: this.documents, sha256: this.hash.digest('hex') };
  }
}

/** Reads all documents. */
export async function checksumOf(batches: AsyncIterable<readonly Buffer[]>): Promise<Checksum> {
  const checksums = new Checksums();
  for await (const documents of batches) checksums.add(documents);
  return checksums.result();
}

import { type mongo } from 'mongoose';
import { readBsonFile } from './bson-file.js';
import { createIndexes, readCollections } from './collections.js';
import { type Dump } from './dump-directory.js';
import { withProgress } from './progress.js';
import { insertRaw } from './raw-documents.js';
import { TransferError } from './transfer-error.js';
import { markFinished, markUnfinished, unfinishedCommand } from './unfinished-copy.js';

/**
 * Fills an empty database from a directory. When it was killed, it can run again.
 * @throws TransferError when the database is not empty
 */
export async function restoreDatabase(database: mongo.Db, dump: Dump): Promise<void> {
  await empty(database);
  await markUnfinished(database, 'restore');
  await fill(database, dump);
  await markFinished(database);
}

/** Removes what a restore has left that did not end. */
async function empty(database: mongo.Db): Promise<void> {
  const collections = await readCollections(database);
  if (collections.length > 0 && (await unfinishedCommand(database)) !== 'restore') {
    throw new TransferError(
      `The database is not empty (${collections.length} collections): use another DATA_DIR, or another database in MONGODB_URI.`,
    );
  }
  for (const { name } of collections) await database.dropCollection(name);
}

/** The indexes come last: to build one is faster than to maintain it, and a TTL index would remove documents meanwhile. */
async function fill(database: mongo.Db, { collections }: Dump): Promise<void> {
  for (const { name, options, file } of collections) {
    const collection = await database.createCollection(name, options);
    for await (const documents of withProgress(name, readBsonFile(file))) await insertRaw(collection, documents);
  }
  for (const info of collections) await createIndexes(database, info);
}

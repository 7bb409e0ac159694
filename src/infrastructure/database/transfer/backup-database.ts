import { mongo } from 'mongoose';
import { type CollectionInfo, readCollections, readSource } from './collections.js';
import { type WriteCollection, writeDump } from './dump-directory.js';
import { type Report, withProgress } from './progress.js';
import { type Checksum, rawDocuments } from './raw-documents.js';
import { TransferError } from './transfer-error.js';

/** What a transaction gets that has lasted too long: NoSuchTransaction, SnapshotTooOld, TransactionExceededLifetimeLimitSeconds. */
const TOO_LATE = new Set<unknown>([251, 239, 290]);

const OTHERWISE =
  'with MongoDB use mongodump --oplog, with the embedded store stop the service and copy DATA_DIR. docs/handbook/backup-and-restore.md has the commands.';

/**
 * Writes everything that a database has at one moment to a new directory, while others write to the database. One transaction reads
 * all of it, which the database ends after a minute. A snapshot session of MongoDB lasts five minutes, but the embedded store has none.
 * @throws TransferError when the directory exists, or the database ended the transaction
 */
export async function backupDatabase(client: mongo.MongoClient, directory: string, report: Report): Promise<void> {
  const database = client.db();
  const collections = await readSource(database);
  await writeDump(directory, database.databaseName, async (write) => {
    const createdAt = new Date().toISOString();
    const checksums = await readAtOneMoment(client, collections, (info, documents) =>
      write(info, withProgress(info.name, report, documents)),
    );
    await requireSame(database, collections);
    return { createdAt, collections: checksums };
  });
}

async function readAtOneMoment(
  client: mongo.MongoClient,
  collections: readonly CollectionInfo[],
  write: WriteCollection,
): Promise<Record<string, Checksum>> {
  const checksums: Record<string, Checksum> = {};
  const session = client.startSession();
  session.startTransaction({ readConcern: { level: 'snapshot' } });
  try {
    for (const info of collections) {
      const documents = rawDocuments(client.db().collection(info.name), { session });
      checksums[info.name] = await write(info, documents);
    }
    await session.abortTransaction();
    return checksums;
  } catch (error) {
    const problem = endOfTransaction(error);
    throw problem === null ? error : new TransferError(problem, { cause: error });
  } finally {
    await session.endSession();
  }
}

/** Why the database ended the transaction, and what to do; null: the error has another reason. */
function endOfTransaction(error: unknown): string | null {
  if (!(error instanceof mongo.MongoServerError)) return null;
  if (TOO_LATE.has(error.code)) {
    return `The backup took longer than a transaction of the database may last (a minute), and was deleted: ${OTHERWISE}`;
  }
  // Of a transaction that only reads: WriteConflict when the cache is full, and what a member reports that is no longer the primary.
  if (!error.hasErrorLabel('TransientTransactionError')) return null;
  return `The database ended the transaction of the backup (${error.message}), as it does when its cache is full or another member becomes the primary. The backup was deleted: run the command again. If that fails too, ${OTHERWISE}`;
}

/** No transaction can read the list of collections. */
async function requireSame(database: mongo.Db, collections: readonly CollectionInfo[]): Promise<void> {
  const names = (infos: readonly CollectionInfo[]): string => infos.map(({ name }) => name).join();
  if (names(await readCollections(database)) === names(collections)) return;
  throw new TransferError('A collection was created or removed meanwhile, as an upgrade does: run the command again.');
}

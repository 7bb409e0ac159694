import { type mongo } from 'mongoose';
import { MIGRATIONS } from '../migrations/all-migrations.js';
import { APPLIED_MIGRATIONS, type AppliedMigration } from '../migrations/migration.types.js';
import { newerMigration, schemaState } from '../migrations/schema-state.js';
import { readBsonFile } from './bson-file.js';
import { createIndexes, readCollections } from './collections.js';
import { type Dump, readDocuments } from './dump-directory.js';
import { type Report, withProgress } from './progress.js';
import { insertRaw } from './raw-documents.js';
import { TransferError } from './transfer-error.js';
import { markFinished, markUnfinished, unfinishedCommand } from './unfinished-transfer.js';

/**
 * Fills an empty database from a directory. When it was killed, it can run again.
 * @throws TransferError when the database is not empty, or a newer version made the backup
 */
export async function restoreDatabase(database: mongo.Db, dump: Dump, report: Report): Promise<void> {
  await requireKnownSchema(dump);
  await empty(database);
  await markUnfinished(database, 'restore');
  report('Restoring');
  await fill(database, dump, report);
  await markFinished(database);
}

/** An older version is no problem: a start says what to run. */
async function requireKnownSchema(dump: Dump): Promise<void> {
  const applied = await readDocuments<AppliedMigration>(dump, APPLIED_MIGRATIONS);
  const newer = newerMigration(schemaState(applied, MIGRATIONS));
  if (newer === null) return;
  throw new TransferError(
    `A newer version made the backup (migration ${newer._id}, ${newer.name}): restore it with that version.`,
  );
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
async function fill(database: mongo.Db, { collections }: Dump, report: Report): Promise<void> {
  for (const { name, options, file } of collections) {
    const collection = await database.createCollection(name, options);
    for await (const documents of withProgress(name, report, readBsonFile(file)))
      await insertRaw(collection, documents);
  }
  for (const info of collections) await createIndexes(database, info, report);
}

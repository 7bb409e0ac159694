import { type mongo } from 'mongoose';
import { withDurableClient } from '../durable.js';
import { requireFinished } from '../transfer/unfinished-transfer.js';
import { underMigrationLock } from './migration-lock.js';
import { APPLIED_MIGRATIONS, type AppliedMigration, type Migration } from './migration.types.js';
import { type SchemaState, schemaState } from './schema-state.js';

/** Reads which migrations a database has. */
export async function readSchemaState(database: mongo.Db, migrations: readonly Migration[]): Promise<SchemaState> {
  return schemaState(await recordsOf(database).find().sort({ _id: 1 }).toArray(), migrations);
}

/**
 * Runs the migrations that a database does not have yet, one after the other, and records each. Of several processes one runs them
 * and the others wait. It can be killed and repeated: a migration that is not recorded runs again from its beginning.
 * @param report gets the progress, line by line
 */
export async function migrate(
  database: mongo.Db,
  migrations: readonly Migration[],
  report: (line: string) => void,
): Promise<void> {
  if ((await readSchemaState(database, migrations)).pending.length === 0) return;
  const waiting = (): void => {
    report('Waiting: another process migrates the database, or was killed while it did');
  };
  await underMigrationLock(database, waiting, async (signal) => {
    // Read again: another process may have migrated meanwhile.
    const { pending } = await readSchemaState(database, migrations);
    for (const { id, name, phase, run } of pending) {
      report(`Migration ${id}, ${name}`);
      await run({ database, signal, report });
      signal.throwIfAborted();
      await recordsOf(database).insertOne({ _id: id, name, phase, appliedAt: new Date() });
    }
  });
}

/**
 * As `migrate`, on the database of a connection string.
 * @throws ConfigurationError when the database is an unfinished copy: the command that fills it would mix both
 */
export function migrateAt(
  uri: string,
  migrations: readonly Migration[],
  report: (line: string) => void,
): Promise<void> {
  return withDurableClient(uri, async (client) => {
    const database = client.db();
    await requireFinished(database);
    await migrate(database, migrations, report);
  });
}

const recordsOf = (database: mongo.Db): mongo.Collection<AppliedMigration> => database.collection(APPLIED_MIGRATIONS);

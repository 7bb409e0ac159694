import mongoose, { type Connection, type Model, type Schema } from 'mongoose';
import { type AppConfig } from '../../src/infrastructure/config/app-config.js';
import { setQueryDefaults } from '../../src/infrastructure/database/query-defaults.js';
import { type Transaction, Transactions } from '../../src/infrastructure/database/transactions.js';
import { testDatabaseUri } from './test-database.js';

// A slow machine must not fail a spec.
const SLOW = 30;
setQueryDefaults(SLOW);

/** An empty database of a real store, for specs of repositories. */
export interface TestStore {
  readonly connection: Connection;
  /** The commands that were sent since a spec emptied the list. Only with `watchCommands`. */
  readonly commands: Record<string, unknown>[];
  /** Runs work in a transaction that commits. */
  commit<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /** Runs work in a transaction that is rolled back. What it wrote outside of the transaction stays. */
  rollBack(work: (transaction: Transaction) => Promise<unknown>): Promise<void>;
  close(): Promise<void>;
}

/** @param databaseUri to share the database of a process */
export async function openTestStore(
  databaseUri = testDatabaseUri(),
  { watchCommands = false } = {},
): Promise<TestStore> {
  const options = { autoIndex: false, autoCreate: false, monitorCommands: watchCommands };
  const connection = await mongoose.createConnection(databaseUri, options).asPromise();
  const commands: Record<string, unknown>[] = [];
  connection.getClient().on('commandStarted', ({ command }) => commands.push(command as Record<string, unknown>));
  // The database exists before a spec writes. The second engine rejects one of two writes that both create a database.
  await connection.createCollection('existing');
  const transactions = new Transactions(connection, { timeLimitFactor: SLOW } as AppConfig);
  return {
    connection,
    commands,
    commit: (work) => transactions.run(work),
    rollBack: async (work) => {
      const done = new Error('the work is done');
      const run = transactions.run(async (transaction) => {
        await work(transaction);
        throw done;
      });
      await run.catch((error: unknown) => {
        if (error !== done) throw error;
      });
    },
    close: async () => {
      await connection.dropDatabase();
      await connection.close();
    },
  };
}

/** A model with its indexes, as the start of the service leaves it. */
export async function openModel<Item>(
  connection: Connection,
  name: string,
  schema: Schema<Item>,
): Promise<Model<Item>> {
  const model = connection.model<Item>(name, schema);
  await model.createIndexes();
  return model;
}

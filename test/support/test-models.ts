import mongoose, { type Connection, type Model, type Schema } from 'mongoose';
import { setQueryDefaults } from '../../src/database/query-defaults.js';
import { Transactions } from '../../src/database/transactions.js';
import { testDatabaseUri } from './test-database.js';

/** A database without a service, for the spec of one repository. */
export interface TestModels {
  /** The model of a schema, with its indexes. */
  model<Record>(name: string, schema: Schema<Record>): Promise<Model<Record>>;
  readonly transactions: Transactions;
  /** Drops the database. */
  close(): Promise<void>;
}

/** Connects to an empty database, with the query settings of the service. */
export async function openTestModels(): Promise<TestModels> {
  setQueryDefaults();
  const options = { autoIndex: false, autoCreate: false, writeConcern: { w: 'majority' } } as const;
  const connection: Connection = await mongoose.createConnection(testDatabaseUri(), options).asPromise();
  return {
    model: async <Record>(name: string, schema: Schema<Record>) => {
      const model = connection.model<Record>(name, schema);
      await model.createIndexes();
      return model;
    },
    transactions: new Transactions(connection),
    close: async () => {
      await connection.dropDatabase();
      await connection.close();
    },
  };
}

import { type Db, MongoClient, ObjectId } from 'mongodb';
import { type TestApp } from './test-app.js';

/** The stored data of an application, for what the API does not show, and for changing times. */
export interface Records {
  readonly client: MongoClient;
  readonly db: Db;
  /** How many documents each collection has. */
  counts(): Promise<Record<string, number>>;
  close(): Promise<void>;
}

/** Opens the database of an application next to it. */
export async function recordsOf({ databaseUri }: Pick<TestApp, 'databaseUri'>): Promise<Records> {
  const client = await new MongoClient(databaseUri).connect();
  const db = client.db();
  return {
    client,
    db,
    counts: async () => {
      const collections = await db.listCollections({}, { nameOnly: true }).toArray();
      const names = collections.map(({ name }) => name).sort();
      const entries: [string, number][] = [];
      for (const name of names) entries.push([name, await db.collection(name).countDocuments()]);
      return Object.fromEntries(entries);
    },
    close: () => client.close(),
  };
}

/** The fields of an order whose time to pay is over. */
export const OVERDUE = { expiresAt: new Date(0), expiryDueAt: new Date(0) };

export const idOf = (hex: string): ObjectId => new ObjectId(hex);

/** What is left of the uses of a discount, or of the units of a product: the sum of the shards (`ShardedCounters`). */
export async function leftOf(db: Db, subjectId: string | ObjectId): Promise<number> {
  const shards = await db
    .collection('counter_shards')
    .find({ subjectId: new ObjectId(subjectId) })
    .toArray();
  return shards.reduce((sum, { left }) => sum + Number(left), 0);
}

import { type Db, MongoClient } from 'mongodb';
import { type TestApp } from './test-app.js';

/** Looks into (or reaches into) an application's database: for what no endpoint shows, or no endpoint does yet. */
export async function inDatabase<Result>(
  { databaseUri }: Pick<TestApp, 'databaseUri'>,
  work: (database: Db) => Promise<Result>,
): Promise<Result> {
  const client = await MongoClient.connect(databaseUri);
  try {
    return await work(client.db());
  } finally {
    await client.close();
  }
}

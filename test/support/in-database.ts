import { type Db } from 'mongodb';
import { recordsOf } from './records.js';
import { type TestApp } from './test-app.js';

/** Reads or changes an application's database once: for what no endpoint shows or does. */
export async function inDatabase<Result>(
  app: Pick<TestApp, 'databaseUri'>,
  work: (database: Db) => Promise<Result>,
): Promise<Result> {
  const records = await recordsOf(app);
  try {
    return await work(records.db);
  } finally {
    await records.close();
  }
}

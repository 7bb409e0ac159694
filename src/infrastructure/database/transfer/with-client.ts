import { type mongo } from 'mongoose';
import { withDurableClient } from '../durable.js';
import { type Database } from '../open-database.js';
import { requireReachable } from '../reachable.js';

/**
 * Runs work with a client of an open database, and closes both. Its commands may take as long as they need. A write is on the disk of a
 * majority.
 * @param setting names the connection string in errors
 */
export async function withClient<Result>(
  database: Database,
  setting: string,
  work: (client: mongo.MongoClient) => Promise<Result>,
): Promise<Result> {
  try {
    await requireReachable(database.uri, setting);
    return await withDurableClient(database.uri, work);
  } finally {
    await database.close();
  }
}

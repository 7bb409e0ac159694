import { mongo } from 'mongoose';
import { endCommandsOfClosedSockets } from './closed-sockets.js';

/** A write counts when a majority of the replica set has it on disk. */
export const DURABLE: mongo.MongoClientOptions = {
  retryWrites: true,
  readConcernLevel: 'majority',
  writeConcern: { w: 'majority', journal: true },
  appName: 'shop-platform',
};

/** Runs work with a client of its own, which is closed afterwards. Its commands may take as long as they need. */
export async function withDurableClient<Result>(
  uri: string,
  work: (client: mongo.MongoClient) => Promise<Result>,
): Promise<Result> {
  endCommandsOfClosedSockets();
  const client = new mongo.MongoClient(uri, DURABLE);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

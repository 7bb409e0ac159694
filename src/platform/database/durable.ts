import { type mongo } from 'mongoose';

/** A write counts when a majority of the replica set has it on disk. */
export const DURABLE: mongo.MongoClientOptions = {
  retryWrites: true,
  readConcernLevel: 'majority',
  writeConcern: { w: 'majority', journal: true },
  appName: 'shop-platform',
};

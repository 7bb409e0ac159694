import { type Connection } from 'mongoose';
import { Batches } from '../common/concurrency/batches.js';

const batches = new WeakMap<Connection, Batches>();

/** What gathers the reads and writes of a connection that may share a command. */
export function batchesOf(connection: Connection): Batches {
  const ofConnection = batches.get(connection) ?? new Batches();
  batches.set(connection, ofConnection);
  return ofConnection;
}

import { join } from 'node:path';
import { ConfigurationError } from '../config/environment.js';
import { startEmbeddedStore } from '@shop-platform/embedded-mongodb';

/** A database to connect to. */
export interface Database {
  /** Connection string of a replica set. */
  readonly uri: string;
  /** Stops what was started for this process; a server of somebody else's is left alone. */
  close(): Promise<void>;
}

/**
 * Opens the database that the configuration names: the embedded store in the data directory, or a MongoDB replica set.
 * From here on nobody can tell which of the two it is.
 */
export async function openDatabase(mongodbUri: string, dataDir: string): Promise<Database> {
  if (mongodbUri !== 'embedded') return { uri: mongodbUri, close: () => Promise.resolve() };
  try {
    return await startEmbeddedStore({ path: join(dataDir, 'store') });
  } catch (error) {
    // A directory that is in use, read-only or of another make: for whoever set DATA_DIR to mend.
    throw new ConfigurationError(`DATA_DIR: ${(error as Error).message}`, { cause: error });
  }
}

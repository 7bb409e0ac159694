import { join } from 'node:path';
import { ConfigurationError } from '../config/environment.js';
import { servedStoreUri, startEmbeddedStore } from '@shop-platform/embedded-mongodb';

/** A database to connect to. */
export interface Database {
  /** Connection string of a replica set. */
  readonly uri: string;
  /** Why the embedded store of this process has ended by itself. Never resolves for a server of somebody else. */
  readonly failure: Promise<Error>;
  /** Stops what was started for this process. A server of somebody else keeps running. */
  close(): Promise<void>;
}

/**
 * Opens the database that the configuration names: the embedded store in the data directory, or a MongoDB replica set.
 * The rest of the code works the same with both.
 */
export async function openDatabase(mongodbUri: string, dataDir: string): Promise<Database> {
  if (mongodbUri !== 'embedded') return ofSomebodyElse(mongodbUri);
  try {
    return await startEmbeddedStore({ path: join(dataDir, 'store') });
  } catch (error) {
    // The directory is in use, read-only or from another version: the operator must change DATA_DIR.
    throw new ConfigurationError(`DATA_DIR: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * As `openDatabase`, for the command line: when a service has opened the embedded store already, this uses it through that
 * service. So a command can run while the service runs.
 */
export async function joinDatabase(mongodbUri: string, dataDir: string): Promise<Database> {
  if (mongodbUri === 'embedded') {
    const uri = await servedStoreUri(join(dataDir, 'store'));
    if (uri !== undefined) return ofSomebodyElse(uri);
  }
  return openDatabase(mongodbUri, dataDir);
}

function ofSomebodyElse(uri: string): Database {
  return { uri, failure: new Promise(() => undefined), close: () => Promise.resolve() };
}

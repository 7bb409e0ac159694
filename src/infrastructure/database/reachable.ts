import { mongo } from 'mongoose';
import { ConfigurationError } from '../config/environment.js';
import { SECOND_MS } from '../../lib/time/durations.js';
import { requireConnectionString } from './connection-string.js';

const TIME_LIMIT_MS = 5 * SECOND_MS;

/**
 * Connects once. A service waits for its database for minutes; a person at a terminal wants to know at once.
 * @param setting names the connection string in errors
 * @throws ConfigurationError when the database does not respond within 5 s
 */
export async function requireReachable(uri: string, setting = 'MONGODB_URI'): Promise<void> {
  requireConnectionString(uri, setting);
  const client = new mongo.MongoClient(uri, {
    serverSelectionTimeoutMS: TIME_LIMIT_MS,
    connectTimeoutMS: TIME_LIMIT_MS,
  });
  try {
    await client.db().command({ ping: 1 });
  } catch (error) {
    // Hosts and ports, no password.
    throw new ConfigurationError(`${setting}: the database cannot be reached: ${(error as Error).message}`, {
      cause: error,
    });
  } finally {
    await client.close();
  }
}

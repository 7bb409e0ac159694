import { mongo } from 'mongoose';
import { ConfigurationError } from '../config/environment.js';

/**
 * Checks a connection string, and connects to nothing. Without the check, a wrong one would be retried like a database that is
 * down.
 * @param setting names the connection string in errors
 * @throws ConfigurationError when the driver cannot read it
 */
export function requireConnectionString(uri: string, setting = 'MONGODB_URI'): void {
  try {
    new mongo.MongoClient(uri);
  } catch {
    // The driver's own words can contain a part of the password.
    const hint =
      'write special characters of the user name and the password as %40, and check the port and the options';
    throw new ConfigurationError(`${setting} is not a MongoDB connection string: ${hint}`);
  }
}

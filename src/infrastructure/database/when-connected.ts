import { type Connection } from 'mongoose';
import { ConfigurationError } from '../config/environment.js';

/**
 * Waits until a new connection has reached its database.
 * @throws ConfigurationError with the hosts and the reason, in one line and without the password
 */
export async function whenConnected(connection: Connection): Promise<Connection> {
  try {
    return await connection.asPromise();
  } catch (error) {
    const { srvHost, hosts } = connection.getClient().options;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError(`MONGODB_URI: ${srvHost ?? hosts.join(', ')} cannot be reached (${reason})`, {
      cause: error,
    });
  }
}

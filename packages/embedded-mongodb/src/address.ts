import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const maxSocketPath = 100; // the system's limit is 104 (macOS) or 108 (Linux) bytes

/** The socket in the data directory, or one in the system's temporary directory where that path is too long. */
export function socketPath(directory: string): string {
  const inside = join(directory, 'store.sock');
  if (Buffer.byteLength(inside) <= maxSocketPath) return inside;
  return join(tmpdir(), `store-${createHash('sha256').update(directory).digest('hex').slice(0, 16)}.sock`);
}

/**
 * The connection string of the store that another process serves from a data directory, so that a second process can read and
 * write too; `undefined` when no process does. A store on a port (also each one on Windows) is not found.
 */
export async function servedStoreUri(path: string): Promise<string | undefined> {
  const socket = socketPath(resolve(path));
  const isServed = await new Promise<boolean>((settle) => {
    const connection = connect(socket, () => {
      connection.destroy();
      settle(true);
    });
    connection.once('error', () => settle(false));
  });
  return isServed ? `mongodb://${encodeURIComponent(socket)}/?directConnection=true` : undefined;
}

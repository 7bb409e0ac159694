import { connect, type Socket } from 'node:net';
import { type Gate, gateTo } from '../support/gate.js';

/** A proxy in front of the database. */
export interface DatabaseGate extends Gate {
  /** Connection string through the proxy. */
  readonly uri: string;
}

/**
 * Starts a proxy in front of a database server.
 * @param delayMs how much later everything arrives, in each direction
 */
export async function databaseGate(databaseUri: string, { delayMs = 0 } = {}): Promise<DatabaseGate> {
  const [, server = '', database = ''] = /^mongodb:\/\/([^/?]+)\/([^?]*)/.exec(databaseUri) ?? [];
  const host = decodeURIComponent(server);
  const connectToServer = (): Socket => {
    if (host.startsWith('/')) return connect(host);
    const { hostname, port } = new URL(`http://${host}`);
    return connect(Number(port), hostname);
  };
  const gate = await gateTo(connectToServer);
  gate.delay(delayMs);
  // A direct connection: otherwise the driver would connect to the address that the server announces.
  return { ...gate, uri: `mongodb://127.0.0.1:${gate.port}/${database}?directConnection=true` };
}

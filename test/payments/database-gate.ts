import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** A proxy in front of the database that a test can close or stall. */
export interface DatabaseGate {
  /** Connection string through the proxy. */
  readonly uri: string;
  /** Closes every connection and accepts no new one. */
  shut(): void;
  /** Passes nothing on, as a network that loses every packet: connections stay open, and new ones get no response. */
  stall(): void;
  /** Ends `shut` and `stall`. Connections from before `stall` are closed, because what they sent is lost. */
  open(): void;
  close(): Promise<void>;
}

/** Passes on each chunk after a delay, in order. */
const delayed = (delayMs: number): Transform =>
  new Transform({
    transform(chunk, _encoding, done) {
      setTimeout(() => this.push(chunk), delayMs);
      done();
    },
    flush: (done) => void setTimeout(done, delayMs),
  });

/**
 * Starts a proxy in front of a database server.
 * @param delayMs how much later everything arrives, in each direction
 */
export async function databaseGate(databaseUri: string, { delayMs = 0 } = {}): Promise<DatabaseGate> {
  const [, server = '', database = ''] = /^mongodb:\/\/([^/?]+)\/([^?]*)/.exec(databaseUri) ?? [];
  const host = decodeURIComponent(server);
  const sockets = new Set<Socket>();
  let isOpen = true;
  let isStalled = false;
  const reach = (): Socket => {
    if (host.startsWith('/')) return connect(host);
    const { hostname, port } = new URL(`http://${host}`);
    return connect(Number(port), hostname);
  };
  const gate = createServer((client) => {
    if (!isOpen) return client.destroy();
    if (isStalled) {
      sockets.add(client.on('error', () => client.destroy()));
      return client;
    }
    const onward = reach();
    for (const socket of [client, onward]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.once('close', () => sockets.delete(socket));
    }
    client.once('close', () => onward.destroy());
    onward.once('close', () => client.destroy());
    return client.pipe(delayed(delayMs)).pipe(onward).pipe(delayed(delayMs)).pipe(client);
  });
  gate.listen(0, '127.0.0.1');
  await once(gate, 'listening');
  const breakAll = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    // A direct connection: otherwise the driver would connect to the address that the server announces.
    uri: `mongodb://127.0.0.1:${(gate.address() as AddressInfo).port}/${database}?directConnection=true`,
    shut: () => {
      isOpen = false;
      breakAll();
    },
    stall: () => {
      isStalled = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    open: () => {
      if (isStalled) breakAll();
      isOpen = true;
      isStalled = false;
    },
    close: async () => {
      breakAll();
      gate.close();
      await once(gate, 'close');
    },
  };
}

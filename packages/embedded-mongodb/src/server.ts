import { rmSync } from 'node:fs';
import { createServer, type Server as NetServer, type Socket } from 'node:net';
import { resolve } from 'node:path';
import { socketPath } from './address.js';
import { setName } from './commands/basics.js';
import { Cursors } from './commands/cursors.js';
import { type FailPoints } from './commands/failpoints.js';
import { type Server } from './commands/operation.js';
import { Running } from './commands/running.js';
import { Engine } from './engine.js';
import { Housekeeping } from './housekeeping.js';
import { Connection } from './protocol/connection.js';

/** The options of a store. */
export interface StoreOptions {
  /** The data directory; it is created when it doesn't exist. */
  readonly path: string;
  /** Serve on loopback TCP, on this port (0: any free one), instead of a Unix socket in the directory. */
  readonly port?: number | undefined;
  /** How often expired documents (TTL indexes) are removed, in ms; a minute, as MongoDB does, when not given. */
  readonly expireEveryMs?: number | undefined;
}

/** The store in this thread: the opened directory and the socket that serves it. */
export class StoreServer {
  private readonly connections = new Set<Socket>();
  private readonly net: NetServer;
  private lastConnection = 0;
  private closing: Promise<void> | undefined;

  private constructor(
    private readonly server: Server,
    private readonly housekeeping: Housekeeping,
  ) {
    this.net = createServer((socket) => this.accept(socket));
  }

  /** Opens the directory and listens. Throws when the directory is in use or can't be used, or the port is taken. Only tests give it fail points. */
  static async start(options: StoreOptions, failPoints?: FailPoints): Promise<StoreServer> {
    const engine = await Engine.open(resolve(options.path));
    const cursors = new Cursors();
    const server: Server = {
      engine,
      cursors,
      failPoints,
      running: new Running(),
      address: '',
    };
    const store = new StoreServer(server, new Housekeeping(engine, cursors, options.expireEveryMs));
    try {
      await store.listen(options.port);
    } catch (error) {
      await store.close();
      throw error;
    }
    return store;
  }

  /** The connection string for the stock driver. */
  get uri(): string {
    const { address } = this.server;
    const host = address.startsWith('/') ? encodeURIComponent(address) : address;
    return `mongodb://${host}/?replicaSet=${setName}&directConnection=true`;
  }

  private async listen(port: number | undefined): Promise<void> {
    const tcp = port !== undefined || process.platform === 'win32';
    const path = tcp ? '' : socketPath(this.server.engine.directory);
    if (!tcp) rmSync(path, { force: true }); // we own the directory, so a socket that is there is a dead process's
    await new Promise<void>((listening, failed) => {
      this.net.once('error', failed);
      if (tcp) this.net.listen(port ?? 0, '127.0.0.1', listening);
      else this.net.listen(path, listening);
    });
    const address = this.net.address();
    this.server.address = typeof address === 'object' && address ? `127.0.0.1:${address.port}` : path;
  }

  private accept(socket: Socket): void {
    this.connections.add(socket);
    socket.once('close', () => this.connections.delete(socket));
    new Connection(this.server, socket, ++this.lastConnection);
  }

  /** Closes all connections, finishes the writes under way and closes the directory. */
  close(): Promise<void> {
    return (this.closing ??= this.shut());
  }

  private async shut(): Promise<void> {
    this.housekeeping.stop();
    this.server.cursors.close();
    const closed = new Promise<void>((done) => this.net.close(() => done()));
    for (const socket of this.connections) socket.destroy();
    if (this.net.listening || this.connections.size > 0) await closed;
    await this.server.engine.close();
  }
}

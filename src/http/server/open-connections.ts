import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export interface OpenConnection {
  readonly socket: Socket;
  /** Whose connection it is; null for a proxy, which has the connections of many clients. */
  readonly client: string | null;
  /** The requests whose responses are not sent yet. */
  readonly exchanges: Set<Exchange>;
}

/** The open connections, all of them and those of each client. The one whose latest request or response is the oldest comes first. */
export class OpenConnections {
  readonly all = new Map<Socket, OpenConnection>();
  private readonly byClient = new Map<string, Map<Socket, OpenConnection>>();

  get(socket: Socket): OpenConnection | undefined {
    return this.all.get(socket);
  }

  /** The connections of a client; none for a proxy. */
  of(client: string | null): ReadonlyMap<Socket, OpenConnection> {
    return (client === null ? undefined : this.byClient.get(client)) ?? new Map();
  }

  add(connection: OpenConnection): void {
    const { socket, client } = connection;
    this.all.set(socket, connection);
    if (client === null) return;
    const ofClient = this.byClient.get(client) ?? new Map<Socket, OpenConnection>();
    this.byClient.set(client, ofClient.set(socket, connection));
  }

  delete({ socket, client }: OpenConnection): void {
    this.all.delete(socket);
    if (client === null) return;
    const ofClient = this.byClient.get(client);
    ofClient?.delete(socket);
    if (ofClient?.size === 0) this.byClient.delete(client);
  }

  /** Puts an open connection last, because a request of it has begun or ended. */
  renew(connection: OpenConnection): void {
    if (!this.all.has(connection.socket)) return;
    this.delete(connection);
    this.add(connection);
  }
}

import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { ERROR_CATALOGUE, type ErrorCode } from '../../domain/errors/error-catalogue.js';
import { errorEnvelope } from '../../domain/errors/error-envelope.js';
import { API_PREFIX } from '../addresses/api-prefix.js';
import { SECOND_MS } from '../../lib/time/durations.js';
import { connectionLimit } from './connection-limit.js';
import { type MessageClasses } from './express-messages.js';
import { type Exchange, type OpenConnection, OpenConnections } from './open-connections.js';
import { readableTarget } from './request-target.js';

/** A client that is slow, or never finishes, loses its connection; other clients are not affected. */
const SERVER_OPTIONS = {
  headersTimeout: 15 * SECOND_MS,
  requestTimeout: 20 * SECOND_MS,
  // How often Node checks the two limits above. With its default of 30 s, a limit of 15 s could become 45 s.
  connectionsCheckingInterval: SECOND_MS,
  // Longer than the 60 s of common load balancers, so that they close idle connections, not we.
  keepAliveTimeout: 65 * SECOND_MS,
  // Our own check (request-head.middleware.ts) returns the error envelope.
  requireHostHeader: false,
} as const;

/** How long a connection may stand still while we wait for its client to take a response. Longer than any handler works. */
const STALL_MS = 30 * SECOND_MS;
/** How long a client has to read our last response and to close a connection that we have closed. */
const LINGER_MS = 2 * SECOND_MS;
/** Requests of one connection whose responses are not sent yet. Clients that do not pipeline have one. */
const MAX_REQUESTS_IN_FLIGHT = 16;
/** How many turns of the event loop the server waits for one without a new connection before it stops listening. */
const MOST_TURNS = 200;
/** Hardly any connection comes within a turn as short as this. */
const SHORT_TURN_MS = 1;

const CODES: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'head_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** How many connections there may be in all, and of one client. */
export interface ConnectionLimits {
  readonly most: () => number;
  readonly mostOfClient: number;
}

/** A client may be the network of a school, or of a provider. A browser has at most six connections. */
const LIMITS: ConnectionLimits = { most: connectionLimit(), mostOfClient: 1_000 };

/**
 * The HTTP server and its connections (README.md says what Node lacks). No client can hold a connection, or use up the connections of others:
 *
 * - A request must arrive in time, and its response must be taken in time. Otherwise the connection is closed.
 * - A connection that we close is destroyed, even when its client never closes its side. Before that the client has two
 *   seconds to read the response, because destroying a connection at once can take away what the client has not read yet.
 * - A connection may have 16 requests in flight. One more request closes it.
 * - When there are too many connections, a new one replaces the one that has waited for its client for the longest. Only
 *   connections whose request we work on are kept. A client that has too many replaces its own.
 */
export class Connections {
  readonly server: Server;
  private readonly open = new OpenConnections();
  /** How many bytes each idle connection had sent when its last response was taken. */
  private readonly bytesWhenIdle = new WeakMap<Socket, number>();
  /** How many connections were accepted so far. */
  private accepted = 0;
  private stopping = false;
  private closed: Promise<void> | undefined;

  /**
   * @param timeLimitFactor multiplies the time that a connection may stand still, as it does the time of the handlers
   * @param clientOf the client whose connection it is; null for a proxy, which has the connections of many clients
   * @param classes of the requests and responses; Node's own when empty
   */
  constructor(
    private readonly handle: RequestListener,
    timeLimitFactor: number,
    private readonly clientOf: (socket: Socket) => string | null,
    classes: MessageClasses = {},
    private readonly limits = LIMITS,
  ) {
    this.server = createServer({ ...SERVER_OPTIONS, ...classes });
    this.server.timeout = STALL_MS * timeLimitFactor;
    // `close` of the server calls it too. Node's own version destroys connections whose response is still on its way.
    this.server.closeIdleConnections = () => {
      this.closeIdle();
    };
    const serve = (request: IncomingMessage, response: ServerResponse): void => {
      this.serve({ request, response });
    };
    this.server
      .on('connection', (socket: Socket) => {
        this.add(socket);
      })
      .on('request', serve)
      // `Expect` with anything but 100-continue: our own check rejects it.
      .on('checkExpectation', serve)
      .on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
        this.reject(error, socket);
      });
  }

  /** How many connections are open. */
  get count(): number {
    return this.open.all.size;
  }

  /** From now on each response closes its connection, so that clients and proxies send their next request elsewhere. */
  closeAfterResponses(): void {
    this.stopping = true;
    for (const { exchanges } of this.open.all.values()) {
      for (const { response } of exchanges) if (!response.headersSent) closeAfter(response);
    }
  }

  /** Stops listening, and closes idle connections. Resolves when the last connection has ended. */
  close(): Promise<void> {
    return (this.closed ??= this.acceptWaiting().then(
      () => new Promise((resolve) => this.server.close(() => resolve())),
    ));
  }

  /** Destroys the connections that wait for their clients: those without a request, half-sent requests, responses that nobody reads. */
  destroyWaiting(): void {
    for (const { socket, exchanges } of this.open.all.values()) if (waitsForClient(exchanges)) socket.destroy();
  }

  destroyAll(): void {
    for (const socket of this.open.all.keys()) socket.destroy();
  }

  /**
   * Waits until hardly any connection can wait to be accepted: the system resets those that wait when the server closes. Node accepts one of
   * them in each turn of the event loop (https://github.com/libuv/libuv/pull/3696).
   */
  private async acceptWaiting(): Promise<void> {
    let isQuiet = false;
    // The rest of this turn accepts none.
    await setImmediate();
    for (let turn = 0; turn < MOST_TURNS && !isQuiet; turn++) {
      const [before, began] = [this.accepted, performance.now()];
      await setImmediate();
      isQuiet = this.accepted === before && performance.now() - began < SHORT_TURN_MS;
    }
  }

  private add(socket: Socket): void {
    this.accepted += 1;
    const client = this.clientOf(socket);
    if (!this.hasRoomFor(client)) {
      socket.destroy();
      return;
    }
    const connection = { socket, client, exchanges: new Set<Exchange>() };
    this.open.add(connection);
    socket.once('close', () => {
      this.open.delete(connection);
    });
    // Node calls it after the last response of a connection. Its own version leaves the client no time to read.
    socket.destroySoon = () => {
      closeGently(socket);
    };
  }

  /**
   * Closes the connections whose last response is sent, and that have no beginning of another request. The first request of a new
   * connection may have come already: it is read one turn of the event loop later than the connection is accepted.
   */
  private closeIdle(): void {
    for (const { socket, exchanges } of this.open.all.values()) {
      if (exchanges.size === 0 && socket.bytesRead === this.bytesWhenIdle.get(socket)) socket.destroy();
    }
  }

  private hasRoomFor(client: string | null): boolean {
    const ofClient = this.open.of(client);
    if (ofClient.size >= this.limits.mostOfClient) return this.makeRoom(ofClient);
    return this.open.all.size < this.limits.most() || this.makeRoom(this.open.all);
  }

  /** Closes the first of some connections that waits for its client. @returns false when none does */
  private makeRoom(connections: ReadonlyMap<Socket, OpenConnection>): boolean {
    for (const connection of connections.values()) {
      if (!waitsForClient(connection.exchanges)) continue;
      connection.socket.destroy();
      this.open.delete(connection);
      return true;
    }
    return false;
  }

  private serve(exchange: Exchange): void {
    const { request, response } = exchange;
    const { socket } = request;
    const connection = this.open.get(socket);
    // What still comes on a connection that we have closed, or came with the bytes for which we destroyed it.
    if (connection === undefined || socket.writableEnded || socket.destroyed) return;
    const { exchanges } = connection;
    if (exchanges.size >= MAX_REQUESTS_IN_FLIGHT) {
      socket.destroy();
      return;
    }
    exchanges.add(exchange);
    response.once('close', () => {
      exchanges.delete(exchange);
      this.bytesWhenIdle.set(socket, socket.bytesRead);
      // Its client waited for us until now, and not we for the client.
      this.open.renew(connection);
    });
    this.open.renew(connection);
    if (this.stopping) closeAfter(response);
    const target = readableTarget(request.url ?? '');
    if (target === null) {
      refuse(response, 'request_not_http');
      return;
    }
    request.url = target;
    this.handle(request, response);
  }

  /** Sends the error envelope for what Node rejects before any of our code runs: oversized headers, invalid HTTP, slow requests. */
  private reject(error: NodeJS.ErrnoException, socket: Socket): void {
    // We have closed it already; what still comes is dropped.
    if (socket.writableEnded) return;
    const exchanges = [...(this.open.get(socket)?.exchanges ?? [])];
    const last = exchanges.at(-1);
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else if (last === undefined) closeGently(socket, responseTo(error));
    else if (last.response.headersSent) socket.destroySoon();
    // The requests before it get their responses first.
    else if (last.request.complete) closeAfter(last.response);
    else if (exchanges.length > 1) socket.destroy();
    else closeGently(socket, responseTo(error));
  }
}

/** Whether the connection waits for its client: to complete the request, or to take the response, or more of a file. */
function waitsForClient(exchanges: ReadonlySet<Exchange>): boolean {
  return [...exchanges].every(
    ({ request, response }) => !request.complete || response.writableEnded || response.writableNeedDrain,
  );
}

function closeAfter(response: ServerResponse): void {
  response.setHeader('Connection', 'close');
}

/** Closes our side after what is written, gives the client time to read it and to close its side, and destroys the connection. */
function closeGently(socket: Socket, bytes = ''): void {
  socket.end(bytes, () => {
    const destruction = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => {
      clearTimeout(destruction);
    });
  });
}

/** The last response of a connection to a request that none of our other code sees. */
function refuse(response: ServerResponse, code: ErrorCode): void {
  const { status, headers, body } = refusalOf(code);
  response.writeHead(status, headers).end(body);
}

/** The same as bytes, for what Node makes no response for. */
function responseTo(error: NodeJS.ErrnoException): string {
  const { status, headers, body } = refusalOf(CODES[error.code ?? ''] ?? 'request_not_http');
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`;
}

/** The error envelope for a request whose path is not known. */
function refusalOf(code: ErrorCode): {
  readonly status: number;
  readonly headers: Record<string, string | number>;
  readonly body: string;
} {
  const { status } = ERROR_CATALOGUE[code];
  const body = JSON.stringify(errorEnvelope(code, `/${API_PREFIX}`));
  const headers = {
    Connection: 'close',
    'Content-Type': 'application/json; charset=utf-8',
    'X-Error-Code': code,
    'Content-Length': Buffer.byteLength(body),
  };
  return { status, headers, body };
}

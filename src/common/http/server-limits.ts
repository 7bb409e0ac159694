import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import { type Socket } from 'node:net';
import { ExpressAdapter } from '@nestjs/platform-express';
import { API_PREFIX } from './api-prefix.js';

const SECOND = 1_000;

/** Slow or endless clients lose their socket, and others don't notice. */
const SERVER_LIMITS = {
  headersTimeout: 15 * SECOND,
  requestTimeout: 20 * SECOND,
  // How often the two above are looked at; Node's 30 s would make 45 s of 15.
  connectionsCheckingInterval: SECOND,
  // Above the 60 s of common load balancers, so that they, not we, close idle connections.
  keepAliveTimeout: 65 * SECOND,
} as const;
const MAX_REQUESTS_PER_SOCKET = 1_000;

const STATUS_BY_CODE: Readonly<Record<string, readonly [status: number, error: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The URL and the headers of a request must not exceed 16 KB'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive'],
};

/** Nest's Express adapter on a server with our limits; Node takes some of them only when a server is made. */
export class LimitedExpressAdapter extends ExpressAdapter {
  override initHttpServer(): void {
    const server = createServer(SERVER_LIMITS, this.getInstance<RequestListener>());
    server.maxRequestsPerSocket = MAX_REQUESTS_PER_SOCKET;
    answerClientErrors(server);
    this.httpServer = server;
  }
}

/** Answers what Node refuses before any of our code runs (oversized headers, broken HTTP, too slow) in the error envelope. */
function answerClientErrors(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const [status, sentence] = STATUS_BY_CODE[error.code ?? ''] ?? [400, 'The request is not valid HTTP'];
    const body = JSON.stringify({
      success: false,
      statusCode: status,
      error: sentence,
      timestamp: new Date().toISOString(),
      path: `/${API_PREFIX}`,
    });
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  });
}

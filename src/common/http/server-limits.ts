import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import { type Socket } from 'node:net';
import { ExpressAdapter } from '@nestjs/platform-express';
import { API_PREFIX } from './api-prefix.js';

const SECOND = 1_000;

/** A client that is slow, or never finishes, loses its connection; other clients are not affected. */
const SERVER_LIMITS = {
  headersTimeout: 15 * SECOND,
  requestTimeout: 20 * SECOND,
  // How often Node checks the two above. Its default of 30 s would turn 15 s into up to 45 s.
  connectionsCheckingInterval: SECOND,
  // Above the 60 s of common load balancers, so that they, not we, close idle connections.
  keepAliveTimeout: 65 * SECOND,
} as const;

const STATUS_BY_CODE: Readonly<Record<string, readonly [status: number, error: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The URL and the headers of a request must not exceed 16 KB'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive'],
};

/** Nest's Express adapter on a server with our limits; Node accepts some of them only when a server is created. */
export class LimitedExpressAdapter extends ExpressAdapter {
  override initHttpServer(): void {
    const server = createServer(SERVER_LIMITS, this.getInstance<RequestListener>());
    answerClientErrors(server);
    this.httpServer = server;
  }
}

/** Sends the error envelope for what Node rejects before any of our code runs: oversized headers, invalid HTTP, slow requests. */
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

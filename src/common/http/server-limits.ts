import { type Server, STATUS_CODES } from 'node:http';
import { type Socket } from 'node:net';

const SECOND = 1_000;

/** The figures of our reliability page: slow or endless clients lose their socket, others don't notice. */
export const SERVER_LIMITS = {
  headersTimeout: 15 * SECOND,
  requestTimeout: 20 * SECOND,
  // Above the 60 s of common load balancers, so that they, not we, close idle connections.
  keepAliveTimeout: 65 * SECOND,
  maxRequestsPerSocket: 1_000,
} as const;

const STATUS_BY_CODE: Readonly<Record<string, readonly [status: number, error: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The URL and the headers of a request must not exceed 16 KB'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive'],
};

/**
 * Applies the limits, and answers what Node refuses before any of our code runs (oversized headers, broken HTTP, too slow)
 * in the error envelope too.
 */
export function applyServerLimits(server: Server): void {
  Object.assign(server, SERVER_LIMITS);
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
      path: '/api/v2',
    });
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  });
}

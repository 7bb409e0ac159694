import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

/** A request that the receiver got. */
export interface ReceivedWebhook {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The other system: an HTTP server on loopback. */
export interface WebhookReceiver {
  readonly url: string;
  /** What it got so far, in order. */
  readonly received: ReceivedWebhook[];
  /** Its response from now on; 204 at first. */
  respond(how: (response: ServerResponse, request: ReceivedWebhook) => void): void;
  close(): Promise<void>;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  let respond: Parameters<WebhookReceiver['respond']>[0] = (response) => response.writeHead(204).end();
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const got = { path: request.url ?? '', headers: request.headers, body };
      received.push(got);
      respond(response, got);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    respond: (how) => (respond = how),
    close: async () => {
      const closed = once(server, 'close');
      server.closeAllConnections();
      server.close();
      await closed;
    },
  };
}

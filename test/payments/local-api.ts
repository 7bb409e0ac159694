import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request to a local server that stands in for a provider. */
export interface ApiRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface ApiResponse {
  readonly status: number;
  /** Sent as JSON, or as it is when it is a string. */
  readonly body: object | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A local server that stands in for a provider. */
export interface LocalApi {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a server on a free port. @param responseTo returns null for a request that gets no response */
export async function startLocalApi(
  responseTo: (request: ApiRequest) => ApiResponse | null | Promise<ApiResponse | null>,
): Promise<LocalApi> {
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url: path = '', headers } = request;
    const result = await responseTo({ method, path, headers, body: await text(request) });
    if (result === null) return;
    const { status, body, headers: more } = result;
    response.writeHead(status, { 'content-type': 'application/json', ...more });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
  const server = createServer((request, response) => void handle(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

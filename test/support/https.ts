import { type IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';

export interface HttpsRequest {
  readonly method?: string;
  /** The name in the TLS handshake and in the header `Host`; the certificate must be for it. */
  readonly host?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Is sent as JSON. */
  readonly body?: unknown;
}

export interface HttpsResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/**
 * Sends a request over TLS to a port of this machine, on a connection of its own, and reads the response to its end.
 * @param ca the certificates that it trusts
 */
export function sendOverTls(
  { httpsPort: port, ca }: { readonly httpsPort: number; readonly ca: string },
  path: string,
  { method = 'GET', host = 'api.example.com', headers = {}, body }: HttpsRequest = {},
): Promise<HttpsResponse> {
  const target = { host: '127.0.0.1', port, ca, servername: host, agent: false, path, method };
  const content = body === undefined ? '' : JSON.stringify(body);
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const length = { 'content-length': String(Buffer.byteLength(content)) };
  return new Promise((resolve, reject) => {
    request({ ...target, headers: { ...headers, ...type, ...length, host } }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response
        .on('data', (chunk: string) => (text += chunk))
        .once('error', reject)
        .once('end', () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        });
    })
      .once('error', reject)
      .end(content);
  });
}

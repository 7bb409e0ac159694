import { connect } from 'node:net';

export interface RawResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly body: unknown;
}

/** Sends bytes that no HTTP client would send, and reads the response to its end. */
export function sendBytes(baseUrl: string, bytes: string | Buffer): Promise<RawResponse> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    // The server may reset the connection after its response. What came before is the response.
    socket.on('error', (error) => {
      if (chunks.length === 0) reject(error);
    });
    socket.on('close', () => {
      resolve(parse(Buffer.concat(chunks).toString()));
    });
  });
}

/** A request without a body on a connection that ends after it. */
export function requestText(method: string, target: string, headers: readonly string[] = []): string {
  return [`${method} ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, '', ''].join('\r\n');
}

function parse(response: string): RawResponse {
  const end = response.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = response.slice(0, end).split('\r\n');
  const text = response.slice(end + 4);
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  const isJson = headers.some(([name, value]) => name === 'content-type' && value.startsWith('application/json'));
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(headers),
    text,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  };
}

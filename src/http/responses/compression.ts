import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type Response } from 'express';

const [brotli, gzipped] = [promisify(brotliCompress), promisify(gzip)];
/** A higher quality costs a page more time than it saves on its way. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** Of a file that is compressed once. The highest quality takes seconds for the largest one, while its first reader waits. */
const BROTLI_ONCE = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** Of contents that never change, by their encodings: each is compressed once. */
const kept = new WeakMap<Buffer, Map<string, Promise<Buffer>>>();

/** Sends text in an encoding that the client takes. */
export async function sendCompressed(response: Response, content: Buffer): Promise<void> {
  await send(response, content, (encoding) => (encoding === 'br' ? brotli(content, BROTLI) : gzipped(content)));
}

/** As `sendCompressed`. @param content of a file that the process has read: it never changes */
export async function sendFile(response: Response, content: Buffer): Promise<void> {
  const encodings = kept.get(content) ?? new Map<string, Promise<Buffer>>();
  kept.set(content, encodings);
  await send(response, content, (encoding) => {
    const body =
      encodings.get(encoding) ?? (encoding === 'br' ? brotli(content, BROTLI_ONCE) : gzipped(content, { level: 9 }));
    encodings.set(encoding, body);
    return body;
  });
}

async function send(
  response: Response,
  content: Buffer,
  compress: (encoding: 'br' | 'gzip') => Promise<Buffer>,
): Promise<void> {
  const { req: request } = response;
  const encoding = request.acceptsEncodings('br', 'gzip') as 'br' | 'gzip' | false;
  const body = encoding === false ? content : await compress(encoding);
  if (body !== content) response.set('Content-Encoding', String(encoding));
  response.set('Content-Length', String(body.length));
  response.end(request.method === 'HEAD' ? undefined : body);
}

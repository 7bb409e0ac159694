import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type Response } from 'express';

const [brotli, gzipped] = [promisify(brotliCompress), promisify(gzip)];
/** A higher quality costs a page more time than it saves on its way. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** Sends text in an encoding that the client takes. */
export async function sendCompressed(response: Response, content: Buffer): Promise<void> {
  const { req: request } = response;
  const encoding = request.acceptsEncodings('br', 'gzip');
  const body =
    encoding === 'br' ? await brotli(content, BROTLI) : encoding === 'gzip' ? await gzipped(content) : content;
  if (body !== content) response.set('Content-Encoding', String(encoding));
  response.set('Content-Length', String(body.length));
  response.end(request.method === 'HEAD' ? undefined : body);
}

import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type Request, type Response } from 'express';
import { weakEtagOf } from '../../http/responses/etag.interceptor.js';
import { type Language } from '../../lib/formats/languages.js';

const [brotli, gzipped] = [promisify(brotliCompress), promisify(gzip)];
/** A higher quality costs a page more time than it saves on its way. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** A page of the storefront. */
export interface StorefrontPage {
  readonly status: number;
  readonly language: Language;
  readonly html: string;
  /** The Content-Security-Policy. */
  readonly policy: string;
}

/**
 * Sends a page. Its `ETag` is made from all of it: whatever changes what the visitor sees changes it. It is private, because it depends on
 * the cookies of the visitor.
 */
export async function sendPage(request: Request, response: Response, page: StorefrontPage): Promise<void> {
  response.status(page.status);
  response.set({
    'Content-Security-Policy': page.policy,
    'Content-Language': page.language,
    'Content-Type': 'text/html; charset=utf-8',
    Vary: 'Accept-Encoding, Accept-Language, Cookie',
  });
  if (page.status === 200) {
    response.set({ 'Cache-Control': 'private, no-cache', ETag: weakEtagOf(page.html) });
    if (request.fresh) {
      response.status(304).end();
      return;
    }
  }
  await sendCompressed(request, response, Buffer.from(page.html));
}

/** Sends text in an encoding that the client takes. */
export async function sendCompressed(request: Request, response: Response, content: Buffer): Promise<void> {
  const encoding = request.acceptsEncodings('br', 'gzip');
  const body =
    encoding === 'br' ? await brotli(content, BROTLI) : encoding === 'gzip' ? await gzipped(content) : content;
  if (body !== content) response.set('Content-Encoding', String(encoding));
  response.set('Content-Length', String(body.length));
  response.end(request.method === 'HEAD' ? undefined : body);
}

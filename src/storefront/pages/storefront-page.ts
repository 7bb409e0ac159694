import { type Request, type Response } from 'express';
import { sendCompressed } from '../../http/responses/compression.js';
import { weakEtagOf } from '../../http/responses/etag.interceptor.js';
import { type Language } from '../../lib/formats/languages.js';

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
  await sendCompressed(response, Buffer.from(page.html));
}

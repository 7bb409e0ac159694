import { type Response } from 'express';
import { sendCompressed } from '../../http/responses/compression.js';
import { type Language } from '../../lib/formats/languages.js';
import { type PageProblem } from './page-problem.js';
import { type SettledSession } from './page-sessions.js';

/** The response of a page's route. */
export type PageResponse = ShownPage | Redirection;

export interface ShownPage {
  readonly status: number;
  readonly language: Language;
  readonly html: string;
  /** The Content-Security-Policy. */
  readonly policy: string;
  /** Why a form was rejected. The page explains it. */
  readonly error?: Pick<PageProblem, 'code' | 'headers'>;
  /** The cookie to remove, because the session of the page has ended. */
  readonly ended?: SettledSession;
}

export interface Redirection {
  /** An address of the service. The browser gets it with GET (303). */
  readonly location: string;
  /** The cookie to set. */
  readonly opened?: SettledSession;
}

/** Sends a page or a redirection. The headers against storing and referrers are already set for all responses. */
export async function send(response: Response, page: PageResponse): Promise<void> {
  if ('location' in page) {
    if (page.opened !== undefined) setCookie(response, page.opened);
    response.redirect(303, page.location);
    return;
  }
  if (page.ended !== undefined) setCookie(response, { ...page.ended, value: '', lifetimeMs: 0 });
  if (page.error !== undefined) {
    response.setHeader('X-Error-Code', page.error.code);
    for (const [name, value] of Object.entries(page.error.headers)) response.setHeader(name, value);
  }
  response.status(page.status);
  response.setHeader('Content-Security-Policy', page.policy);
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('Content-Language', page.language);
  response.type('html').vary('Accept-Encoding');
  await sendCompressed(response, Buffer.from(page.html));
}

/** Sets the cookie of a page. */
export function setCookie(response: Response, { name, value, path, secure, lifetimeMs }: SettledSession): void {
  response.cookie(name, value, { path, secure, maxAge: lifetimeMs, httpOnly: true, sameSite: 'lax' });
}

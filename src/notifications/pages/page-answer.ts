import { type Response } from 'express';
import { type Language } from '../../platform/templates/languages.js';
import { type PageProblem } from './page-problem.js';
import { type SettledSession } from './page-sessions.js';

/** What a page's route answers with. */
export type PageAnswer = ShownPage | Redirection;

export interface ShownPage {
  readonly status: number;
  readonly language: Language;
  readonly html: string;
  /** The Content-Security-Policy. */
  readonly policy: string;
  /** What a form was rejected for. The page says it in words. */
  readonly error?: Pick<PageProblem, 'code' | 'headers'>;
  /** The cookie to remove: what it opened has ended. */
  readonly ended?: SettledSession;
}

export interface Redirection {
  /** An address of the service. The browser gets it with GET (303). */
  readonly location: string;
  /** The cookie to set. */
  readonly opened?: SettledSession;
}

/** Sends a page or a redirection. Headers against storing and referrers are set for all responses already. */
export function send(response: Response, answer: PageAnswer): void {
  if ('location' in answer) {
    if (answer.opened !== undefined) setCookie(response, answer.opened);
    response.redirect(303, answer.location);
    return;
  }
  if (answer.ended !== undefined) setCookie(response, { ...answer.ended, value: '', lifetimeMs: 0 });
  if (answer.error !== undefined) {
    response.setHeader('X-Error-Code', answer.error.code);
    for (const [name, value] of Object.entries(answer.error.headers)) response.setHeader(name, value);
  }
  response.status(answer.status);
  response.setHeader('Content-Security-Policy', answer.policy);
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('Content-Language', answer.language);
  response.type('html').send(answer.html);
}

function setCookie(response: Response, { name, value, path, secure, lifetimeMs }: SettledSession): void {
  response.cookie(name, value, { path, secure, maxAge: lifetimeMs, httpOnly: true, sameSite: 'lax' });
}

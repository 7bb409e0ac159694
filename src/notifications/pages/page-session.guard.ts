import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type Request } from 'express';
import { AppError } from '../../domain/errors/app-error.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { PublicUrl } from '../../http/addresses/public-url.js';
import { cookieValues } from '../../http/requests/cookie-values.js';
import { isFromOwnOrigin } from '../../http/requests/own-origin.js';
import { COOKIE_NAME, type PageSession, PageSessions } from './page-sessions.js';

/** The path of the page of a request, below the prefix of the API. */
export type PageOfRequest = (params: Request['params']) => string;

/** On a controller of pages: which page a request belongs to. */
export const PagePath = Reflector.createDecorator<PageOfRequest>();

/** On the route that a link leads to: it needs no cookie, because it checks the secret and sets one. */
export const OpensPage = Reflector.createDecorator<boolean>();

/**
 * Lets a request into a page only with the cookie of this page, and takes a form only from the page itself: with the token that
 * belongs to the cookie, and not from another origin.
 */
@Injectable()
export class PageSessionGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly sessions: PageSessions,
    private readonly url: PublicUrl,
  ) {}

  /** @throws AppError cookie_required, also when the page was opened too long ago; page_not_found, form_rejected */
  canActivate(context: ExecutionContext): boolean {
    if (this.reflector.get<boolean | undefined>(OpensPage, context.getHandler()) === true) return true;
    const request = context.switchToHttp().getRequest<Request>();
    const path = this.reflector.get(PagePath, context.getClass())(request.params);
    const { cookie } = request.headers;
    // The same for every page, whether it exists or not.
    if (cookieValues(cookie, COOKIE_NAME).length === 0) throw new AppError('cookie_required');
    const session = orNotFound(this.sessions.read(path, cookie), 'page_not_found');
    if (request.method === 'POST') {
      const { formToken } = (request.body ?? {}) as { readonly formToken?: unknown };
      const isOurs = isFromOwnOrigin(request.headers, this.url.base()) && this.sessions.isFormOf(session, formToken);
      if (!isOurs) throw new AppError('form_rejected');
    }
    request.pageSession = session;
    return true;
  }
}

declare global {
  // Express' own way to type what middleware attaches to a request.
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace Express {
    interface Request {
      pageSession?: PageSession;
    }
  }
}

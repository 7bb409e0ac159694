import { type IncomingHttpHeaders } from 'node:http';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { AppError } from '../../domain/errors/app-error.js';

/**
 * Whether a browser says that a form is from a page of the same host. Every browser of today sends `Sec-Fetch-Site` over HTTPS, and `Origin` with
 * every form, so a request with neither is none of a page.
 * @param host of the request
 */
export function isFormOfHost({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders, host: string): boolean {
  if (site !== undefined) return site === 'same-origin';
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}

/** Takes forms only from pages of the same host: no other site can make a visitor's browser send one. */
@Injectable()
export class FormGuard implements CanActivate {
  /** @throws AppError form_rejected */
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (request.method === 'POST' && !isFormOfHost(request.headers, request.host)) throw new AppError('form_rejected');
    return true;
  }
}

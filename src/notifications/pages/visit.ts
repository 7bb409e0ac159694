import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Request } from 'express';
import { type ClientDevice, deviceOf } from '../../access/auth/device.js';
import { type Language } from '../../lib/formats/languages.js';
import { languageOf } from '../../http/requests/language-of.js';
import { type PageSession } from './page-sessions.js';

/** One request to an open page. */
export interface Visit extends PageSession {
  readonly device: ClientDevice;
  /** The language of the reader. @param ofShop of the shop, or null */
  languageIn(ofShop: Language | null): Language;
}

/** The visit of a route behind `PageSessionGuard`. */
export const CurrentVisit = createParamDecorator((_: unknown, context: ExecutionContext): Visit => {
  const request = context.switchToHttp().getRequest<Request>();
  const { pageSession } = request;
  if (pageSession === undefined) throw new Error('@CurrentVisit() needs PageSessionGuard');
  return {
    ...pageSession,
    device: deviceOf(request),
    languageIn: (ofShop) => languageOf(request, ofShop),
  };
});

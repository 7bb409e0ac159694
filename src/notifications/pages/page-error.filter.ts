import { Catch, Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { type AppError } from '../../domain/errors/app-error.js';
import { ERROR_CATALOGUE } from '../../domain/errors/error-catalogue.js';
import { AppExceptionFilter } from '../../http/responses/exception.filter.js';
import { type Language } from '../../lib/formats/languages.js';
import { languageOf } from '../../http/requests/language-of.js';
import { RateLimiter } from '../../http/throttling/rate-limiter.js';
import { send } from './page-response.js';
import { PAGE_ERROR_COPY } from './page-error-copy.js';
import { PageRenderer } from './page-renderer.js';

const MINUTE_SECONDS = 60;

/** What a page that a link of an email opens says of an error, and what to do. */
export function errorTexts(
  { code, headers }: Pick<AppError, 'code' | 'headers'>,
  language: Language,
): [title: string, text: string, help: string] {
  const copy = PAGE_ERROR_COPY[language];
  const { status } = ERROR_CATALOGUE[code];
  const minutes = Math.ceil(Number(headers['Retry-After'] ?? MINUTE_SECONDS) / MINUTE_SECONDS);
  if (status === 400 || status === 404) return [copy.notFoundTitle, copy.notFound, copy.notFoundHelp];
  if (status === 429) return [copy.tooManyTitle, copy.tooMany(minutes), ''];
  if (code === 'cookie_required') return [copy.cookieTitle, copy.cookie, copy.cookieHelp];
  if (code === 'form_rejected') return [copy.formTitle, copy.form, copy.formHelp];
  return [copy.failedTitle, copy.failed, copy.failedHelp];
}

/** Renders errors of pages: with the status and the headers of the API, and a page that explains what happened and what to do. */
@Catch()
@Injectable()
export class PageErrorFilter extends AppExceptionFilter {
  constructor(
    limiter: RateLimiter,
    private readonly renderer: PageRenderer,
  ) {
    super(limiter);
  }

  protected override respond({ code, headers }: AppError, request: Request, response: Response): void {
    const language = languageOf(request, null);
    const { status } = ERROR_CATALOGUE[code];
    const [title, text, help] = errorTexts({ code, headers }, language);
    const page = this.renderer.render('message', status, { language, shop: null, title }, { text, help });
    void send(response, page).catch(() => response.destroy());
  }
}

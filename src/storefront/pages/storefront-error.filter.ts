import { Catch, Injectable } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { type ErrorRequestHandler, type Request, type Response } from 'express';
import { type AppError } from '../../domain/errors/app-error.js';
import { ERROR_CATALOGUE } from '../../domain/errors/error-catalogue.js';
import { AppExceptionFilter } from '../../http/responses/exception.filter.js';
import { RateLimiter } from '../../http/throttling/rate-limiter.js';
import { errorTexts } from '../../notifications/pages/page-error.filter.js';
import { visitOf } from '../hosts/page-router.js';
import { type Visit } from '../hosts/page-routing.js';
import { type PageContext, PageFrame, type PageLink } from './page-frame.js';
import { chosenLanguage, ShopVisitsService } from './shop-visits.service.js';
import { STOREFRONT_COPY } from './storefront-copy.js';
import { sendPage } from './storefront-page.js';

/** The pages of orders. Links of emails lead there, and have a secret in their path. */
const ORDERS = /^\/orders\//i;

/** Shows errors of pages as pages in the look of their shop, with the status and the headers of the API. */
@Catch()
@Injectable()
export class StorefrontErrorFilter extends AppExceptionFilter {
  constructor(
    limiter: RateLimiter,
    private readonly frame: PageFrame,
    private readonly visits: ShopVisitsService,
  ) {
    super(limiter);
  }

  /** Express' step for errors of the steps before the routes. */
  readonly handle: ErrorRequestHandler = (error: unknown, request, response, next) => {
    if (request.visit === undefined) next(error);
    else void this.catch(error, new ExecutionContextHost([request, response, next]));
  };

  protected override respond(error: AppError, request: Request, response: Response): void {
    void this.show(error, request, response).catch(() => response.destroy());
  }

  private async show({ code, headers }: AppError, request: Request, response: Response): Promise<void> {
    const context = await this.contextOf(request, code === 'rate_limited' || ERROR_CATALOGUE[code].status >= 500);
    const { visit, language, shop } = context;
    const copy = STOREFRONT_COPY[language];
    const { status } = ERROR_CATALOGUE[code];
    const home: PageLink[] = shop === null ? [] : [{ label: copy.toShop, url: `${visit.base}/` }];
    const [title, text, small, actions] = ((): [title: string, text: string, small: string, actions: PageLink[]] => {
      if (ORDERS.test(visitOf(request).path)) return [...errorTexts({ code, headers }, language), home];
      if (status === 404 && shop === null)
        return [copy.unknownTitle, copy.unknownText(shownAddress(context)), copy.unknownOwner, []];
      if (status === 404 && shop?.isActive === false) {
        return [copy.closedTitle(shop.displayName), shop.closedText ?? copy.closedText, '', home];
      }
      if (status === 404) return [copy.notFoundTitle, copy.notFoundText, '', home];
      if (status === 429) return [copy.tooManyTitle, copy.tooManyText(Number(headers['Retry-After'] ?? 1)), '', home];
      if (code === 'form_rejected') return [copy.formTitle, copy.formText, '', home];
      return [copy.failedTitle, copy.failedText, '', home];
    })();
    const picture = this.frame.picture(visit, 'empty.svg');
    await sendPage(
      request,
      response,
      this.frame.render('plain', context, { title, status }, { picture, heading: title, text, small, actions }),
    );
  }

  /** The shop of the visit, or none where it does not exist or cannot be read now. @param isBusy whether to read nothing */
  private async contextOf(request: Request, isBusy: boolean): Promise<PageContext> {
    const visit = shownVisit(visitOf(request));
    const nobody = { visit, shop: null, categories: [], pieces: 0, language: chosenLanguage(request, null) };
    if (isBusy || visit.shop === null) return nobody;
    const context = await this.visits.of(request).catch(() => nobody);
    return { ...context, visit };
  }
}

/** A page links to itself in other languages: no secret of a path may stand there. */
function shownVisit(visit: Visit): Visit {
  return ORDERS.test(visit.path) ? { ...visit, path: '/find-order' } : visit;
}

/** A longer one is none that a person types. */
const MAX_SHOWN = 80;

function shownAddress({ visit }: PageContext): string {
  return `${visit.host}${visit.base}`.slice(0, MAX_SHOWN);
}

import { Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { PublicCatalogueService } from '../../catalogue/products/public-catalogue.service.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { cookieValues } from '../../http/requests/cookie-values.js';
import { languageOf } from '../../http/requests/language-of.js';
import { AppError } from '../../domain/errors/app-error.js';
import { BasketCookies } from '../basket/basket-cookies.js';
import { type Basket, piecesOf } from '../basket/basket-rules.js';
import { type Language, LANGUAGES } from '../../lib/formats/languages.js';
import { DAY_MS } from '../../lib/time/durations.js';
import { PublicShopsService } from '../../shops/shops/public-shops.service.js';
import { type WholeShop } from '../../shops/shops/shop.types.js';
import { visitOf } from '../hosts/page-router.js';
import { type PageContext } from './page-frame.js';

/** The cookie of the language that the visitor has chosen. */
export const LANGUAGE_COOKIE = 'lang';
/** The most categories that a shop can have in the header, by far. */
const MAX_CATEGORIES = 500;

const YEAR_MS = 365 * DAY_MS;

/** A visit of a shop that exists. */
export interface ShopContext extends PageContext {
  readonly shop: WholeShop;
  /** As its cookie has it. */
  readonly basket: Basket;
}

/** Finds the shop of a request for a page, and what every page of it needs. */
@Injectable()
export class ShopVisitsService {
  constructor(
    private readonly shops: PublicShopsService,
    private readonly catalogue: PublicCatalogueService,
    private readonly baskets: BasketCookies,
  ) {}

  /** As `of`, for what only an open shop has. @throws AppError shop_not_found, also for a closed one */
  async openOf(request: Request, response: Response): Promise<ShopContext> {
    const context = await this.of(request, response);
    if (!context.shop.isActive) throw new AppError('shop_not_found');
    return context;
  }

  /**
   * @param response gets the cookie of a language that the visitor chooses with this request
   * @throws AppError shop_not_found, also for a host that is not verified
   */
  async of(request: Request, response?: Response): Promise<ShopContext> {
    const visit = visitOf(request);
    const address = orNotFound(visit.shop, 'shop_not_found');
    const shop =
      'uniqueName' in address ? await this.shops.byName(address.uniqueName) : await this.shops.byHost(address.hostname);
    const categories = shop.isActive ? await this.categoriesOf(shop) : [];
    const language = chosenLanguage(request, shop.language);
    if (language === request.query['lang']) {
      response?.cookie(LANGUAGE_COOKIE, language, {
        path: `${visit.base}/`,
        maxAge: YEAR_MS,
        httpOnly: true,
        sameSite: 'lax',
        secure: request.secure,
      });
    }
    const basket = this.baskets.read(shop.id, request.headers.cookie);
    return { visit, shop, language, categories, basket, pieces: piecesOf(basket) };
  }

  private async categoriesOf(shop: WholeShop): Promise<PageContext['categories']> {
    const categories = await this.catalogue.listCategories(shop, { after: null, limit: MAX_CATEGORIES });
    return categories.build().items;
  }
}

/** The language of a visitor: chosen by a link, now or earlier, or else the one of the browser, or of the shop. */
export function chosenLanguage(request: Request, ofShop: Language | null): Language {
  const chosen = [request.query['lang'], ...cookieValues(request.headers.cookie, LANGUAGE_COOKIE)];
  return (
    LANGUAGES.find((language) => language === chosen.find((one) => one !== undefined)) ?? languageOf(request, ofShop)
  );
}

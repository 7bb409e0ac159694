import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppError } from '../../domain/errors/app-error.js';
import { followsRule, patternOf } from '../../domain/buyers/nickname-rule.js';
import { MAX_NICKNAME_LENGTH } from '../../domain/buyers/nickname-pattern.js';
import { ERROR_CATALOGUE, type ErrorCode } from '../../domain/errors/error-catalogue.js';
import { randomSecret } from '../../lib/crypto/opaque-token.js';
import { type FormFields, readForm } from '../../notifications/pages/page-form.js';
import { problemOf } from '../../notifications/pages/page-problem.js';
import { type Quote } from '../../orders/checkout/checkout.service.js';
import { RequestOrderLinksDto } from '../../orders/order-links/dto/order-links.dto.js';
import { OrderLinksService } from '../../orders/order-links/order-links.service.js';
import { faceOf } from '../pages/figures.js';
import { PageFrame } from '../pages/page-frame.js';
import { type ShopContext } from '../pages/shop-visits.service.js';
import { CONSENT_KINDS } from '../../shops/consents/consent.types.js';
import { STOREFRONT_COPY } from '../pages/storefront-copy.js';
import { type StorefrontPage } from '../pages/storefront-page.js';
import { BASKET_COPY } from './basket-copy.js';
import { placedProblem } from './basket-problems.js';
import { type Basket, MAX_CODE_LENGTH, piecesOf } from './basket-rules.js';
import { type AssessedBasket, basketView, type Entered, nameHint, unusedCreditOf } from './basket-view.js';

/** What the page says above everything else. */
export interface Notice {
  readonly text: string;
  readonly status: number;
}

/** A form's field with one line of text; empty without one. */
export function textIn(fields: FormFields, name: string, maxLength: number): string {
  const value = fields[name];
  return typeof value === 'string' ? value.trim().slice(0, maxLength) : '';
}

/** Renders the pages on the way from a product to an order. */
@Injectable()
export class BasketPagesService {
  constructor(
    private readonly frame: PageFrame,
    private readonly links: OrderLinksService,
  ) {}

  basket(context: ShopContext, assessed: AssessedBasket, notice: Notice | null = null): StorefrontPage {
    const copy = BASKET_COPY[context.language];
    const { shop } = context;
    const pieces = piecesOf(assessed.basket);
    const status = notice?.status ?? 200;
    const content = { title: copy.title, status };
    if (pieces === 0) return this.empty(context);
    const view = basketView(assessed, this.frame.displayOf(context), copy);
    return this.frame.render('basket', context, content, {
      ...view,
      pieces,
      words: copy,
      notice: notice?.text ?? '',
      face: assessed.basket.nickname === '' ? null : faceOf(assessed.basket.nickname),
      nameHint: nameHint(shop.nicknameRule, copy),
      namePattern: patternOf(shop.nicknameRule),
      maxName: MAX_NICKNAME_LENGTH,
      maxCode: MAX_CODE_LENGTH,
      digest: digestOf(assessed.basket, assessed.quote),
      key: randomSecret(),
      action: `${context.visit.base}/basket`,
      payAction: `${context.visit.base}/checkout`,
      supportEmail: shop.supportEmail ?? '',
      sellerLine: copy.soldBy(shop.seller.sellerName ?? shop.displayName),
      taxNote: shop.seller.taxNote ?? '',
      termsUrl: shop.legalPages.terms?.url ?? `${context.visit.base}/legal/terms`,
    });
  }

  /** Asks for the name of the player. @param wrong a name that the rule of the shop rejects */
  name(context: ShopContext, basket: Basket, wrong: string | null): StorefrontPage {
    const copy = BASKET_COPY[context.language];
    const { shop, visit } = context;
    const content = { title: copy.who, status: wrong === null ? 200 : 400 };
    return this.frame.render('name', context, content, {
      words: copy,
      value: wrong ?? basket.nickname,
      problem: wrong === null ? '' : copy.problemName,
      face: basket.nickname === '' || wrong !== null ? null : faceOf(basket.nickname),
      hint: nameHint(shop.nicknameRule, copy),
      namePattern: patternOf(shop.nicknameRule),
      maxName: MAX_NICKNAME_LENGTH,
      action: `${visit.base}/name`,
      later: `${visit.base}/`,
    });
  }

  /** Whether a player can have a name in the shop. */
  isName({ shop }: ShopContext, name: string): boolean {
    return followsRule(name, shop.nicknameRule);
  }

  /** The page that sends the visitor on, because browsers let no form be redirected to another host. */
  forward(context: ShopContext, url: string, orderPage: string): StorefrontPage {
    const copy = BASKET_COPY[context.language];
    const content = { title: copy.forwardTitle };
    return this.frame.render('forward', context, content, { words: copy, forward: url, orderPage, pieces: 0 });
  }

  /** @param fields of the form; null: it is not sent yet @throws AppError rate_limited */
  async findOrder(context: ShopContext, fields: FormFields | null): Promise<StorefrontPage> {
    const copy = BASKET_COPY[context.language];
    const { shop, visit } = context;
    const values = { words: copy, action: `${visit.base}/find-order`, email: '', problem: '', done: '' };
    const show = (status: number, more: Partial<typeof values>): StorefrontPage =>
      this.frame.render('find-order', context, { title: copy.findTitle, status }, { ...values, ...more });
    if (fields === null) return show(200, {});
    const { email } = fields;
    try {
      const request = await readForm(RequestOrderLinksDto, { shopId: shop.id, email });
      await this.links.request(request.shopId, request.email);
      return show(200, { done: copy.findDone });
    } catch (error) {
      const texts = new Map<ErrorCode, string>([
        ['validation_failed', copy.problemEmail],
        ['emails_off', copy.findOff],
      ]);
      const { problem, status } = problemOf(error, (code) => texts.get(code));
      return show(status, { problem, email: textIn(fields, 'email', 254) });
    }
  }

  /** The basket with an error of a checkout at its place. @throws the error itself when the visitor cannot do anything about it */
  rejected(context: ShopContext, assessed: AssessedBasket, error: unknown): StorefrontPage {
    if (!(error instanceof AppError)) throw error;
    const copy = BASKET_COPY[context.language];
    const problem = placedProblem({ code: error.code, message: error.message }, copy);
    const status = ERROR_CATALOGUE[error.code].status;
    return this.basket(context, { ...assessed, problems: [problem] }, { text: '', status });
  }

  private empty(context: ShopContext): StorefrontPage {
    const { language, visit } = context;
    const copy = BASKET_COPY[language];
    return this.frame.render(
      'plain',
      context,
      { title: copy.title },
      {
        picture: this.frame.picture(visit, 'empty.svg'),
        ...{ heading: copy.emptyTitle, text: copy.emptyText, small: '', pieces: 0 },
        actions: [{ label: STOREFRONT_COPY[language].toShop, url: `${visit.base}/` }],
      },
    );
  }
}

/** What the visitor has seen: another one means that the basket or the price has changed since. */
export function digestOf({ lines, serverId, code }: Basket, quote: Quote | null): string {
  const seen = JSON.stringify([
    lines.map(({ productId, quantity }) => [productId, quantity]),
    serverId,
    code,
    quote && [quote.totalMinor, unusedCreditOf(quote)],
  ]);
  return createHash('sha256').update(seen).digest('base64url').slice(0, 22);
}

/** What a form of the basket's page says besides the basket. */
export function enteredIn(fields: FormFields): Entered {
  // The value of a box is the version that the visitor has read.
  const consents = CONSENT_KINDS.flatMap((kind) => {
    const version = textIn(fields, `consent-${kind}`, 7);
    return /^[1-9]\d*$/.test(version) ? [{ kind, version: Number(version) }] : [];
  });
  // And the amount that the visitor has read.
  const accepted = textIn(fields, 'acceptUnusedCredit', 15);
  return {
    email: textIn(fields, 'email', 254),
    provider: textIn(fields, 'provider', 40),
    consents,
    acceptedCreditMinor: /^[1-9]\d*$/.test(accepted) ? Number(accepted) : null,
  };
}

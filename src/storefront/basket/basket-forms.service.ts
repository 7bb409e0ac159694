import { Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { requireValid } from '../../domain/errors/require-valid.js';
import { MAX_NICKNAME_LENGTH } from '../../domain/buyers/nickname-pattern.js';
import { isObjectId } from '../../lib/ids/object-id.js';
import { type FormFields } from '../../notifications/pages/page-form.js';
import { type ShopContext } from '../pages/shop-visits.service.js';
import { type StorefrontPage } from '../pages/storefront-page.js';
import { BASKET_COPY } from './basket-copy.js';
import { BasketCookies } from './basket-cookies.js';
import { BasketPagesService, digestOf, enteredIn, textIn } from './basket-pages.service.js';
import { type Basket, MAX_CODE_LENGTH, piecesOf, quantityIn, withMore, withQuantity } from './basket-rules.js';
import { type AssessedBasket } from './basket-view.js';
import { BasketsService } from './baskets.service.js';
import { PurchasesService } from './purchases.service.js';

const QUANTITY_FIELD = 'quantity-';
const KEY = /^[\w-]{16,255}$/;

/** What became of a basket that a visitor has sent. */
export type Paid = { readonly basket: Basket } & (
  | { readonly page: StorefrontPage }
  | {
      readonly orderId: string;
      /** null: there is nothing to pay, or the page of the order offers other ways. */
      readonly paymentUrl: string | null;
    }
);

/** Reads the forms of the basket, and does what they say. */
@Injectable()
export class BasketFormsService {
  constructor(
    private readonly cookies: BasketCookies,
    private readonly baskets: BasketsService,
    private readonly pages: BasketPagesService,
    private readonly purchases: PurchasesService,
  ) {}

  keep(request: Request, response: Response, { shop, visit }: ShopContext, basket: Basket): void {
    this.cookies.write(request, response, shop.id, basket, visit.base);
  }

  /** Adds what a product's form says. What is no product stays out. */
  add({ basket }: ShopContext, form: FormFields): Basket {
    const { productId, serverId } = form;
    if (!isObjectId(productId)) return basket;
    const more = withMore(basket, productId.toLowerCase(), quantityIn(form['quantity']) ?? 1);
    return isObjectId(serverId) ? { ...more, serverId: serverId.toLowerCase() } : more;
  }

  named({ basket }: ShopContext, form: FormFields): Basket {
    return { ...basket, nickname: textIn(form, 'nickname', MAX_NICKNAME_LENGTH) };
  }

  /** The basket as the visitor has it. */
  seen(request: Request, context: ShopContext): Promise<AssessedBasket> {
    return this.assess(request, context, context.basket, {}, false);
  }

  changed(request: Request, context: ShopContext, form: FormFields): Promise<AssessedBasket> {
    return this.assess(request, context, filledIn(context.basket, form), form, false);
  }

  /** Places the order, unless something is in its way or the visitor has seen something else. @param pageOf the address of an order's page */
  async pay(
    request: Request,
    context: ShopContext,
    form: FormFields,
    pageOf: (orderId: string) => string,
  ): Promise<Paid> {
    const copy = BASKET_COPY[context.language];
    const assessed = await this.assess(request, context, filledIn(context.basket, form), form, true);
    const { basket, entered, quote, problems } = assessed;
    const stays = (page: StorefrontPage): Paid => ({ basket, page });
    if (problems.length > 0 || quote === null || piecesOf(basket) === 0) {
      return stays(this.pages.basket(context, assessed, { text: '', status: 400 }));
    }
    if (form['digest'] !== digestOf(basket, quote)) {
      return stays(this.pages.basket(context, assessed, { text: copy.changed, status: 409 }));
    }
    const key = textIn(form, 'key', 255);
    const { ip: address = '' } = request;
    try {
      requireValid(KEY.test(key) ? [] : ['key is not one of a page']);
      const order = await this.purchases.place(context.shop.id, assessed, { address, key });
      const isPayable = order.totalMinor > 0;
      const paymentUrl = isPayable ? await this.purchases.paymentOf(order, entered.provider, pageOf(order.id)) : null;
      return { basket: { ...basket, lines: [], code: '' }, orderId: order.id, paymentUrl };
    } catch (error) {
      return stays(this.pages.rejected(context, assessed, error));
    }
  }

  private assess(
    request: Request,
    context: ShopContext,
    basket: Basket,
    form: FormFields,
    isPaying: boolean,
  ): Promise<AssessedBasket> {
    const { ip: address = '' } = request;
    return this.baskets.assess(context, basket, enteredIn(form), { isPaying, address });
  }
}

/** The basket with what the form says. A form of an old page sets only the lines that it shows. */
function filledIn(before: Basket, form: FormFields): Basket {
  let basket = before;
  const set = (productId: string, text: unknown): void => {
    const quantity = quantityIn(text);
    const isThere = basket.lines.some((line) => line.productId === productId);
    if (quantity !== null && isThere) basket = withQuantity(basket, productId, quantity);
  };
  for (const [name, text] of Object.entries(form)) {
    if (name.startsWith(QUANTITY_FIELD)) set(name.slice(QUANTITY_FIELD.length), text);
  }
  // What a button says comes after what the fields say.
  const [productId = '', quantity] = textIn(form, 'set', 40).split(':');
  set(productId, quantity);
  const { serverId } = form;
  return {
    ...basket,
    nickname: textIn(form, 'nickname', MAX_NICKNAME_LENGTH),
    code: textIn(form, 'code', MAX_CODE_LENGTH),
    serverId: isObjectId(serverId) ? serverId.toLowerCase() : basket.serverId,
  };
}

import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { AppError } from '../../domain/errors/app-error.js';
import { ERROR_CATALOGUE } from '../../domain/errors/error-catalogue.js';
import {
  type BegunRequest,
  type IdempotentRequest,
  IdempotencyService,
} from '../../infrastructure/idempotency/idempotency.service.js';
import { type Creation } from '../../infrastructure/idempotency/creation.js';
import { currentSlot } from '../../http/throttling/request-slots.js';
import { ShopTurns } from '../../http/throttling/shop-turns.js';
import { toMajor } from '../../lib/money/money.js';
import { networkOf } from '../../lib/network/network-of.js';
import { readForm } from '../../notifications/pages/page-form.js';
import { CheckoutService } from '../../orders/checkout/checkout.service.js';
import { CheckoutDto } from '../../orders/checkout/dto/checkout.dto.js';
import { type Order } from '../../orders/order/order.types.js';
import { OrdersService } from '../../orders/order/orders.service.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { PaymentsService } from '../../payments/payments/payments.service.js';
import { type AssessedBasket } from './basket-view.js';

const WAIT_MS = 250;
const MAX_WAITS = 16;

/** Who sends a basket. */
export interface Buyer {
  readonly address: string;
  /** The same for both clicks on one button. */
  readonly key: string;
}

/** Turns a basket without problems into an order and its payment, once for each page that was sent. */
@Injectable()
export class PurchasesService {
  constructor(
    private readonly idempotency: IdempotencyService,
    private readonly checkout: CheckoutService,
    private readonly turns: ShopTurns,
    private readonly orders: OrdersService,
    private readonly payments: PaymentsService,
  ) {}

  /**
   * @throws AppError as `CheckoutService.placeOrder`; idempotency_in_progress for the second of two clicks; too_many_at_once when too many
   * buy in the shop
   */
  async place(shopId: string, { basket, entered, quote }: AssessedBasket, buyer: Buyer): Promise<Order> {
    const { lines, serverId, nickname, code } = basket;
    const body = await readForm(CheckoutDto, {
      ...{ items: lines, serverId, nickname, email: entered.email },
      acceptUnusedCredit: entered.acceptedCreditMinor !== null,
      ...(code !== '' && { discountCode: code }),
      ...(entered.consents.length > 0 && { consents: entered.consents }),
      ...(quote !== null && { expectedTotal: toMajor(quote.totalMinor, quote.currency) }),
    });
    const request = { principal: 'storefront', path: shopId, key: buyer.key, body };
    const begun = await this.begin(request);
    const orderId = 'scope' in begun ? await this.placeOnce(shopId, begun, body, buyer) : String(begun.response);
    return orNotFound(await this.orders.findPublic(orderId, null), 'order_not_found');
  }

  /** The address at which the buyer pays; null when the provider cannot make a payment now, so that the order's page offers the others. */
  async paymentOf(order: Order, provider: string, returnTo: string): Promise<string | null> {
    try {
      const { url } = await this.payments.createFor(order, { provider }, returnTo);
      // A shop can name any address as its payment page.
      return /^https?:\/\//.test(url) ? url : null;
    } catch (error) {
      if (error instanceof AppError) return null;
      throw error;
    }
  }

  /** The browser shows the response to the second of two clicks, so that one waits for what the first one does. */
  private async begin(request: IdempotentRequest): Promise<BegunRequest> {
    for (let waits = 0; ; waits++) {
      try {
        return await this.idempotency.begin(request);
      } catch (error) {
        const isRunning = error instanceof AppError && error.code === 'idempotency_in_progress';
        if (!isRunning || waits >= MAX_WAITS) throw error;
        await pause(WAIT_MS);
      }
    }
  }

  private async placeOnce(
    shopId: string,
    { scope, creation }: { readonly scope: string; readonly creation: Creation },
    body: CheckoutDto,
    { address }: Buyer,
  ): Promise<string> {
    try {
      // The form has no shop in its path, so it takes its turn here, among those who check out by the API.
      const turn = { shopId, caller: networkOf(address), slot: currentSlot() };
      const { order } = await this.turns.run('checkout', turn, () =>
        this.checkout.placeOrder(shopId, creation, body, address),
      );
      await this.idempotency.finish(scope, order.id);
      return order.id;
    } catch (error) {
      const isRejected = error instanceof AppError && ERROR_CATALOGUE[error.code].status < 500;
      if (isRejected) await this.idempotency.forget(scope);
      throw error;
    }
  }
}

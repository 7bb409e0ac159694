import { Injectable } from '@nestjs/common';
import { nicknameKeyOf } from '../../platform/buyers/buyer-keys.js';
import { type ShopContext } from '../../platform/principal/auth-context.js';
import { AppError } from '../../platform/errors/app-error.js';
import { orNotFound } from '../../platform/errors/or-not-found.js';
import { requireValid } from '../../platform/errors/require-valid.js';
import { type Page, type PageRequest } from '../../platform/http/page.js';
import { mailboxOf } from '../../platform/validation/mailbox.js';
import { DeliveriesService, type DeliveryWithAttempts } from '../../delivery/deliveries/deliveries.service.js';
import { OrderSearchRepository } from './order-search.repository.js';
import { MAX_SHOWN_DELIVERIES, type Order, type OrderFilter, type OrderSummary } from '../order/order.types.js';

/** What staff look for: as `OrderFilter`, with the buyer as staff type the name or the address. */
export interface OrderSearch extends Omit<OrderFilter, 'nicknameKey' | 'buyerKey'> {
  readonly nickname?: string | undefined;
  readonly email?: string | undefined;
}

/** Orders, as the staff of a shop and its API keys read them. */
@Injectable()
export class StaffOrdersService {
  constructor(
    private readonly orders: OrderSearchRepository,
    private readonly deliveries: DeliveriesService,
  ) {}

  /**
   * The orders of the shop, newest first. A key that is bound to game servers sees what is for them or for any server.
   * @throws AppError permission_missing when a plugin key looks for an email address, validation_failed
   */
  list(context: ShopContext, search: OrderSearch, page: PageRequest): Promise<Page<OrderSummary>> {
    return this.orders.list(context.shopId, context.serverIds, filterOf(context, search), page);
  }

  /**
   * An order and its latest deliveries.
   * @throws AppError order_not_found, also for an order of a game server that the key is not bound to
   */
  async get(
    context: ShopContext,
    orderId: string,
  ): Promise<{ readonly order: Order; readonly deliveries: readonly DeliveryWithAttempts[] }> {
    const { shopId, serverIds } = context;
    const order = orNotFound(await this.orders.find(shopId, serverIds, orderId), 'order_not_found');
    const { items } = await this.deliveries.list(context, { orderId }, { after: null, limit: MAX_SHOWN_DELIVERIES });
    return { order, deliveries: items };
  }
}

function filterOf({ readsBuyers }: ShopContext, search: OrderSearch): OrderFilter {
  const { nickname, email, from, to } = search;
  if (email !== undefined && !readsBuyers) {
    throw new AppError('permission_missing', { message: 'A plugin key cannot look for the email address of a buyer' });
  }
  requireValid(from !== undefined && to !== undefined && from >= to ? ['from must be before to'] : []);
  return {
    ...search,
    nicknameKey: nickname === undefined ? undefined : nicknameKeyOf(nickname),
    buyerKey: email === undefined ? undefined : mailboxOf(email),
  };
}

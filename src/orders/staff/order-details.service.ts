import { Injectable } from '@nestjs/common';
import { ActorsService } from '../../access/actors/actors.service.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { DeliveriesService, type DeliveryWithAttempts } from '../../delivery/deliveries/deliveries.service.js';
import { type Order } from '../order/order.types.js';
import { OrdersService } from '../order/orders.service.js';
import { MAX_SHOWN_DELIVERIES } from './dto/staff-order.dto.js';
import { OrderSearchRepository } from './order-search.repository.js';

/** An order with what happened to it. */
export interface OrderDetails {
  readonly order: Order;
  /** Its latest deliveries. */
  readonly deliveries: readonly DeliveryWithAttempts[];
  /** The names of those who are in its history and have one. */
  readonly actorNames: ReadonlyMap<string, string>;
}

/** One order as the staff of a shop and its API keys read it. */
@Injectable()
export class OrderDetailsService {
  constructor(
    private readonly search: OrderSearchRepository,
    private readonly orders: OrdersService,
    private readonly deliveries: DeliveriesService,
    private readonly actors: ActorsService,
  ) {}

  /** @throws AppError order_not_found, also for an order of a game server that the key is not bound to */
  async get(context: ShopContext, orderId: string): Promise<OrderDetails> {
    const { shopId, serverIds, readsBuyers } = context;
    const found = orNotFound(await this.search.find(shopId, serverIds, orderId), 'order_not_found');
    const authors = readsBuyers ? new Set(found.history.map(({ actor }) => actor)) : [];
    const [[order = found], { items }, actorNames] = await Promise.all([
      this.orders.withEndedLeases(shopId, [found]),
      this.deliveries.list(context, { orderId }, { after: null, limit: MAX_SHOWN_DELIVERIES }),
      this.actors.namesOf(shopId, authors),
    ]);
    return { order, deliveries: items, actorNames };
  }
}

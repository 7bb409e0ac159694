import { Injectable } from '@nestjs/common';
import { type Transaction } from '../database/transactions.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { renderItems } from './delivery-rules.js';
import { type DeliverableOrder, type NewDelivery } from './delivery.types.js';

/**
 * One delivery for each item of an order.
 * @throws Error for an order whose commands are not safe: no checkout and no nickname change accepts one
 */
function deliveriesOf(order: DeliverableOrder, createdAt: Date): NewDelivery[] {
  const { id: orderId, serverId, nickname } = order;
  const rendered = renderItems(order);
  if ('problem' in rendered) throw new Error(`Order ${orderId} cannot be delivered: ${rendered.problem}`);
  return rendered.items.map((commands, position) => ({ orderId, serverId, position, nickname, commands, createdAt }));
}

/** The queue of what plugins must run. Every method is part of the transaction that changes the order. */
@Injectable()
export class DeliveriesService {
  constructor(private readonly deliveries: DeliveriesRepository) {}

  /** Queues an order's deliveries: new ones, and those that were held back. What a plugin has taken stays as it is. */
  async queue(order: DeliverableOrder, transaction: Transaction): Promise<void> {
    await this.deliveries.insertMissing(order.shopId, deliveriesOf(order, new Date()), transaction);
    await this.deliveries.move(order.shopId, order.id, 'queued', transaction);
  }

  /** Holds back what no plugin has taken yet. */
  revoke(shopId: string, orderId: string, transaction: Transaction): Promise<void> {
    return this.deliveries.move(shopId, orderId, 'revoked', transaction);
  }

  /** Renders waiting deliveries for the order's (new) nickname. */
  rename(order: DeliverableOrder, transaction: Transaction): Promise<void> {
    return this.deliveries.rename(order.shopId, deliveriesOf(order, new Date()), transaction);
  }
}

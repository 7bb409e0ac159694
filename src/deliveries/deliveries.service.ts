import { Injectable } from '@nestjs/common';
import { type Transaction } from '../database/transactions.js';
import { DeliveriesRepository, type QueuedDelivery } from './deliveries.repository.js';
import { renderCommand } from './delivery-rules.js';

/** The parts of an order that its deliveries are made from. */
export interface DeliverableOrder {
  readonly id: string;
  readonly shopId: string;
  readonly serverId: string | null;
  readonly nickname: string;
  readonly items: readonly { readonly quantity: number; readonly commands: readonly string[] }[];
}

function deliveriesOf(order: DeliverableOrder, createdAt: Date): QueuedDelivery[] {
  const { id: orderId, serverId, nickname } = order;
  return order.items.map(({ quantity, commands }, position) => ({
    orderId,
    serverId,
    position,
    nickname,
    commands: commands.map((template) => renderCommand(template, { nickname, orderId, quantity })),
    createdAt,
  }));
}

/** The queue of what plugins have to run. */
@Injectable()
export class DeliveriesService {
  constructor(private readonly deliveries: DeliveriesRepository) {}

  /** Queues an order's deliveries, or puts held back ones into the queue again. */
  queue(order: DeliverableOrder, transaction: Transaction): Promise<void> {
    return this.deliveries.queue(order.shopId, deliveriesOf(order, new Date()), transaction);
  }

  /** Holds back what no plugin has taken yet. */
  revoke(shopId: string, orderId: string, transaction: Transaction): Promise<void> {
    return this.deliveries.revoke(shopId, orderId, transaction);
  }

  /** Renders waiting deliveries for the order's (new) nickname. */
  rename(order: DeliverableOrder, transaction: Transaction): Promise<void> {
    return this.deliveries.rename(order.shopId, deliveriesOf(order, new Date()), transaction);
  }
}

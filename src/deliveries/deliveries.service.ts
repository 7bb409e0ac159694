import { Injectable } from '@nestjs/common';
import { CommandsService } from '../commands/commands.service.js';
import { type ShopContext } from '../common/auth/auth-context.js';
import { type Page, type PageRequest } from '../common/http/page.js';
import { type Transaction } from '../database/transactions.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveryAttemptsRepository } from './delivery-attempts.repository.js';
import { stateOfAll, unsafeCommand } from './delivery-rules.js';
import {
  type DeliverableOrder,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryFilter,
  type DeliveryState,
  type NewDelivery,
  type RenderableOrder,
} from './delivery.types.js';

/** One delivery for each item of an order. */
function deliveriesOf({ id: orderId, serverId, nickname, items }: DeliverableOrder, createdAt: Date): NewDelivery[] {
  return items.map(({ quantity, commandListId, requiresOnline }, position) => ({
    orderId,
    serverId,
    kind: 'purchase',
    position,
    nickname,
    quantity,
    commandListId,
    requiresOnline,
    createdAt,
  }));
}

/** A delivery with all its attempts, oldest first. */
export interface DeliveryWithAttempts extends Delivery {
  readonly attempts: readonly DeliveryAttempt[];
}

/** The queue of what plugins must run. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly attempts: DeliveryAttemptsRepository,
    private readonly commands: CommandsService,
  ) {}

  /**
   * Renders every command of an order, of all stages, with its nickname. Returns why its goods cannot be delivered or taken
   * back, in one sentence; null when they can.
   */
  async renderingProblem(order: RenderableOrder): Promise<string | null> {
    const { shopId, items } = order;
    const listIds = items.map(({ commandListId }) => commandListId);
    const commandsOf = await this.commands.ofLists(shopId, listIds);
    const withCommands = items.map(({ quantity, commandListId }) => {
      const { commands, takeBackCommands, expiryCommands } = commandsOf(commandListId);
      return { quantity, commands: [...commands, ...takeBackCommands, ...expiryCommands] };
    });
    return unsafeCommand({ ...order, items: withCommands });
  }

  /** Queues an order's deliveries: new ones, and those that were held back. The others stay as they are. */
  async queue(order: DeliverableOrder, transaction: Transaction): Promise<void> {
    await this.deliveries.insertMissing(order.shopId, deliveriesOf(order, new Date()), transaction);
    await this.deliveries.move(order.shopId, order.id, 'queued', transaction);
  }

  /** Holds back what is not delivered. A plugin that has leased some of it may still report that it was delivered. */
  revoke(shopId: string, orderId: string, transaction: Transaction): Promise<void> {
    return this.deliveries.move(shopId, orderId, 'revoked', transaction);
  }

  /** Gives waiting deliveries the order's (new) nickname. */
  async rename({ shopId, id: orderId, nickname, items }: DeliverableOrder, transaction: Transaction): Promise<void> {
    for (const requiresOnline of new Set(items.map((item) => item.requiresOnline))) {
      await this.deliveries.rename(shopId, { orderId, nickname, requiresOnline }, transaction);
    }
  }

  /**
   * Queues again what failed; or, when nothing failed, what was delivered.
   * @returns how many deliveries are queued again
   */
  async queueAgain(order: DeliverableOrder, transaction: Transaction): Promise<number> {
    const again = (from: DeliveryState): Promise<number> =>
      this.deliveries.queueAgain(order.shopId, { orderId: order.id, from }, transaction);
    const count = (await again('failed')) || (await again('delivered'));
    // The order may have got a new nickname since, and after its last attempt a delivery no longer waits for a player.
    if (count > 0) await this.rename(order, transaction);
    return count;
  }

  /** The state of the goods of each of these orders that has deliveries. */
  async statesOf(
    shopId: string,
    orderIds: readonly string[],
    transaction: Transaction,
  ): Promise<ReadonlyMap<string, DeliveryState>> {
    const states = await this.deliveries.statesOf(shopId, orderIds, transaction);
    return new Map([...states].map(([orderId, ofOrder]) => [orderId, stateOfAll(ofOrder)]));
  }

  /** A key that is bound to game servers sees what is for them or for any server. */
  async list(
    { shopId, serverIds }: ShopContext,
    filter: DeliveryFilter,
    page: PageRequest,
  ): Promise<Page<DeliveryWithAttempts>> {
    const deliveries = await this.deliveries.list(shopId, serverIds, filter, page);
    const ids = deliveries.items.map(({ id }) => id);
    const attempts = await this.attempts.findOf(shopId, ids, null);
    const ofDelivery = (id: string): DeliveryAttempt[] => attempts.filter(({ deliveryId }) => deliveryId === id);
    return deliveries.map((delivery) => ({ ...delivery, attempts: ofDelivery(delivery.id) }));
  }
}

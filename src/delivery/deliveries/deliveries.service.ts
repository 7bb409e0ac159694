import { Injectable } from '@nestjs/common';
import { CommandsService } from '../../catalogue/commands/commands.service.js';
import { type ShopContext } from '../../platform/principal/auth-context.js';
import { type Page, type PageRequest } from '../../platform/http/page.js';
import { type Transaction } from '../../platform/database/transactions.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveryAttemptsRepository } from './delivery-attempts.repository.js';
import { isRenamable, STATE_BY_MONEY, unsafeCommand } from './delivery-rules.js';
import {
  type DeliverableOrder,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryFilter,
  type DeliveryProgress,
  type DeliveryState,
  type MoneyHolder,
  type NewDelivery,
  type Renamer,
  type RenderableOrder,
} from './delivery.types.js';
import {
  type FollowUp,
  followUpsOf,
  hasFollowUps,
  itemsOf,
  receivedOf,
  redelivered,
  deliveryStatesOf,
} from './follow-ups.js';
import { OrderDeliveriesRepository } from './order-deliveries.repository.js';

/** The delivery of the purchase for each item of an order. */
function deliveriesOf({ id: orderId, serverId, nickname, items }: DeliverableOrder, createdAt: Date): NewDelivery[] {
  return items.map(({ quantity, commandListId, requiresOnline, durationDays }, position) => ({
    orderId,
    serverId,
    kind: 'purchase',
    position,
    nickname,
    quantity,
    commandListId,
    requiresOnline,
    durationDays,
    moneyIsBack: false,
    dueAt: createdAt,
    createdAt,
  }));
}

const purchasesOf = (deliveries: readonly Delivery[]): Delivery[] =>
  deliveries.filter(({ kind }) => kind === 'purchase');

/** A delivery with all its attempts, oldest first. */
export interface DeliveryWithAttempts extends Delivery {
  readonly attempts: readonly DeliveryAttempt[];
}

/** The queue of what plugins must run. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly ofOrders: OrderDeliveriesRepository,
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

  /** Queues what an order bought. Deliveries that it has already stay as they are. */
  queue(order: DeliverableOrder, transaction: Transaction): Promise<void> {
    return this.ofOrders.insertMissing(order.shopId, deliveriesOf(order, new Date()), transaction);
  }

  /**
   * Moves what is not delivered of an order to the state that its money requires (`STATE_BY_MONEY`). A plugin that has leased some
   * of it may still report that it was delivered. When the buyer has the money, `follow` revokes what is delivered.
   */
  async followMoney(shopId: string, orderId: string, money: MoneyHolder, transaction: Transaction): Promise<void> {
    await this.ofOrders.setMoneyIsBack(shopId, orderId, money === 'buyer', transaction);
    await this.ofOrders.movePurchases(shopId, orderId, STATE_BY_MONEY[money], transaction);
  }

  /**
   * Makes the purchases of an order be for another player.
   * @returns false when one of them cannot be (`isRenamable`): then nothing is written
   */
  async rename(
    { shopId, id }: Pick<DeliverableOrder, 'shopId' | 'id'>,
    nickname: string,
    by: Renamer,
    transaction: Transaction,
  ): Promise<boolean> {
    const purchases = purchasesOf(await this.ofOrders.findOf(shopId, [id], transaction));
    if (!purchases.every((purchase) => isRenamable(purchase, by))) return false;
    await this.ofOrders.rename(shopId, purchases, nickname, transaction);
    return true;
  }

  /**
   * Queues again what failed; or, when nothing failed, what was delivered. With the money, the goods; without it, the take-back.
   * @returns how many deliveries are queued again
   */
  async queueAgain(
    { shopId, id }: Pick<DeliverableOrder, 'shopId' | 'id'>,
    money: MoneyHolder,
    transaction: Transaction,
  ): Promise<number> {
    const deliveries = redelivered(await this.ofOrders.findOf(shopId, [id], transaction), money);
    const dueAt = new Date();
    for (const delivery of deliveries) {
      // What was delivered once is delivered again to the same player.
      const nickname = delivery.deliveredTo ?? delivery.nickname;
      await this.ofOrders.queue(delivery, { nickname, dueAt }, transaction);
    }
    return deliveries.length;
  }

  /**
   * Queues and revokes the take-backs and expiries of these orders (`followUpsOf`), in the transaction that changed their
   * deliveries.
   * @returns the state of the goods of each of these orders that has deliveries
   */
  async follow(
    shopId: string,
    orderIds: readonly string[],
    transaction: Transaction,
  ): Promise<ReadonlyMap<string, DeliveryState>> {
    const items = itemsOf(await this.ofOrders.findOf(shopId, orderIds, transaction));
    const followed = items.filter(hasFollowUps);
    const listIds = followed.map(({ purchase }) => purchase.commandListId);
    const stagesOf = await this.commands.ofLists(shopId, listIds);
    const now = new Date();
    for (const item of followed) {
      for (const followUp of followUpsOf(item, stagesOf(item.purchase.commandListId), now)) {
        await this.apply(shopId, followUp, transaction);
      }
    }
    return deliveryStatesOf(items);
  }

  private apply(shopId: string, followUp: FollowUp, transaction: Transaction): Promise<void> {
    switch (followUp.to) {
      case 'added':
        return this.ofOrders.insertMissing(shopId, [followUp.delivery], transaction);
      case 'queued':
        return this.ofOrders.queue(followUp.before, followUp.delivery, transaction);
      case 'revoked':
        return this.ofOrders.revoke(followUp.before, transaction);
    }
  }

  async progressOf(shopId: string, orderId: string): Promise<DeliveryProgress> {
    const deliveries = await this.ofOrders.findOf(shopId, [orderId], null);
    return {
      received: receivedOf(itemsOf(deliveries)),
      isRenamable: purchasesOf(deliveries).every((purchase) => isRenamable(purchase, 'buyer')),
    };
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

import { Injectable } from '@nestjs/common';
import { CommandsService } from '../../catalogue/commands/commands.service.js';
import { ServersService } from '../../catalogue/servers/servers.service.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { isWaiting } from './delivery-rules.js';
import { type Delivery, type DeliveryState, isDone, type ItemTerms } from './delivery.types.js';
import {
  deliveryStatesOf,
  type FollowUp,
  followUpsOf,
  hasFollowUps,
  type ItemDeliveries,
  itemsOf,
} from './follow-ups.js';
import { OrderDeliveriesRepository } from './order-deliveries.repository.js';

/** What follows from a change of deliveries, of money, or of what else a player owns. */
@Injectable()
export class FollowUpsService {
  constructor(
    private readonly ofOrders: OrderDeliveriesRepository,
    private readonly commands: CommandsService,
    private readonly servers: ServersService,
  ) {}

  /** All deliveries of these orders, for `queue` in the same transaction. */
  deliveriesOf(shopId: string, orderIds: readonly string[], transaction: Transaction): Promise<Delivery[]> {
    return this.ofOrders.findOf(shopId, orderIds, transaction);
  }

  /**
   * Queues and revokes what follows from the terms of items (`followUpsOf`), and marks as failed what waits for a deleted game server, in
   * the transaction that changed their deliveries.
   * @param deliveries as `deliveriesOf` returned them
   * @param termsOf the terms of the item of a purchase; null: nothing has changed for it
   * @returns the delivery status of each of these orders that has deliveries
   */
  async queue(
    shopId: string,
    deliveries: readonly Delivery[],
    termsOf: (purchase: Delivery) => ItemTerms | null,
    transaction: Transaction,
  ): Promise<ReadonlyMap<string, DeliveryState>> {
    const items = itemsOf(deliveries);
    const followed = items.flatMap((item) => {
      const terms = termsOf(item.purchase);
      return terms !== null && hasFollowUps(item, terms) ? [{ item, terms }] : [];
    });
    const listIds = followed.map(({ item }) => item.purchase.commandListId);
    const stagesOf = await this.commands.ofLists(shopId, listIds, transaction);
    const now = new Date();
    const followUps = followed.flatMap(({ item, terms }) =>
      followUpsOf(item, terms, stagesOf(item.purchase.commandListId), now),
    );
    for (const followUp of followUps) await this.apply(shopId, followUp, transaction);
    const queued = followUps.flatMap((followUp) => ('delivery' in followUp ? [followUp.delivery] : []));
    const orderIds = [...new Set(deliveries.map(({ orderId }) => orderId))];
    const waiting = [...deliveries.filter((delivery) => isWaiting(delivery, now)), ...queued];
    const isChanged = await this.failStranded(shopId, waiting, now, transaction);
    const isPurchaseChanged = followUps.some(
      (followUp) => (followUp.to === 'queued' || followUp.to === 'revoked') && followUp.before.kind === 'purchase',
    );
    if (!isChanged && !isPurchaseChanged) return deliveryStatesOf(items);
    return deliveryStatesOf(itemsOf(await this.ofOrders.findOf(shopId, orderIds, transaction)));
  }

  /** Marks deliveries as failed that wait for a deleted game server. @returns whether there are any */
  private async failStranded(
    shopId: string,
    waiting: readonly Pick<Delivery, 'orderId' | 'serverId'>[],
    now: Date,
    transaction: Transaction,
  ): Promise<boolean> {
    const serverIds = [...new Set(waiting.flatMap(({ serverId }) => serverId ?? []))];
    const deleted = serverIds.length === 0 ? [] : await this.servers.deletedOf(shopId, serverIds, transaction);
    if (deleted.length === 0) return false;
    const orderIds = [...new Set(waiting.map(({ orderId }) => orderId))];
    await this.ofOrders.failWaiting(shopId, { orderIds, serverIds: deleted, now }, transaction);
    return true;
  }

  /**
   * Transfers the purchase of an item to another player; `queue` follows in the same transaction.
   * @param runs whether it is taken back from the player and given to the other one; false: it is renamed in the game
   * @returns false when it is on its way, so that nobody knows who has it
   */
  async transfer(
    { purchase, takeBack, expiry }: ItemDeliveries,
    nickname: string,
    runs: 'nothing' | 'giving' | 'both',
    transaction: Transaction,
  ): Promise<boolean> {
    const isRunning = [takeBack, expiry].some((one) => one?.state === 'leased' || one?.state === 'uncertain');
    const isStill = isDone(purchase.state) && purchase.transferFrom === null && !isRunning;
    if (!isStill || takeBack?.state === 'queued') return false;
    const from = purchase.deliveredTo ?? purchase.nickname;
    await this.ofOrders.transfer(purchase, nickname, runs === 'both' ? from : null, transaction);
    if (runs === 'giving')
      await this.ofOrders.queue(purchase, { nickname, dueAt: new Date(), stage: 'first' }, transaction);
    return true;
  }

  private apply(shopId: string, followUp: FollowUp, transaction: Transaction): Promise<void> {
    switch (followUp.to) {
      case 'added':
        return this.ofOrders.insertMissing(shopId, [followUp.delivery], transaction);
      case 'queued':
        return this.ofOrders.queue(followUp.before, followUp.delivery, transaction);
      case 'staged':
        return this.ofOrders.setStage(followUp.before, followUp.stage, transaction);
      case 'revoked':
        return this.ofOrders.revoke(followUp.before, transaction);
    }
  }
}

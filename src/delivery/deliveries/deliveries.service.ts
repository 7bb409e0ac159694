import { Injectable } from '@nestjs/common';
import { CommandsService } from '../../catalogue/commands/commands.service.js';
import { ServersService } from '../../catalogue/servers/servers.service.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { AppError } from '../../domain/errors/app-error.js';
import { type Page, type PageRequest } from '../../lib/paging/page.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveryAttemptsRepository } from './delivery-attempts.repository.js';
import { commandsFor, endedLeases, isRenamable, STATE_BY_MONEY, unsafeCommand } from './delivery-rules.js';
import {
  type DeliverableOrder,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryFilter,
  type DeliveryProgress,
  type DeliveryState,
  type MoneyHolder,
  type Renamer,
  type RenderableOrder,
} from './delivery.types.js';
import {
  itemProgressOf,
  itemsOf,
  receivedOf,
  redelivered,
  redeliveryProblem,
  type RedeliveryProblem,
  deliveryStatesOf,
} from './follow-ups.js';
import { deliveriesOf, deliveryOf } from './new-deliveries.js';
import { OrderDeliveriesRepository } from './order-deliveries.repository.js';

const MAY_RUN_TWICE = {
  message:
    'Nobody knows whether the commands ran: decide the delivery, or send mayRunTwice: true when they may run once more',
};

const purchasesOf = (deliveries: readonly Delivery[]): Delivery[] =>
  deliveries.filter(({ kind }) => kind === 'purchase');

/** A delivery with all its attempts, oldest first, and what a plugin runs for it (`commandsFor`). */
export interface DeliveryWithAttempts extends Delivery {
  readonly commands: readonly string[] | null;
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
    private readonly servers: ServersService,
  ) {}

  /**
   * Renders every command of an order, of all stages, with its nickname. Returns why its items cannot be delivered or
   * revoked, in one sentence; null when they can.
   */
  async renderingProblem(order: RenderableOrder): Promise<string | null> {
    const { shopId, items } = order;
    const listIds = items.map(({ commandListId }) => commandListId);
    const commandsOf = await this.commands.ofLists(shopId, listIds, null);
    const withCommands = items.map(({ quantity, commandListId }) => {
      return { quantity, commands: Object.values(commandsOf(commandListId)).flat() };
    });
    return unsafeCommand({ ...order, items: withCommands });
  }

  /**
   * Queues what an order bought. Deliveries that it has already stay as they are. `FollowUpsService` marks them as failed when the
   * game server was deleted.
   */
  queue(order: DeliverableOrder, transaction: Transaction): Promise<void> {
    return this.ofOrders.insertMissing(order.shopId, deliveriesOf(order, new Date()), transaction);
  }

  /**
   * Moves what is not delivered of an order to the state that its money requires (`STATE_BY_MONEY`). A plugin that has leased some
   * of it may still report that it was delivered. When the buyer has the money, `FollowUpsService` revokes what is delivered. Items that a
   * refund has taken back are the buyer's money, whatever becomes of the rest.
   */
  async applyMoneyState(
    { shopId, id: orderId, items }: Pick<DeliverableOrder, 'shopId' | 'id' | 'items'>,
    money: MoneyHolder,
    transaction: Transaction,
  ): Promise<void> {
    const holders = items.map(({ takenBack = false }) => (takenBack ? 'buyer' : money));
    for (const holder of new Set(holders)) {
      const positions = holders.flatMap((one, position) => (one === holder ? [position] : []));
      await this.ofOrders.setMoneyIsBack(shopId, { orderId, positions }, holder === 'buyer', transaction);
      await this.ofOrders.movePurchases(shopId, { orderId, positions }, STATE_BY_MONEY[holder], transaction);
    }
  }

  /**
   * Assigns the purchases of an order to another player.
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
   * Queues again what `redelivered` chooses: the purchases when the shop has the money, the take-backs when the buyer has it.
   * @param only `deliveryId`: only this delivery; `mayRunTwice`: also what is uncertain
   * @returns the deliveries that are queued again
   * @throws AppError delivery_not_found; not_redeliverable when there are none, or they may run twice
   */
  async queueAgain(
    { shopId, id }: Pick<DeliverableOrder, 'shopId' | 'id'>,
    money: MoneyHolder,
    {
      deliveryId,
      mayRunTwice = false,
    }: { readonly deliveryId?: string | undefined; readonly mayRunTwice?: boolean | undefined },
    transaction: Transaction,
  ): Promise<readonly Delivery[]> {
    const all = await this.ofOrders.findOf(shopId, [id], transaction);
    const chosen = deliveryId === undefined ? all : [deliveryOf(all, deliveryId)];
    const found = redelivered(chosen, money);
    if (!mayRunTwice && found.some(({ state }) => state === 'uncertain'))
      throw new AppError('not_redeliverable', MAY_RUN_TWICE);
    const deliveries = await this.requireServers(shopId, found, transaction);
    const dueAt = new Date();
    for (const delivery of deliveries) {
      // What was delivered once is delivered again to the same player.
      const nickname = delivery.deliveredTo ?? delivery.nickname;
      await this.ofOrders.queue(delivery, { nickname, dueAt, stage: delivery.stage }, transaction);
    }
    return deliveries;
  }

  /**
   * Queues those of some deliveries again that failed: nothing that was delivered runs once more.
   * @param moneyOf who has the money of each order
   * @returns for each delivery why it is not queued again; null: it is
   */
  async queueFailedAgain(
    shopId: string,
    moneyOf: ReadonlyMap<string, MoneyHolder>,
    deliveryIds: ReadonlySet<string>,
    transaction: Transaction,
  ): Promise<ReadonlyMap<string, RedeliveryProblem | null>> {
    const all = await this.ofOrders.findOf(shopId, [...moneyOf.keys()], transaction);
    const chosen = all.filter(({ id }) => deliveryIds.has(id));
    const isReachable = await this.reachability(shopId, chosen, transaction);
    const dueAt = new Date();
    const results = new Map<string, RedeliveryProblem | null>();
    for (const delivery of chosen) {
      const problem = redeliveryProblem(delivery, moneyOf.get(delivery.orderId) ?? 'unclear', isReachable(delivery));
      results.set(delivery.id, problem);
      const nickname = delivery.deliveredTo ?? delivery.nickname;
      if (problem === null)
        await this.ofOrders.queue(delivery, { nickname, dueAt, stage: delivery.stage }, transaction);
    }
    return results;
  }

  /** Which of these deliveries have a game server that was not deleted. @throws AppError not_redeliverable when there are none */
  private async requireServers(
    shopId: string,
    deliveries: readonly Delivery[],
    transaction: Transaction,
  ): Promise<readonly Delivery[]> {
    if (deliveries.length === 0) throw new AppError('not_redeliverable');
    const reachable = deliveries.filter(await this.reachability(shopId, deliveries, transaction));
    if (reachable.length > 0) return reachable;
    throw new AppError('not_redeliverable', {
      message: 'The game server of the delivery was deleted: refund the order, or give the player the items yourself',
    });
  }

  /** Returns whether the game server of one of these deliveries was not deleted. */
  private async reachability(
    shopId: string,
    deliveries: readonly Delivery[],
    transaction: Transaction,
  ): Promise<(delivery: Delivery) => boolean> {
    const serverIds = new Set(deliveries.flatMap(({ serverId }) => serverId ?? []));
    const deleted = new Set(await this.servers.deletedOf(shopId, [...serverIds], transaction));
    return ({ serverId }) => serverId === null || !deleted.has(serverId);
  }

  /** The delivery status of each of these orders that has deliveries. */
  async statesOf(
    shopId: string,
    orderIds: readonly string[],
    transaction: Transaction,
  ): Promise<ReadonlyMap<string, DeliveryState>> {
    return deliveryStatesOf(itemsOf(await this.ofOrders.findOf(shopId, orderIds, transaction)));
  }

  /** Orders of a shop with deliveries that wait for a game server, at most as many as `limit`. */
  ordersWaitingFor(shopId: string, serverId: string, limit: number, transaction: Transaction): Promise<string[]> {
    return this.ofOrders.findWaiting(shopId, serverId, { now: new Date(), limit }, transaction);
  }

  /** Whether a delivery waits for a game server, or a plugin there has it. */
  isWaitedFor(shopId: string, serverId: string, transaction: Transaction): Promise<boolean> {
    return this.ofOrders.isWaitedFor(shopId, serverId, transaction);
  }

  /**
   * Assigns the purchase of one item to another player.
   * @returns the delivery as it was before
   * @throws AppError delivery_not_found, nickname_locked, nickname_unchanged
   */
  async renameOne(
    { shopId, id }: Pick<DeliverableOrder, 'shopId' | 'id'>,
    deliveryId: string,
    nickname: string,
    transaction: Transaction,
  ): Promise<Delivery> {
    const delivery = deliveryOf(await this.ofOrders.findOf(shopId, [id], transaction), deliveryId);
    if (delivery.kind !== 'purchase' || !isRenamable(delivery, 'staff')) throw new AppError('nickname_locked');
    if (delivery.nickname === nickname)
      throw new AppError('nickname_unchanged', { message: 'The delivery already has this nickname' });
    await this.ofOrders.rename(shopId, [delivery], nickname, transaction);
    return delivery;
  }

  /** Which of these orders have only leases that are over: what plugins had leased of them waits for the game server again. */
  async withEndedLeases(shopId: string, orderIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (orderIds.length === 0) return new Set();
    return new Set(endedLeases(await this.ofOrders.leasesOf(shopId, orderIds), new Date()).keys());
  }

  async progressOf(shopId: string, orderId: string): Promise<DeliveryProgress> {
    const deliveries = await this.ofOrders.findOf(shopId, [orderId], null);
    const leases = purchasesOf(deliveries).filter(({ state }) => state === 'leased');
    const [items, now] = [itemsOf(deliveries), new Date()];
    return {
      items: items.map((item) => itemProgressOf(item, now)),
      received: receivedOf(items),
      endedAttempt: endedLeases(leases, now).get(orderId) ?? null,
      isRenamable: purchasesOf(deliveries).every((purchase) => isRenamable(purchase, 'buyer')),
    };
  }

  /** A key that is bound to game servers sees what is for them or for any server. */
  async list(
    { shopId, serverIds }: ShopContext,
    filter: DeliveryFilter,
    page: PageRequest,
  ): Promise<Page<DeliveryWithAttempts>> {
    const deliveries = await this.deliveries.list(shopId, serverIds, filter, page, new Date());
    const withAttempts = await this.attemptsAndCommandsOf(shopId, deliveries.items);
    return deliveries.map(withAttempts);
  }

  /** All deliveries of an order. */
  async listOf(shopId: string, orderId: string): Promise<DeliveryWithAttempts[]> {
    const deliveries = await this.ofOrders.findOf(shopId, [orderId], null);
    return deliveries.map(await this.attemptsAndCommandsOf(shopId, deliveries));
  }

  /** Returns what adds their attempts and their commands to these deliveries. */
  private async attemptsAndCommandsOf(
    shopId: string,
    deliveries: readonly Delivery[],
  ): Promise<(delivery: Delivery) => DeliveryWithAttempts> {
    const ids = deliveries.map(({ id }) => id);
    const listIds = deliveries.map(({ commandListId }) => commandListId);
    const [attempts, stagesOf] = await Promise.all([
      this.attempts.findOf(shopId, ids, null),
      this.commands.ofLists(shopId, listIds, null),
    ]);
    const ofDelivery = (id: string): DeliveryAttempt[] => attempts.filter(({ deliveryId }) => deliveryId === id);
    return (delivery) => {
      const commands = commandsFor(delivery, stagesOf(delivery.commandListId));
      return { ...delivery, attempts: ofDelivery(delivery.id), commands };
    };
  }
}

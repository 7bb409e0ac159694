import { Injectable } from '@nestjs/common';
import { CommandsService } from '../../catalogue/commands/commands.service.js';
import { canMove } from '../../lib/states/transitions.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { DELIVERY_TRANSITIONS } from './delivery-transitions.js';
import { type Delivery } from './delivery.types.js';
import { type ItemDeliveries, itemsOf } from './follow-ups.js';
import { keepersOf, nextNameCheck, type RunningItem, runningOf } from './kept-names.js';
import { KeptNamesRepository } from './kept-names.repository.js';
import { OrderDeliveriesRepository } from './order-deliveries.repository.js';

/** An order of an erased buyer, some of whose deliveries keep the name. */
export interface KeepingOrder {
  readonly shopId: string;
  readonly orderId: string;
}

/** The names of erased buyers in what is still to run for items that they have. */
@Injectable()
export class KeptNamesService {
  constructor(
    private readonly names: KeptNamesRepository,
    private readonly deliveries: OrderDeliveriesRepository,
    private readonly commands: CommandsService,
  ) {}

  /** What is still to run for items of these orders. */
  async runningOf(
    shopId: string,
    orderIds: readonly string[],
    transaction: Transaction | null,
  ): Promise<readonly RunningItem[]> {
    const now = new Date();
    if (orderIds.length === 0) return [];
    const deliveries = await this.deliveries.findOf(shopId, orderIds, transaction);
    const items = await this.itemsIn(shopId, deliveries, transaction);
    return items.map(([item, stages]) => runningOf(item, stages, now)).filter((running) => running !== null);
  }

  /**
   * Marks the deliveries of an order that keep the name, until the next check; all others lose the mark.
   * @returns how many items keep it
   */
  async keep(shopId: string, orderId: string, transaction: Transaction): Promise<number> {
    const now = new Date();
    const deliveries = await this.deliveries.findOf(shopId, [orderId], transaction);
    const keepers = await this.keepersIn(shopId, deliveries, now, transaction);
    const checkAt = nextNameCheck(keepers, now);
    await this.names.set(shopId, orderId, { ids: keepers.map(({ id }) => id), checkAt }, transaction);
    return keepers.filter(({ kind }) => kind === 'purchase').length;
  }

  /** Revokes what is still to run after the purchases of an order. None of its deliveries keeps the name. */
  async drop(shopId: string, orderId: string, transaction: Transaction): Promise<void> {
    for (const delivery of await this.deliveries.findOf(shopId, [orderId], transaction)) {
      const { kind, state } = delivery;
      if (kind === 'purchase' || state === 'revoked' || !canMove(DELIVERY_TRANSITIONS, state, 'revoked')) continue;
      await this.deliveries.revoke(delivery, transaction);
    }
    await this.names.set(shopId, orderId, { ids: [], checkAt: new Date() }, transaction);
  }

  /** Which of these orders have deliveries that keep the name of an erased buyer. */
  async keepingAmong(shopId: string, orderIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (orderIds.length === 0) return new Set();
    const deliveries = await this.deliveries.findOf(shopId, orderIds, null);
    return new Set(deliveries.filter(isKeeping).map(({ orderId }) => orderId));
  }

  /** Claims orders of all shops whose kept names are due to be checked: no other process gets them before `until`. */
  async claim(until: Date, limit: number, transaction: Transaction): Promise<KeepingOrder[]> {
    const deliveries = await this.names.claim(new Date(), until, limit, transaction);
    return deliveries.map(({ shopId, orderId }) => ({ shopId, orderId }));
  }

  /**
   * The names that deliveries of an order keep, as they were typed, and whether one of these deliveries needs its name no more. Then an
   * erasure of the order removes it, and keeps what is still to run.
   */
  async check({
    shopId,
    orderId,
  }: KeepingOrder): Promise<{ readonly names: readonly string[]; readonly isDone: boolean }> {
    const deliveries = await this.deliveries.findOf(shopId, [orderId], null);
    const keeping = deliveries.filter(isKeeping);
    const needed = await this.keepersIn(shopId, deliveries, new Date(), null);
    const names = keeping.flatMap(({ nickname, deliveredTo }) => [nickname, deliveredTo ?? nickname]);
    const isNeeded = (delivery: Delivery): boolean => needed.some(({ id }) => id === delivery.id);
    return { names: [...new Set(names)], isDone: !keeping.every(isNeeded) };
  }

  private async keepersIn(
    shopId: string,
    deliveries: readonly Delivery[],
    now: Date,
    transaction: Transaction | null,
  ): Promise<readonly Delivery[]> {
    const items = await this.itemsIn(shopId, deliveries, transaction);
    return items.flatMap(([item, stages]) => keepersOf(item, stages, now));
  }

  /** The items that all these deliveries of some orders are about, each with its commands. */
  private async itemsIn(shopId: string, deliveries: readonly Delivery[], transaction: Transaction | null) {
    const items = itemsOf(deliveries);
    const listIds = items.map(({ purchase }) => purchase.commandListId);
    const commandsOf = await this.commands.ofLists(shopId, listIds, transaction);
    return items.map((item: ItemDeliveries) => [item, commandsOf(item.purchase.commandListId)] as const);
  }
}

const isKeeping = ({ nameCheckAt }: Delivery): boolean => nameCheckAt !== null;

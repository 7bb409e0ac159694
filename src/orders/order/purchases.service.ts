import { Injectable } from '@nestjs/common';
import { inParallel } from '../../lib/concurrency/in-parallel.js';
import { type PaymentStatus } from './order.types.js';
import { type Player, type Purchase } from './purchase.types.js';
import { PurchasesRepository } from './purchases.repository.js';

/** The payments that the shop keeps, at least a part of each. */
const KEPT: readonly PaymentStatus[] = ['paid', 'partially_refunded'];

const READS_AT_ONCE = 5;

/** Recent purchases and their players, for public views. */
@Injectable()
export class PurchasesService {
  constructor(private readonly purchases: PurchasesRepository) {}

  /**
   * The latest purchases whose payment the shop keeps, newest first: not those that were given back, or are disputed.
   * @param among how many of the orders that were paid last are read. It bounds the read when most of them were refunded
   */
  async latest(shopId: string, among: number): Promise<Purchase[]> {
    const orders = await this.purchases.latest(shopId, among);
    return orders
      .filter(({ paymentStatus }) => KEPT.includes(paymentStatus))
      .map(({ paymentStatus: _, ...purchase }) => purchase);
  }

  /**
   * The players of some buyers, in the order of the buyers: the one that each has paid for last. A nickname that was corrected
   * after the purchase is the new one. Needs one small read by an index for each buyer.
   */
  async playersOf(shopId: string, buyerKeys: readonly string[]): Promise<Player[]> {
    const found = new Map<string, Player>();
    await inParallel(buyerKeys, READS_AT_ONCE, async (buyerKey) => {
      const player = await this.purchases.findPlayer(shopId, buyerKey);
      if (player !== null) found.set(buyerKey, player);
    });
    return buyerKeys.flatMap((buyerKey) => found.get(buyerKey) ?? []);
  }
}

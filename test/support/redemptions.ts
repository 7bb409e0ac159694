import { expect } from '@jest/globals';
import { type BuyerKeys } from '../../src/domain/buyers/buyer-keys.js';
import { canMove } from '../../src/lib/states/transitions.js';
import { type Transaction } from '../../src/infrastructure/database/transactions.js';
import {
  type Redemption,
  REDEMPTION_TRANSITIONS,
  type RedemptionState,
} from '../../src/orders/reservations/redemption.types.js';
import { type RedemptionsRepository } from '../../src/orders/reservations/redemptions.repository.js';
import { SHOP } from './contexts.js';
import { TRANSACTION } from './fakes.js';

/** What a use has when a spec does not say otherwise. */
export const DISCOUNT = '655f1c2ab1e4a9d3f0c81280';
export const BUYER = { buyerKey: 'steve@example.com', nicknameKey: 'steve_42' };
export const NOW = new Date('2026-11-21T12:00:00.000Z');

/** The uses in memory. Checks that every call takes the transaction of the order. */
export class FakeRedemptions implements Pick<
  RedemptionsRepository,
  'insert' | 'count' | 'hasReserved' | 'redeem' | 'release'
> {
  readonly uses: Redemption[] = [];
  /** How often the uses of a buyer were counted. */
  countsOfBuyers = 0;

  add(state: RedemptionState, orderId: string, fields: Partial<Redemption> = {}): void {
    const id = `use ${this.uses.length}`;
    this.uses.push({ id, shopId: SHOP, discountId: DISCOUNT, orderId, ...BUYER, state, at: NOW, ...fields });
  }

  insert(shopId: string, values: Omit<Redemption, 'id' | 'shopId'>, transaction: Transaction): Promise<Redemption> {
    expect(transaction).toBe(TRANSACTION);
    const use = { id: `use ${this.uses.length}`, shopId, ...values };
    this.uses.push(use);
    return Promise.resolve(use);
  }

  count(shopId: string, discountId: string, buyer: BuyerKeys, transaction: Transaction | null): Promise<number> {
    expect(transaction).toBe(TRANSACTION);
    this.countsOfBuyers++;
    const counted = this.usesOf(shopId, discountId, buyer).filter(({ state }) => state !== 'released');
    return Promise.resolve(counted.length);
  }

  hasReserved(shopId: string, discountId: string, buyer: BuyerKeys, transaction: Transaction | null): Promise<boolean> {
    expect(transaction).toBe(TRANSACTION);
    return Promise.resolve(this.usesOf(shopId, discountId, buyer).some(({ state }) => state === 'reserved'));
  }

  private usesOf(shopId: string, discountId: string, buyer: BuyerKeys): Redemption[] {
    return this.uses.filter(
      (use) =>
        use.shopId === shopId &&
        use.discountId === discountId &&
        (use.buyerKey === buyer.buyerKey || use.nicknameKey === buyer.nicknameKey),
    );
  }

  redeem(shopId: string, orderId: string, transaction: Transaction): Promise<Redemption | null> {
    return this.move(shopId, orderId, 'redeemed', transaction);
  }

  private move(
    shopId: string,
    orderId: string,
    state: RedemptionState,
    transaction: Transaction,
  ): Promise<Redemption | null> {
    expect(transaction).toBe(TRANSACTION);
    const index = this.uses.findIndex((use) => use.shopId === shopId && use.orderId === orderId);
    const before = this.uses[index];
    if (!before || before.state === state || !canMove(REDEMPTION_TRANSITIONS, before.state, state)) {
      return Promise.resolve(null);
    }
    this.uses[index] = { ...before, state };
    return Promise.resolve(before);
  }

  async release(shopId: string, orderIds: readonly string[], transaction: Transaction): Promise<Redemption[]> {
    const moved: Redemption[] = [];
    for (const orderId of orderIds) {
      const before = await this.move(shopId, orderId, 'released', transaction);
      if (before !== null) moved.push(before);
    }
    return moved;
  }

  stateOf(orderId: string): RedemptionState | undefined {
    return this.uses.find((use) => use.orderId === orderId)?.state;
  }
}

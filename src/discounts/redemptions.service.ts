import { Injectable } from '@nestjs/common';
import { AppError } from '../common/errors/app-error.js';
import { type MinorUnits } from '../common/money/money.js';
import { type Transaction } from '../database/transactions.js';
import { discountAmount, normaliseCode, reasonsAgainst } from './discount-rules.js';
import { DiscountsRepository } from './discounts.repository.js';

/** An order that wants to use a code. */
export interface Reservation {
  readonly code: string;
  readonly orderId: string;
  readonly buyerKey: string;
  readonly hasPaidBefore: boolean;
  readonly items: readonly { readonly productId: string; readonly totalMinor: MinorUnits }[];
  readonly serverId: string | null;
  readonly now: Date;
}

/**
 * The uses of a code: reserved when an order is created, redeemed when it is paid, released when it will never be. Each
 * step is one conditional write inside the order's own transaction, so a code for n uses is never used n + 1 times.
 */
@Injectable()
export class RedemptionsService {
  constructor(private readonly discounts: DiscountsRepository) {}

  /**
   * Reserves a use. A code that no longer holds refuses the order, rather than silently charging the full price.
   * @returns what is taken off, in minor units
   * @throws AppError discount_not_applicable with the reasons
   */
  async reserve(
    shopId: string,
    request: Reservation,
    transaction: Transaction,
  ): Promise<{ discountId: string; code: string; amountMinor: MinorUnits }> {
    const code = normaliseCode(request.code);
    const discount = await this.discounts.findByCode(shopId, code, transaction);
    if (discount === null) throw refusal(['There is no such code']);
    const countsBuyers = discount.maxUsesPerBuyer !== null || discount.firstPurchaseOnly;
    const uses = countsBuyers ? await this.discounts.countUses(shopId, discount.id, request.buyerKey, transaction) : 0;
    const { productIds } = discount;
    const sum = (items: Reservation['items']): MinorUnits => items.reduce((total, item) => total + item.totalMinor, 0);
    const reasons = reasonsAgainst(discount, {
      orderMinor: sum(request.items),
      productIds: request.items.map(({ productId }) => productId),
      serverId: request.serverId,
      now: request.now,
      // An open order with the code is the first purchase already: of several, each would be the first otherwise.
      buyer: { uses, hasPaidBefore: request.hasPaidBefore || uses > 0 },
    });
    if (reasons.length > 0) throw refusal(reasons.map(({ message }) => message));
    if (!(await this.discounts.takeUse(shopId, discount.id, transaction))) {
      throw refusal(['The code was used as often as it may be']);
    }
    const { orderId, buyerKey, now } = request;
    await this.discounts.insertRedemption(shopId, { discountId: discount.id, orderId, buyerKey, at: now }, transaction);
    const eligible = request.items.filter(({ productId }) => productIds === null || productIds.includes(productId));
    return { discountId: discount.id, code, amountMinor: discountAmount(discount, sum(eligible)) };
  }

  /** Makes an order's reserved use final. A use that was released meanwhile is taken again: the buyer has paid. */
  async redeem(shopId: string, orderId: string, transaction: Transaction): Promise<void> {
    const reserved = await this.discounts.moveRedemption(shopId, orderId, 'reserved', 'redeemed', transaction);
    if (reserved !== null) return;
    const released = await this.discounts.moveRedemption(shopId, orderId, 'released', 'redeemed', transaction);
    if (released !== null) await this.discounts.addUses(shopId, released.discountId, 1, transaction);
  }

  /** Gives an order's reserved use back. */
  async release(shopId: string, orderId: string, transaction: Transaction): Promise<void> {
    const moved = await this.discounts.moveRedemption(shopId, orderId, 'reserved', 'released', transaction);
    if (moved !== null) await this.discounts.addUses(shopId, moved.discountId, -1, transaction);
  }
}

function refusal(sentences: readonly string[]): AppError {
  return new AppError('discount_not_applicable', { message: sentences.join('; ') });
}

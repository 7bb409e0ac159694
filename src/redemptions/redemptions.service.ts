import { Injectable } from '@nestjs/common';
import { type BuyerKeys } from '../common/buyers/buyer-keys.js';
import { AppError } from '../common/errors/app-error.js';
import { type MinorUnits } from '../common/money/money.js';
import { type Transaction } from '../database/transactions.js';
import { CODE_NOT_FOUND, discountAmount, NO_USES_LEFT, reasonsAgainst } from '../discounts/discount-rules.js';
import { type Discount, type DiscountReason } from '../discounts/discount.types.js';
import { DiscountsService } from '../discounts/discounts.service.js';
import { RedemptionsRepository } from './redemptions.repository.js';

/** An order that wants to use a code. */
export interface Reservation extends BuyerKeys {
  readonly code: string;
  readonly orderId: string;
  readonly hasPaidBefore: boolean;
  readonly items: readonly { readonly productId: string; readonly totalMinor: MinorUnits }[];
  /** null for an order without a server. */
  readonly serverId: string | null;
  readonly now: Date;
}

const sumOf = (items: Reservation['items']): MinorUnits => items.reduce((sum, { totalMinor }) => sum + totalMinor, 0);

/**
 * The uses of discount codes by orders. Every step takes the transaction of the order, so that the order, its use and the
 * count on the discount change together or not at all.
 */
@Injectable()
export class RedemptionsService {
  constructor(
    private readonly redemptions: RedemptionsRepository,
    private readonly discounts: DiscountsService,
  ) {}

  /**
   * Reserves a use of a code for an order.
   * @returns the discount and its amount in minor units
   * @throws AppError discount_not_applicable with every reason: the order is rejected instead of charged the full price
   */
  async reserve(
    shopId: string,
    request: Reservation,
    transaction: Transaction,
  ): Promise<{ discountId: string; code: string; amountMinor: MinorUnits }> {
    const discount = await this.discounts.findByCode(shopId, request.code, transaction);
    if (discount === null) throw notApplicable([CODE_NOT_FOUND]);
    const reasons = await this.reasonsAgainst(discount, request, transaction);
    if (reasons.length > 0) throw notApplicable(reasons);
    if (!(await this.discounts.takeUse(shopId, discount.id, transaction))) throw notApplicable([NO_USES_LEFT]);
    const { orderId, buyerKey, nicknameKey, now } = request;
    const use = { discountId: discount.id, orderId, buyerKey, nicknameKey, state: 'reserved', at: now } as const;
    await this.redemptions.insert(shopId, use, transaction);
    const { id: discountId, code, productIds } = discount;
    const eligible = request.items.filter(({ productId }) => productIds === null || productIds.includes(productId));
    return { discountId, code, amountMinor: discountAmount(discount, sumOf(eligible)) };
  }

  /**
   * Makes the use of a paid order final. A use that was released before the payment arrived counts again, also above
   * `maxUses`: the buyer keeps the price that the order promised.
   */
  async redeem(shopId: string, orderId: string, transaction: Transaction): Promise<void> {
    const before = await this.redemptions.redeem(shopId, orderId, transaction);
    if (before?.state === 'released') await this.discounts.addLateUse(shopId, before.discountId, transaction);
  }

  /** Gives back the uses of orders that ended unpaid. A redeemed use stays. */
  async release(shopId: string, orderIds: readonly string[], transaction: Transaction): Promise<void> {
    const released = await this.redemptions.release(shopId, orderIds, transaction);
    for (const discountId of new Set(released.map((use) => use.discountId))) {
      const count = released.filter((use) => use.discountId === discountId).length;
      await this.discounts.giveUsesBack(shopId, discountId, count, transaction);
    }
  }

  private async reasonsAgainst(
    discount: Discount,
    request: Reservation,
    transaction: Transaction,
  ): Promise<DiscountReason[]> {
    const { hasPaidBefore, items, serverId, now } = request;
    const limitsBuyers = discount.maxUsesPerBuyer !== null || discount.firstPurchaseOnly;
    const uses = limitsBuyers ? await this.redemptions.count(discount.shopId, discount.id, request, transaction) : 0;
    return reasonsAgainst(discount, {
      orderMinor: sumOf(items),
      productIds: items.map(({ productId }) => productId),
      serverId,
      now,
      // An unpaid order with the code counts as the first purchase. Otherwise several open orders could each be the first.
      buyer: { uses, hasPaidBefore: hasPaidBefore || uses > 0 },
    });
  }
}

function notApplicable(reasons: readonly DiscountReason[]): AppError {
  return new AppError('discount_not_applicable', { message: reasons.map(({ message }) => message).join('; ') });
}

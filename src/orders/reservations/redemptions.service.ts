import { Injectable } from '@nestjs/common';
import { type BuyerKeys } from '../../domain/buyers/buyer-keys.js';
import { AppError } from '../../domain/errors/app-error.js';
import { type LockName } from '../../domain/limits/lock-names.js';
import { type MinorUnits } from '../../lib/money/money.js';
import { codeOf } from '../../lib/strings/code.js';
import { shardOf } from '../../infrastructure/database/shards.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import {
  CODE_NOT_FOUND,
  codeInShop,
  limitsBuyers,
  NO_USES_LEFT,
  reasonsAgainst,
} from '../../catalogue/discounts/discount-rules.js';
import { type UncountedDiscount, type Validation } from '../../catalogue/discounts/discount.types.js';
import { DiscountsService } from '../../catalogue/discounts/discounts.service.js';
import { RedemptionsRepository } from './redemptions.repository.js';
import { type PlacedOrder, type Reservation, type ReservationRequest } from './reservation.js';

/** An order that is checked against a code. */
export interface CodeInput {
  readonly code: string;
  readonly items: readonly { readonly productId: string; readonly totalMinor: MinorUnits }[];
  /** The products that are reduced. */
  readonly reducedIds: readonly string[];
  /** null for an order without a server. */
  readonly serverId: string | null;
  /** ISO 4217 code of the shop. */
  readonly currency: string;
  readonly now: Date;
  /** null when the buyer is not known: then the limits per buyer are not checked. */
  readonly buyer: CodeBuyer | null;
}

export interface CodeBuyer extends BuyerKeys {
  /** Queried only when the code is for first purchases. */
  readonly hasPaidBefore: () => Promise<boolean>;
}

/** Whether a code applies to an order. */
export type CodeCheck = Omit<Validation, 'discountMinor'>;

const sumOf = (items: CodeInput['items']): MinorUnits => items.reduce((sum, { totalMinor }) => sum + totalMinor, 0);

/**
 * The uses of discount codes by orders. Every step takes the transaction of the order, so that the order, its use and the
 * count on the discount change together or not at all. `check` finds the problems of a code, because it also decides about the price.
 */
@Injectable()
export class RedemptionsService implements Omit<Reservation, 'problems' | 'follow'> {
  constructor(
    private readonly redemptions: RedemptionsRepository,
    private readonly discounts: DiscountsService,
  ) {}

  /**
   * Checks a code against an order. Counts no use.
   * @param transaction null: for a check that places no order. Otherwise `take` decides whether the code has a use left.
   */
  async check(shopId: string, request: CodeInput, transaction: Transaction | null): Promise<CodeCheck> {
    const { items, reducedIds, serverId, currency, now, buyer } = request;
    const code = codeOf(request.code);
    const orderMinor = sumOf(items);
    const discount = await this.discounts.findByCode(shopId, code, transaction);
    if (discount === null) return { code, discount, orderMinor, currency, reasons: [CODE_NOT_FOUND] };
    const reasons = reasonsAgainst(discount, {
      orderMinor,
      productIds: items.map(({ productId }) => productId),
      reducedIds,
      serverId,
      now,
      used: transaction === null ? await this.discounts.usesOf(discount) : null,
      buyer: buyer !== null && limitsBuyers(discount) ? await this.usesOf(discount, buyer, transaction) : null,
    });
    return { code, discount, orderMinor, currency, reasons };
  }

  /** The shard of the counter of the code. */
  names(shopId: string, { id, discountCode }: ReservationRequest): readonly LockName[] {
    return discountCode === undefined ? [] : [`${codeInShop(shopId, discountCode)}:${shardOf(id)}`];
  }

  /**
   * Reserves a use of the order's code, after `check` in the same transaction.
   * @throws AppError discount_not_applicable when the code has no uses left
   */
  async take(
    { shopId, id: orderId, discount, buyerKey, nicknameKey, createdAt: at }: PlacedOrder,
    transaction: Transaction,
  ): Promise<void> {
    if (discount === null) return;
    const { discountId } = discount;
    if (!(await this.discounts.takeUse(shopId, discountId, orderId, transaction))) {
      throw new AppError('discount_not_applicable', { message: NO_USES_LEFT.message });
    }
    const redemption = { discountId, orderId, buyerKey, nicknameKey, state: 'reserved', at } as const;
    await this.redemptions.insert(shopId, redemption, transaction);
  }

  /**
   * Makes the use of a paid order final. A use that was released before the payment arrived counts again, also above
   * `maxUses`: the buyer keeps the price that the order promised.
   */
  async settle({ shopId, id, discount }: PlacedOrder, transaction: Transaction): Promise<void> {
    if (discount === null) return;
    const before = await this.redemptions.redeem(shopId, id, transaction);
    if (before?.state === 'released') await this.discounts.addLateUse(shopId, before.discountId, transaction);
  }

  /** Gives back the uses of orders that ended unpaid. A redeemed use stays. */
  async release(shopId: string, orderIds: readonly string[], transaction: Transaction): Promise<void> {
    const released = await this.redemptions.release(shopId, orderIds, transaction);
    for (const discountId of new Set(released.map((use) => use.discountId))) {
      const count = released.filter((use) => use.discountId === discountId).length;
      await this.discounts.releaseUses(shopId, discountId, count, transaction);
    }
  }

  private async usesOf(
    discount: UncountedDiscount,
    buyer: CodeBuyer,
    transaction: Transaction | null,
  ): Promise<{ readonly uses: number; readonly hasPaidBefore: boolean }> {
    const uses = await this.redemptions.count(discount.shopId, discount.id, buyer, transaction);
    if (!discount.firstPurchaseOnly) return { uses, hasPaidBefore: false };
    // An unpaid order with the code counts as the first purchase. Otherwise several open orders could each be the first.
    const isReserved =
      uses > 0 && (await this.redemptions.hasReserved(discount.shopId, discount.id, buyer, transaction));
    const hasPaidBefore = isReserved || (await buyer.hasPaidBefore());
    return { uses, hasPaidBefore };
  }
}

import { beforeEach, describe, expect, it } from '@jest/globals';
import { SHOP } from '../../../test/support/contexts.js';
import { discountWith } from '../../../test/support/discounts.js';
import { TRANSACTION } from '../../../test/support/fakes.js';
import { BUYER, DISCOUNT, FakeRedemptions, NOW } from '../../../test/support/redemptions.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type Discount, type UncountedDiscount } from '../../catalogue/discounts/discount.types.js';
import { type DiscountsService } from '../../catalogue/discounts/discounts.service.js';
import { type PlacedOrder } from './reservation.js';
import { type RedemptionsRepository } from './redemptions.repository.js';
import { type CodeCheck, type CodeInput, RedemptionsService } from './redemptions.service.js';

const ORDER = '655f1c2ab1e4a9d3f0c81250';
const OTHER = { buyerKey: 'alex@example.com', nicknameKey: 'alex_42' };
const [VIP, COINS] = ['655f1c2ab1e4a9d3f0c81270', '655f1c2ab1e4a9d3f0c81271'] as const;

let redemptions: FakeRedemptions;
let discount: Discount | null;
/** How often each discount is used. */
let counts: Map<string, number>;
let hasUsesLeft: boolean;
/** The orders for which a use was taken. */
let takenFor: string[];
/** How often it was read whether the buyer has paid before. */
let lookups: number;
let service: RedemptionsService;

beforeEach(() => {
  redemptions = new FakeRedemptions();
  discount = discountWith();
  counts = new Map();
  hasUsesLeft = true;
  [takenFor, lookups] = [[], 0];
  const counted = (change: number) => (shopId: string, discountId: string, transaction: Transaction) => {
    expect([shopId, transaction]).toEqual([SHOP, TRANSACTION]);
    counts.set(discountId, usesOf(discountId) + change);
    return Promise.resolve();
  };
  const discounts = {
    findByCode: (shopId: string, code: string, transaction: Transaction | null) => {
      expect(shopId).toBe(SHOP);
      expect([TRANSACTION, null]).toContain(transaction);
      return Promise.resolve(code === 'SUMMER10' ? discount : null);
    },
    usesOf: ({ id }: UncountedDiscount) => Promise.resolve(usesOf(id)),
    takeUse: async (shopId: string, discountId: string, orderId: string, transaction: Transaction) => {
      takenFor.push(orderId);
      if (hasUsesLeft) await counted(1)(shopId, discountId, transaction);
      return hasUsesLeft;
    },
    addLateUse: counted(1),
    releaseUses: (shopId: string, discountId: string, count: number, transaction: Transaction) =>
      counted(-count)(shopId, discountId, transaction),
  } as unknown as DiscountsService;
  service = new RedemptionsService(redemptions as unknown as RedemptionsRepository, discounts);
});

const check = (fields: Partial<CodeInput> = {}): Promise<CodeCheck> => {
  const buyer = { ...BUYER, hasPaidBefore: paidBefore(false) };
  const items = [{ productId: VIP, totalMinor: 1_000 }];
  const request = {
    code: 'summer10',
    items,
    reducedIds: [],
    serverId: null,
    currency: 'EUR',
    now: NOW,
    buyer,
    ...fields,
  };
  return service.check(SHOP, request, TRANSACTION);
};
const paidBefore = (hasPaid: boolean) => () => {
  lookups++;
  return Promise.resolve(hasPaid);
};
const reasonsOf = async (fields: Partial<CodeInput> = {}): Promise<string[]> =>
  (await check(fields)).reasons.map(({ code }) => code);
const placed = (id = ORDER, discountId: string | null = DISCOUNT): PlacedOrder => {
  const discount = discountId === null ? null : { discountId, code: 'SUMMER10', amountMinor: 100 };
  return { shopId: SHOP, id, items: [], discount, createdAt: NOW, ...BUYER };
};
const reserve = (orderId = ORDER): Promise<void> => service.take(placed(orderId), TRANSACTION);
const settle = (orderId = ORDER): Promise<void> => service.settle(placed(orderId), TRANSACTION);
const usesOf = (discountId: string): number => counts.get(discountId) ?? 0;

describe('check', () => {
  it('finds a code in any spelling, and counts no use', async () => {
    expect(await check()).toEqual({
      code: 'SUMMER10',
      discount: discountWith(),
      orderMinor: 1_000,
      currency: 'EUR',
      reasons: [],
    });
    expect([redemptions.uses, usesOf(DISCOUNT)]).toEqual([[], 0]);
  });

  it('checks the minimum against the whole order, also when the code is for some products only', async () => {
    discount = discountWith({ productIds: [COINS], minOrderMinor: 1_500 });
    const items = [
      { productId: VIP, totalMinor: 1_000 },
      { productId: COINS, totalMinor: 500 },
    ];
    expect(await check({ items })).toMatchObject({ orderMinor: 1_500, reasons: [] });
  });

  it('names an unknown code', async () => {
    expect(await check({ code: 'other' })).toMatchObject({ code: 'OTHER', discount: null });
    expect(await reasonsOf({ code: 'other' })).toEqual(['code_not_found']);
  });

  it('names every reason', async () => {
    discount = discountWith({ isActive: false, minOrderMinor: 2_000, serverIds: ['655f1c2ab1e4a9d3f0c81260'] });
    expect(await reasonsOf()).toEqual(['code_disabled', 'min_order_not_met', 'server_required']);
  });

  it("counts the buyer's reserved and redeemed uses against maxUsesPerBuyer, and released ones not", async () => {
    discount = discountWith({ maxUsesPerBuyer: 2 });
    redemptions.add('redeemed', 'order 1');
    redemptions.add('released', 'order 2');
    redemptions.add('reserved', 'order 3', OTHER);
    expect(await reasonsOf()).toEqual([]);
    await reserve();
    expect(await reasonsOf()).toEqual(['buyer_limit_reached']);
  });

  it('rejects a first-purchase code when the buyer has paid before', async () => {
    discount = discountWith({ firstPurchaseOnly: true });
    expect(await reasonsOf({ buyer: { ...BUYER, hasPaidBefore: paidBefore(true) } })).toEqual(['first_purchase_only']);
  });

  it('counts the uses of the buyer only for a code with a limit per buyer, and reads payments only for a first-purchase code', async () => {
    await check();
    expect(redemptions.countsOfBuyers).toBe(0);
    discount = discountWith({ maxUsesPerBuyer: 1 });
    await check();
    expect(lookups).toBe(0);
    discount = discountWith({ firstPurchaseOnly: true });
    await check();
    expect(lookups).toBe(1);
  });

  it('checks the uses of all buyers only for an early error, because reserving a use decides', async () => {
    discount = discountWith({ maxUses: 1 });
    await reserve();
    expect(await reasonsOf()).toEqual([]);
    const items = [{ productId: VIP, totalMinor: 1_000 }];
    const look = { code: 'summer10', items, reducedIds: [], serverId: null, currency: 'EUR', now: NOW, buyer: null };
    expect((await service.check(SHOP, look, null)).reasons).toMatchObject([{ code: 'usage_limit_reached' }]);
  });

  it('rejects a first-purchase code when the buyer has an unpaid order with it', async () => {
    discount = discountWith({ firstPurchaseOnly: true });
    await reserve();
    expect(await reasonsOf()).toEqual(['first_purchase_only']);
  });

  it('accepts a first-purchase code again when the earlier order with it was paid and its money went back', async () => {
    discount = discountWith({ firstPurchaseOnly: true });
    redemptions.add('redeemed', 'order 1');
    expect(await reasonsOf()).toEqual([]);
    expect(await reasonsOf({ buyer: { ...BUYER, hasPaidBefore: paidBefore(true) } })).toEqual(['first_purchase_only']);
  });

  it('accepts a first-purchase code again when the earlier order with it ended unpaid', async () => {
    discount = discountWith({ firstPurchaseOnly: true });
    redemptions.add('released', 'order 1');
    expect(await reasonsOf()).toEqual([]);
  });

  it('checks no limit per buyer when the buyer is not known', async () => {
    discount = discountWith({ firstPurchaseOnly: true, maxUsesPerBuyer: 1 });
    await reserve();
    expect(await reasonsOf({ buyer: null })).toEqual([]);
  });
});

describe('take', () => {
  it('stores the use as reserved and counts it', async () => {
    await reserve();
    expect(redemptions.uses).toEqual([
      { id: 'use 0', shopId: SHOP, discountId: DISCOUNT, orderId: ORDER, ...BUYER, state: 'reserved', at: NOW },
    ]);
    expect(usesOf(DISCOUNT)).toBe(1);
    expect(takenFor).toEqual([ORDER]);
  });

  it('rejects an order when another order took the last use after the discount was read', async () => {
    hasUsesLeft = false;
    const rejected = { code: 'discount_not_applicable', message: 'The code has no uses left' };
    await expect(reserve()).rejects.toMatchObject(rejected);
    expect(redemptions.uses).toEqual([]);
  });
});

describe('settle', () => {
  it('makes a reserved use final without counting it again', async () => {
    await reserve();
    await settle();
    expect([redemptions.stateOf(ORDER), usesOf(DISCOUNT)]).toEqual(['redeemed', 1]);
  });

  it('counts a released use again when the payment arrives late', async () => {
    await reserve();
    await service.release(SHOP, [ORDER], TRANSACTION);
    await settle();
    expect([redemptions.stateOf(ORDER), usesOf(DISCOUNT)]).toEqual(['redeemed', 1]);
  });

  it('changes nothing the second time, and nothing for an order without a code', async () => {
    await reserve();
    await service.release(SHOP, [ORDER], TRANSACTION);
    await settle();
    await settle();
    await service.settle(placed('other', null), TRANSACTION);
    expect([redemptions.stateOf(ORDER), usesOf(DISCOUNT)]).toEqual(['redeemed', 1]);
  });
});

describe('release', () => {
  it('gives a reserved use back once', async () => {
    await reserve();
    await service.release(SHOP, [ORDER], TRANSACTION);
    await service.release(SHOP, [ORDER], TRANSACTION);
    expect([redemptions.stateOf(ORDER), usesOf(DISCOUNT)]).toEqual(['released', 0]);
  });

  it('releases the uses of several orders together', async () => {
    for (const orderId of ['order 1', 'order 2', 'order 3']) await reserve(orderId);
    await service.release(SHOP, ['order 1', 'order 3'], TRANSACTION);
    expect(redemptions.uses.map(({ state }) => state)).toEqual(['released', 'reserved', 'released']);
    expect(usesOf(DISCOUNT)).toBe(1);
  });

  it('releases for each discount its own uses', async () => {
    const other = '655f1c2ab1e4a9d3f0c81281';
    redemptions.add('reserved', 'order 1');
    redemptions.add('reserved', 'order 2', { discountId: other });
    redemptions.add('reserved', 'order 3', { discountId: other });
    await service.release(SHOP, ['order 1', 'order 2', 'order 3'], TRANSACTION);
    expect(counts).toEqual(
      new Map([
        [DISCOUNT, -1],
        [other, -2],
      ]),
    );
  });

  it('keeps a redeemed use, and changes nothing for an order without a code', async () => {
    await reserve();
    await settle();
    await service.release(SHOP, [ORDER], TRANSACTION);
    await service.release(SHOP, ['order without a code'], TRANSACTION);
    expect([redemptions.stateOf(ORDER), usesOf(DISCOUNT)]).toEqual(['redeemed', 1]);
  });
});

import { beforeEach, describe, expect, it } from '@jest/globals';
import { OTHER_SHOP, SHOP, shopContext } from '../../test/support/contexts.js';
import { discountWith } from '../../test/support/discounts.js';
import {
  type Call,
  directTransactions,
  FakeAudit,
  FakeQuotas,
  recording,
  TRANSACTION,
  transactionsInTurns,
} from '../../test/support/fakes.js';
import { AppError } from '../common/errors/app-error.js';
import { Page } from '../common/http/page.js';
import { type Transaction } from '../database/transactions.js';
import { type ProductsService } from '../products/products.service.js';
import { claimOf } from '../quotas/quotas.service.js';
import { type ServersService } from '../servers/servers.service.js';
import { type ShopsService } from '../shops/shops.service.js';
import { type Discount, type DiscountTerms } from './discount.types.js';
import { type DiscountsRepository } from './discounts.repository.js';
import { DiscountsService } from './discounts.service.js';

const PRODUCT = '655f1c2ab1e4a9d3f0c81270';
const SERVER = '655f1c2ab1e4a9d3f0c81260';
const UNKNOWN = '0'.repeat(24);
const CONTEXT = shopContext();
const ELSEWHERE = shopContext('owner', { shopId: OTHER_SHOP });

/** The discounts in memory. */
class FakeDiscounts implements Pick<
  DiscountsRepository,
  'insert' | 'list' | 'find' | 'findByCode' | 'update' | 'delete'
> {
  stored: Discount[] = [];
  writes = 0;

  insert(shopId: string, values: Omit<Discount, 'id' | 'shopId'>): Promise<Discount> {
    const discount = { ...values, id: '655f1c2ab1e4a9d3f0c81280', shopId };
    this.stored.push(discount);
    return Promise.resolve(discount);
  }

  countAll(shopId: string, upTo: number, transaction: Transaction): Promise<number> {
    expect([upTo, transaction]).toEqual([5, TRANSACTION]);
    return Promise.resolve(this.stored.filter((discount) => discount.shopId === shopId).length);
  }

  list(shopId: string): Promise<Page<Discount>> {
    return Promise.resolve(
      new Page(
        this.stored.filter((discount) => discount.shopId === shopId),
        null,
      ),
    );
  }

  find(shopId: string, discountId: string): Promise<Discount | null> {
    return Promise.resolve(this.stored.find(({ id, shopId: owner }) => id === discountId && owner === shopId) ?? null);
  }

  findByCode(shopId: string, code: string): Promise<Discount | null> {
    const found = this.stored.find((discount) => discount.shopId === shopId && discount.code === code);
    return Promise.resolve(found ?? null);
  }

  async update(shopId: string, discountId: string, change: Partial<DiscountTerms>): Promise<Discount | null> {
    const before = await this.find(shopId, discountId);
    if (before === null) return null;
    const after = { ...before, ...change };
    this.stored[this.stored.indexOf(before)] = after;
    this.writes++;
    return after;
  }

  async delete(shopId: string, discountId: string): Promise<Discount | null> {
    const before = await this.find(shopId, discountId);
    this.stored = this.stored.filter((discount) => discount !== before);
    return before;
  }
}

let discounts: FakeDiscounts;
let audit: FakeAudit;
let quotas: FakeQuotas;
/** What each transaction takes turns for. */
let queues: (string | undefined)[];
let currency: string;
let service: DiscountsService;

beforeEach(() => {
  discounts = new FakeDiscounts();
  audit = new FakeAudit();
  quotas = new FakeQuotas();
  queues = [];
  currency = 'EUR';
  const requireAll =
    (known: string, error: 'product_not_found' | 'server_not_found') => (shopId: string, ids: string[]) =>
      ids.every((id) => id === known && shopId === SHOP) ? Promise.resolve() : Promise.reject(new AppError(error));
  service = new DiscountsService(
    discounts as unknown as DiscountsRepository,
    { settingsOf: () => Promise.resolve({ currency }) } as unknown as ShopsService,
    { requireAll: requireAll(PRODUCT, 'product_not_found') } as unknown as ProductsService,
    { requireAll: requireAll(SERVER, 'server_not_found') } as unknown as ServersService,
    quotas.asService,
    audit.asService,
    transactionsInTurns(queues),
  );
});

describe('create', () => {
  it('takes turns with what else counts against the quota of the shop', async () => {
    await service.create(CONTEXT, { code: 'ONE', type: 'percent', value: 5 });
    expect(queues).toEqual([claimOf('discountsPerShop', SHOP)]);
  });

  it('counts against the quota of the shop, and stores nothing when it is reached', async () => {
    await service.create(CONTEXT, { code: 'ONE', type: 'percent', value: 5 });
    quotas.isFull = true;
    const creation = service.create(CONTEXT, { code: 'TWO', type: 'percent', value: 5 });
    await expect(creation).rejects.toMatchObject({ code: 'quota_reached' });
    expect(quotas.asked).toEqual([
      ['discountsPerShop', SHOP, 0, TRANSACTION],
      ['discountsPerShop', SHOP, 1, TRANSACTION],
    ]);
    expect([discounts.stored.length, audit.entries.length]).toEqual([1, 1]);
  });

  it('stores the terms in minor units, with the currency of the shop, no use and who created it', async () => {
    const created = await service.create(CONTEXT, { code: 'fiveoff', type: 'fixed', value: 5, minOrderValue: 20.01 });
    expect(created).toEqual(
      discountWith({
        code: 'FIVEOFF',
        type: 'fixed',
        value: 500,
        minOrderMinor: 2_001,
        createdAt: expect.any(Date) as unknown as Date,
        createdBy: CONTEXT.principal,
      }),
    );
    expect(discounts.stored).toEqual([created]);
  });

  it('records every term that was set in the audit log', async () => {
    const { id } = await service.create(CONTEXT, { code: 'fiveoff', type: 'fixed', value: 5, productIds: [PRODUCT] });
    expect(audit.entries).toEqual([
      {
        author: CONTEXT,
        action: 'discount.created',
        subjectId: id,
        changes: [
          { field: 'code', before: null, after: 'FIVEOFF' },
          { field: 'type', before: null, after: 'fixed' },
          { field: 'value', before: null, after: '5' },
          { field: 'productIds', before: null, after: PRODUCT },
          { field: 'firstPurchaseOnly', before: null, after: 'false' },
          { field: 'isActive', before: null, after: 'true' },
        ],
      },
    ]);
  });

  it.each([
    [{ value: 101 }, 'validation_failed'],
    [{ productIds: [UNKNOWN] }, 'product_not_found'],
    [{ serverIds: [UNKNOWN] }, 'server_not_found'],
  ])('rejects %j with %s and stores nothing', async (fields, code) => {
    const input = { code: 'A1', type: 'percent', value: 10, ...fields } as const;
    await expect(service.create(CONTEXT, input)).rejects.toMatchObject({ code });
    expect([discounts.stored, audit.entries]).toEqual([[], []]);
  });

  it('checks amounts in the currency of the shop', async () => {
    currency = 'JPY';
    await expect(service.create(CONTEXT, { code: 'A1', type: 'fixed', value: 1.5 })).rejects.toThrow(
      'value has more decimals than JPY allows',
    );
  });
});

describe('list, get and findByCode', () => {
  it('return the discounts of the shop only', async () => {
    const discount = discountWith();
    discounts.stored = [discount, discountWith({ id: UNKNOWN, shopId: ELSEWHERE.shopId, code: 'OTHER' })];
    expect((await service.list(CONTEXT, { after: null, limit: 50 })).items).toEqual([discount]);
    expect(await service.get(CONTEXT, discount.id)).toEqual(discount);
    await expect(service.get(CONTEXT, UNKNOWN)).rejects.toMatchObject({ code: 'discount_not_found' });
    expect(await service.findByCode(SHOP, ' summer10 ', TRANSACTION)).toEqual(discount);
    expect(await service.findByCode(SHOP, 'OTHER', TRANSACTION)).toBeNull();
  });
});

describe('update', () => {
  const before = discountWith({ maxUses: 10, used: 4, maxDiscountMinor: 500, productIds: [PRODUCT] });

  beforeEach(() => {
    discounts.stored = [before];
  });

  it('changes what was sent, clears what is null and keeps what is absent', async () => {
    const after = await service.update(CONTEXT, before.id, { value: 25, maxDiscount: null, endsAt: undefined });
    expect(after).toEqual({ ...before, value: 25, maxDiscountMinor: null });
    expect(discounts.stored).toEqual([after]);
  });

  it('records the changed fields in the audit log, as the API shows them', async () => {
    await service.update(CONTEXT, before.id, { code: 'winter', maxDiscount: 7.5, productIds: null, isActive: true });
    expect(audit.entries).toEqual([
      {
        author: CONTEXT,
        action: 'discount.updated',
        subjectId: before.id,
        changes: [
          { field: 'code', before: 'SUMMER10', after: 'WINTER' },
          { field: 'maxDiscount', before: '5', after: '7.5' },
          { field: 'productIds', before: PRODUCT, after: null },
        ],
      },
    ]);
  });

  it('writes nothing when every value is the same, also a code in lower case', async () => {
    expect(await service.update(CONTEXT, before.id, { code: 'summer10', value: 10, maxDiscount: 5 })).toEqual(before);
    expect([discounts.writes, audit.entries]).toEqual([0, []]);
  });

  it.each([
    [
      'a percentage above 100 together with the type that stays',
      {},
      { value: 101 },
      'value must be at most 100 percent',
    ],
    [
      'a change from fixed to percent above 100',
      { type: 'fixed', value: 50_000 },
      { type: 'percent' },
      'value must be at most 100 percent',
    ],
    [
      'a change to a fixed amount with too many decimals',
      { currency: 'JPY', value: 12.5, maxDiscountMinor: null },
      { type: 'fixed' },
      'value has more decimals than JPY allows',
    ],
    [
      'an end before the start that stays',
      { startsAt: new Date('2026-06-01T00:00:00Z') },
      { endsAt: new Date('2026-05-01T00:00:00Z') },
      'endsAt must be after startsAt',
    ],
    ['an empty body', {}, {}, 'Send at least one field to change'],
  ] as const)('rejects %s', async (_name, stored, change, message) => {
    discounts.stored = [{ ...before, ...stored }];
    const update = service.update(CONTEXT, before.id, change);
    await expect(update).rejects.toMatchObject({ code: 'validation_failed', message });
    expect([discounts.writes, audit.entries]).toEqual([0, []]);
  });

  it.each([
    [{ productIds: [UNKNOWN] }, 'product_not_found'],
    [{ serverIds: [UNKNOWN] }, 'server_not_found'],
  ])('rejects %j with %s', async (change, code) => {
    await expect(service.update(CONTEXT, before.id, change)).rejects.toMatchObject({ code });
    expect(discounts.writes).toBe(0);
  });

  it('may set maxUses below the uses that are counted', async () => {
    expect(await service.update(CONTEXT, before.id, { maxUses: 1 })).toMatchObject({ maxUses: 1, used: 4 });
  });

  it('returns discount_not_found for a discount of another shop', async () => {
    await expect(service.update(ELSEWHERE, before.id, { value: 5 })).rejects.toMatchObject({
      code: 'discount_not_found',
    });
    expect([discounts.stored, audit.entries]).toEqual([[before], []]);
  });
});

describe('delete', () => {
  const before = discountWith({ used: 4 });

  beforeEach(() => {
    discounts.stored = [before];
  });

  it('removes the discount, returns it and records its terms in the audit log', async () => {
    expect(await service.delete(CONTEXT, before.id)).toEqual(before);
    expect(discounts.stored).toEqual([]);
    expect(audit.entries).toEqual([
      {
        author: CONTEXT,
        action: 'discount.deleted',
        subjectId: before.id,
        changes: [
          { field: 'code', before: 'SUMMER10', after: null },
          { field: 'type', before: 'percent', after: null },
          { field: 'value', before: '10', after: null },
          { field: 'firstPurchaseOnly', before: 'false', after: null },
          { field: 'isActive', before: 'true', after: null },
        ],
      },
    ]);
  });

  it('returns discount_not_found for a discount of another shop', async () => {
    await expect(service.delete(ELSEWHERE, before.id)).rejects.toMatchObject({ code: 'discount_not_found' });
    expect([discounts.stored, audit.entries]).toEqual([[before], []]);
  });
});

describe('validate', () => {
  it('returns the amount in minor units for a code that applies', async () => {
    discounts.stored = [discountWith({ value: 12.5 })];
    expect(await service.validate(CONTEXT, { code: 'summer10', orderValue: 49.99 })).toEqual({
      code: 'SUMMER10',
      discount: discounts.stored[0],
      orderMinor: 4_999,
      discountMinor: 625,
      currency: 'EUR',
      reasons: [],
    });
  });

  it('returns no amount and the reasons for a code that does not apply', async () => {
    discounts.stored = [discountWith({ isActive: false })];
    expect(await service.validate(CONTEXT, { code: 'SUMMER10', orderValue: 10 })).toMatchObject({
      discountMinor: 0,
      reasons: [{ code: 'code_disabled' }],
    });
  });

  it('treats a code of another shop as unknown', async () => {
    discounts.stored = [discountWith({ shopId: ELSEWHERE.shopId })];
    expect(await service.validate(CONTEXT, { code: 'SUMMER10', orderValue: 10 })).toMatchObject({
      discount: null,
      reasons: [{ code: 'code_not_found', message: 'There is no such code' }],
    });
  });

  it('checks the product and the server of the order, and asks for those that a code needs', async () => {
    discounts.stored = [discountWith({ productIds: [PRODUCT], serverIds: [SERVER] })];
    const codes = async (named: { productId?: string; serverId?: string }): Promise<string[]> => {
      const { reasons } = await service.validate(CONTEXT, { code: 'SUMMER10', orderValue: 10, ...named });
      return reasons.map(({ code }) => code);
    };
    expect(await codes({ productId: PRODUCT, serverId: SERVER })).toEqual([]);
    expect(await codes({})).toEqual(['product_required', 'server_required']);
  });

  it.each([
    [{ orderValue: 1.005 }, 'validation_failed'],
    [{ productId: UNKNOWN }, 'product_not_found'],
    [{ serverId: UNKNOWN }, 'server_not_found'],
  ])('rejects %j with %s', async (fields, code) => {
    const request = { code: 'SUMMER10', orderValue: 10, ...fields };
    await expect(service.validate(CONTEXT, request)).rejects.toMatchObject({ code });
  });

  it('lets a key that is bound to servers validate for those servers only', async () => {
    const bound = shopContext('owner', { serverIds: new Set([SERVER]) });
    const request = { code: 'SUMMER10', orderValue: 10 };
    expect(await service.validate(bound, { ...request, serverId: SERVER })).toMatchObject({ discount: null });
    for (const other of [request, { ...request, serverId: UNKNOWN }]) {
      await expect(service.validate(bound, other)).rejects.toMatchObject({ code: 'server_access_denied' });
    }
  });
});

describe('the uses of a code', () => {
  it('are counted and given back in the transaction of the order', async () => {
    const calls: Call[] = [];
    const repository = recording<DiscountsRepository>(calls, {
      takeUse: () => Promise.resolve(false),
      addUses: () => Promise.resolve(),
    });
    const others = {} as never;
    service = new DiscountsService(repository, others, others, others, others, others, directTransactions);
    expect(await service.takeUse(SHOP, UNKNOWN, TRANSACTION)).toBe(false);
    await service.addLateUse(SHOP, UNKNOWN, TRANSACTION);
    await service.giveUsesBack(SHOP, UNKNOWN, 3, TRANSACTION);
    expect(calls).toEqual([
      ['takeUse', SHOP, UNKNOWN, TRANSACTION],
      ['addUses', SHOP, UNKNOWN, 1, TRANSACTION],
      ['addUses', SHOP, UNKNOWN, -3, TRANSACTION],
    ]);
  });
});

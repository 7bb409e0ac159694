import { beforeEach, describe, expect, it } from '@jest/globals';
import { lockOn } from '../../domain/limits/lock-names.js';
import { OTHER_SHOP, SHOP, shopContext } from '../../../test/support/contexts.js';
import {
  discountsInMemory,
  type DiscountsInMemory,
  discountWith,
  PRODUCT,
  UNKNOWN,
} from '../../../test/support/discounts.js';
import { type Call, directTransactions, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { type DiscountsRepository } from './discounts.repository.js';
import { DiscountsService } from './discounts.service.js';

const CONTEXT = shopContext();
const ELSEWHERE = shopContext('owner', { shopId: OTHER_SHOP });

let { discounts, audit, quotas, queues, settings, service }: DiscountsInMemory = discountsInMemory();

beforeEach(() => {
  ({ discounts, audit, quotas, queues, settings, service } = discountsInMemory());
});

describe('create', () => {
  it('serialises the creation of discounts with what else counts against the quota of the shop', async () => {
    await service.create(CONTEXT, { code: 'ONE', type: 'percent', value: 5 });
    expect(queues).toEqual([lockOn('discountsPerShop', SHOP)]);
  });

  it('counts against the quota of the shop, and stores nothing when it is reached', async () => {
    await service.create(CONTEXT, { code: 'ONE', type: 'percent', value: 5 });
    quotas.isFull = true;
    const creation = service.create(CONTEXT, { code: 'TWO', type: 'percent', value: 5 });
    await expect(creation).rejects.toMatchObject({ code: 'quota_reached' });
    expect(quotas.checked).toEqual([
      ['discountsPerShop', SHOP, 0, TRANSACTION],
      ['discountsPerShop', SHOP, 1, TRANSACTION],
    ]);
    expect([discounts.stored.length, audit.entries.length]).toEqual([1, 1]);
  });

  it('stores the input in minor units, with the currency of the shop, no use and who created it', async () => {
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
          { field: 'excludesReduced', before: null, after: 'false' },
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
    settings.currency = 'JPY';
    await expect(service.create(CONTEXT, { code: 'A1', type: 'fixed', value: 1.5 })).rejects.toThrow(
      'value has more decimals than JPY allows',
    );
  });
});

describe('list, get and findByCode', () => {
  it('returns the discounts of the shop only', async () => {
    const discount = discountWith();
    discounts.stored = [discount, discountWith({ id: UNKNOWN, shopId: ELSEWHERE.shopId, code: 'OTHER' })];
    expect((await service.list(CONTEXT, {}, { after: null, limit: 50 })).items).toEqual([discount]);
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
  ] as const)('rejects the change %s', async (_name, stored, change, message) => {
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

  it('accepts a maxUses below the uses that are counted', async () => {
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

  it('removes the discount, returns it and records its fields in the audit log', async () => {
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
          { field: 'excludesReduced', before: 'false', after: null },
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

describe('the uses of a code', () => {
  it('reads the uses of a code with a limit, and not of one without', async () => {
    const limited = discountWith({ id: 'limited', maxUses: 5, used: 3 });
    const other = discountWith({ used: 2 });
    discounts.stored = [limited, other];
    expect([await service.usesOf(limited), await service.usesOf(other)]).toEqual([3, null]);
  });

  it('counts and releases uses in the transaction of the order', async () => {
    const calls: Call[] = [];
    const repository = recording<DiscountsRepository>(calls, {
      takeUse: () => Promise.resolve(false),
      takeUseAnyway: () => Promise.resolve(),
      releaseUses: () => Promise.resolve(),
    });
    const others = {} as never;
    service = new DiscountsService(repository, others, others, others, others, others, directTransactions);
    expect(await service.takeUse(SHOP, UNKNOWN, 'order', TRANSACTION)).toBe(false);
    await service.addLateUse(SHOP, UNKNOWN, TRANSACTION);
    await service.releaseUses(SHOP, UNKNOWN, 3, TRANSACTION);
    expect(calls).toEqual([
      ['takeUse', SHOP, UNKNOWN, 'order', TRANSACTION],
      ['takeUseAnyway', SHOP, UNKNOWN, TRANSACTION],
      ['releaseUses', SHOP, UNKNOWN, 3, TRANSACTION],
    ]);
  });
});

import { beforeEach, describe, expect, it } from '@jest/globals';
import { OTHER_SHOP, shopContext } from '../../../test/support/contexts.js';
import {
  discountsInMemory,
  type DiscountsInMemory,
  discountWith,
  PRODUCT,
  SERVER,
  UNKNOWN,
} from '../../../test/support/discounts.js';

const CONTEXT = shopContext();
const ELSEWHERE = shopContext('owner', { shopId: OTHER_SHOP });

let { discounts, validations: service }: DiscountsInMemory = discountsInMemory();

beforeEach(() => {
  ({ discounts, validations: service } = discountsInMemory());
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

  it('checks the product and the server of the order, and requires those that a code depends on', async () => {
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

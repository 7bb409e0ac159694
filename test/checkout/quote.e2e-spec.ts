import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Response } from 'supertest';
import { aDiscount, aProduct, aServer, aShop, type TestShop, unique } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { recordsOf, type Records } from '../support/records.js';
import { repetitions } from '../support/repetitions.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** How many random baskets are compared. */
const BASKETS = repetitions(50, 1_000);

interface Quote {
  readonly orderable: boolean;
  readonly items: { readonly productId: string; readonly total: number }[];
  readonly subtotal: number;
  readonly discountAmount: number;
  readonly total: number;
  readonly currency: string;
  readonly discount: Record<string, unknown> | null;
  readonly problems: { readonly code: string; readonly message: string }[];
  readonly unchecked: readonly string[];
}

describe('POST /checkout/{shopId}/quote', () => {
  let app: TestApp;
  let records: Records;
  let shop: TestShop;
  let serverId: string;
  let otherServerId: string;
  let vip: string;
  let coins: string;
  let elsewhere: string;
  const path = (what: 'quote' | 'orders'): string => `/checkout/${shop.shopId}/${what}`;
  const ask = (body: object): Promise<Response> => app.api.post(path('quote'), body);
  const quote = async (body: object): Promise<Quote> => expectSuccess<Quote>(await ask(body));
  const lines = (...productIds: string[]): { productId: string; quantity: number }[] =>
    productIds.map((productId) => ({ productId, quantity: 2 }));
  const buyer = (): { nickname: string; email: string } => {
    const name = `b${unique()}`.slice(0, 16);
    return { nickname: name, email: `${name}@example.com` };
  };
  const problemsOf = async (body: object): Promise<string[]> => (await quote(body)).problems.map(({ code }) => code);

  beforeAll(async () => {
    app = await startTestApp();
    records = await recordsOf(app);
    shop = await aShop(app.api);
    [serverId, otherServerId] = [await aServer(app.api, shop), await aServer(app.api, shop)];
    vip = await aProduct(app.api, shop, { price: 9.99 });
    coins = await aProduct(app.api, shop, { price: 0.35 });
    elsewhere = await aProduct(app.api, shop, { serverIds: [otherServerId] });
  });
  afterAll(async () => {
    await records.close();
    await app.close();
  });

  it('returns the price of the basket, and requires only the items', async () => {
    expect(await quote({ items: lines(vip, coins) })).toMatchObject({
      orderable: false,
      unchecked: ['serverId', 'buyer'],
      items: [
        { productId: vip, quantity: 2, unitPrice: 9.99, total: 19.98 },
        { productId: coins, quantity: 2, unitPrice: 0.35, total: 0.7 },
      ],
      subtotal: 20.68,
      discountAmount: 0,
      total: 20.68,
      currency: 'EUR',
      discount: null,
      problems: [],
    });
  });

  it('is orderable only when nothing is left open', async () => {
    const whole = { items: lines(vip), serverId, ...buyer() };
    expect(await quote(whole)).toMatchObject({ orderable: true, problems: [], unchecked: [] });
    for (const [field, unchecked] of [
      ['serverId', 'serverId'],
      ['nickname', 'buyer'],
      ['email', 'buyer'],
    ] as const) {
      const open = { ...whole, [field]: undefined };
      expect(await quote(open)).toMatchObject({ orderable: false, problems: [], unchecked: [unchecked] });
    }
  });

  it('knows, also without a server, that no server sells two products together', async () => {
    const here = await aProduct(app.api, shop, { serverIds: [serverId] });
    expect(await problemsOf({ items: lines(here, vip) })).toEqual([]);
    expect(await problemsOf({ items: lines(here, elsewhere) })).toEqual(['product_not_available']);
    const empty = await aShop(app.api);
    const items = lines(await aProduct(app.api, empty));
    const quoted = await app.api.post(`/checkout/${empty.shopId}/quote`, { items });
    expect(expectSuccess(quoted)).toMatchObject({ orderable: false, problems: [{ code: 'server_not_found' }] });
  });

  it('returns the check of the code as contract 4 does', async () => {
    const { code, id } = await aDiscount(app.api, shop, { value: 10, minOrderValue: 5 });
    const { discount, ...rest } = await quote({ items: lines(vip), discountCode: code.toLowerCase() });
    expect(rest).toMatchObject({ problems: [], subtotal: 19.98, discountAmount: 2, total: 17.98 });
    expect(discount).toEqual(
      expectSuccess(
        await app.api.post(
          `/discounts/${shop.shopId}/validate`,
          { code, orderValue: 19.98 },
          { token: shop.owner.token },
        ),
      ),
    );
    expect(discount).toMatchObject({ discountId: id, valid: true });
    const small = await quote({ items: lines(coins), discountCode: code });
    expect(small).toMatchObject({
      orderable: false,
      total: 0.7,
      problems: [{ code: 'min_order_not_met', required: 5, missing: 4.3 }],
      discount: { valid: false },
    });
  });

  it('names every problem at once', async () => {
    const { code } = await aDiscount(app.api, shop, { isActive: false, minOrderValue: 1_000 });
    const unknown = '0'.repeat(24);
    const basket = { items: lines(elsewhere, unknown, coins), serverId, nickname: 'has space', email: 'b@example.com' };
    expect(await quote({ ...basket, discountCode: code })).toMatchObject({
      orderable: false,
      items: [{ productId: coins }],
      total: 0.7,
      problems: [
        { code: 'product_not_available', productId: elsewhere },
        { code: 'product_not_available', productId: unknown },
        { code: 'nickname_not_allowed' },
        { code: 'code_disabled' },
        { code: 'min_order_not_met' },
      ],
    });
    expect(await problemsOf({ items: lines(coins), serverId: unknown })).toEqual(['server_not_found']);
    expect(await problemsOf({ items: lines(coins), discountCode: 'NOSUCHCODE' })).toEqual(['code_not_found']);
  });

  it('reserves nothing for a quote', async () => {
    const { code, id } = await aDiscount(app.api, shop, { maxUses: 1, maxUsesPerBuyer: 1 });
    const body = { items: lines(vip), serverId, ...buyer(), discountCode: code };
    for (let times = 0; times < 3; times++) expect(await problemsOf(body)).toEqual([]);
    const count = (name: string): Promise<number> => records.db.collection(name).countDocuments();
    expect(await Promise.all(['orders', 'redemptions'].map(count))).toEqual([0, 0]);
    const read = await app.api.get(`/discounts/${shop.shopId}/${id}`, { token: shop.owner.token });
    expect(expectSuccess(read)['used']).toBe(0);
  });

  it('names limits of the buyer once the buyer is known', async () => {
    const { code } = await aDiscount(app.api, shop, { maxUsesPerBuyer: 1 });
    const basket = { items: lines(vip), serverId, discountCode: code };
    const known = buyer();
    expectSuccess(await app.api.post(path('orders'), { ...basket, ...known }));
    expect(await problemsOf({ ...basket, ...known })).toEqual(['buyer_limit_reached']);
    expect(await problemsOf({ ...basket, nickname: known.nickname })).toEqual([]);
    expect(await problemsOf({ ...basket, ...buyer() })).toEqual([]);
  });

  it('names a ban of the buyer', async () => {
    const banned = buyer();
    const ban = { nickname: banned.nickname, reason: 'Chargebacks' };
    expectSuccess(await app.api.post(`/bans/${shop.shopId}`, ban, { token: shop.owner.token }));
    const basket = { items: lines(vip), serverId };
    expect(await problemsOf({ ...basket, ...banned })).toEqual(['buyer_banned']);
    expectError(await app.api.post(path('orders'), { ...basket, ...banned }), 400, /does not accept orders/);
    expect(await problemsOf(basket)).toEqual([]);
  });

  it('names the limit of open orders that the checkout would reach', async () => {
    const tight = await startTestApp({ env: { QUOTAS: 'openOrdersPerMailbox=1' } });
    const own = await aShop(tight.api);
    const orderRequest = { items: lines(await aProduct(tight.api, own)), serverId: await aServer(tight.api, own) };
    const order = { ...orderRequest, ...buyer() };
    expectSuccess(await tight.api.post(`/checkout/${own.shopId}/orders`, order));
    const { problems } = expectSuccess<Quote>(await tight.api.post(`/checkout/${own.shopId}/quote`, order));
    expect(problems).toMatchObject([
      { code: 'quota_reached', message: expect.stringContaining('openOrdersPerMailbox') },
    ]);
    await tight.close();
  });

  it(`says for ${BASKETS} random baskets what the checkout does: the same price, or the same problem`, async () => {
    const codes = await Promise.all(
      [
        { value: 33.33 },
        { type: 'fixed', value: 5, minOrderValue: 3 },
        { value: 100 },
        { value: 50, maxDiscount: 2.5, productIds: [vip] },
        { value: 10, serverIds: [otherServerId] },
        { isActive: false },
      ].map(async (terms) => (await aDiscount(app.api, shop, terms)).code),
    );
    const line = fc.record({
      productId: fc.constantFrom(vip, coins, elsewhere, '0'.repeat(24)),
      quantity: fc.integer({ min: 1, max: 40 }),
    });
    const basket = fc.record({
      items: fc.uniqueArray(line, { minLength: 1, maxLength: 3, selector: ({ productId }) => productId }),
      serverId: fc.constantFrom(serverId, otherServerId),
      discountCode: fc.option(fc.constantFrom(...codes, 'NOSUCHCODE'), { nil: undefined }),
    });
    const outcomes = new Set<number>();
    const compare = async (body: object): Promise<void> => {
      const whole = { ...body, ...buyer() };
      const quoted = await quote(whole);
      const response = await app.api.post(path('orders'), whole);
      outcomes.add(response.status);
      if (quoted.orderable) {
        const { items, subtotal, discountAmount, total, currency } = quoted;
        expect(expectSuccess(response)).toMatchObject({ items, subtotal, discountAmount, total, currency });
      } else {
        const { error } = response.body as { error: string };
        expect([response.status, quoted.problems.map(({ message }) => message).join('; ')]).toEqual([
          400,
          expect.stringContaining(error),
        ]);
      }
    };
    await fc.assert(fc.asyncProperty(basket, compare), { numRuns: BASKETS });
    expect([...outcomes].sort()).toEqual([200, 400]);
  });

  it('rejects what is no basket', async () => {
    expectError(await ask({ items: [...lines(vip), ...lines(vip)] }), 400, /must not repeat a product/);
    expectError(await ask({}), 400, /items/);
    expectError(await ask({ items: lines(vip), nickname: null }), 400, /nickname/);
    expectError(await ask({ items: lines(vip), price: 1 }), 400, /price/);
    const nowhere = await app.api.post(`/checkout/${'0'.repeat(24)}/quote`, { items: lines(vip) });
    expectError(nowhere, 404, 'There is no such shop');
  });
});

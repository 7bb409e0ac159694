import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type PublicProductDto } from '../../src/catalogue/products/dto/public-product.dto.js';
import { aProduct, unique } from '../support/actors.js';
import { type CheckoutShop, aCheckoutShop } from '../checkout/checkout-actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const HOUR_MS = 3_600_000;
const from = (ms: number): string => new Date(Date.now() + ms).toISOString();

describe('The availability of a product', () => {
  let app: TestApp;
  let shop: CheckoutShop;

  const change = (body: object) =>
    app.api.patch(`/products/${shop.shopId}/${shop.productId}`, body, { token: shop.owner.token });
  const listed = async (): Promise<PublicProductDto[]> =>
    expectSuccess<PublicProductDto[]>(await app.api.get(`/products/public/${shop.shopId}`));
  const problems = async (): Promise<object[]> => {
    const quoted = await app.api.post(`/checkout/${shop.shopId}/quote`, shop.basket());
    return expectSuccess<{ problems: object[] }>(quoted).problems;
  };

  beforeAll(async () => {
    app = await startTestApp();
    shop = await aCheckoutShop(app.api, { settings: { timezone: 'Europe/Berlin' } });
  });
  afterAll(() => app.close());

  it('hides a product before its beginning, announces it when the shop says so, and sells it from then on', async () => {
    const availableFrom = from(HOUR_MS);
    expectSuccess(await change({ availableFrom }));
    expect(await listed()).toEqual([]);
    expectError(await app.api.get(`/products/public/${shop.shopId}/${shop.productId}`), 404, /no such product/);
    expect(await problems()).toMatchObject([{ code: 'product_not_available' }]);

    expectSuccess(await change({ showBefore: true }));
    expect(await listed()).toMatchObject([{ availability: 'upcoming', availableFrom, availableUntil: null }]);
    const [problem] = await problems();
    expect(problem).toEqual({
      code: 'not_yet_available',
      message: expect.stringMatching(/^VIP rank can be bought from 20.. ?.*\(Europe\/Berlin\)$/) as unknown,
      productId: shop.productId,
      availableFrom,
    });
    expectError(await shop.checkout(), 400, /^VIP rank can be bought from .*\(Europe\/Berlin\)$/);

    expectSuccess(await change({ availableFrom: from(-1) }));
    expect(await listed()).toMatchObject([{ availability: 'available' }]);
    expect(await problems()).toEqual([]);
    expectSuccess(await shop.checkout());
  });

  it('ends, also while somebody has the product in a basket', async () => {
    expectSuccess(await change({ availableUntil: from(-1) }));
    expect(await listed()).toEqual([]);
    expect(await problems()).toMatchObject([{ code: 'no_longer_available', productId: shop.productId }]);
    expectError(await shop.checkout(), 400, /^VIP rank could be bought until /);
    expectSuccess(await change({ availableFrom: null, availableUntil: null }));
    expectSuccess(await shop.checkout());
  });

  it('gives a list another version, and a shorter life, when a product is about to begin', async () => {
    const read = () => app.api.get(`/products/public/${shop.shopId}`);
    const before = await read();
    expect(before.headers['cache-control']).toContain('max-age=15');
    await aProduct(app.api, shop, { name: 'Soon', availableFrom: from(2_000) });
    const soon = await read();
    expect(soon.headers['cache-control']).toMatch(/max-age=[012]\b/);
    expect(expectSuccess<object[]>(soon)).toHaveLength(1);
    await new Promise((done) => setTimeout(done, 2_000));
    const headers = { 'If-None-Match': String(soon.headers['etag']) };
    const later = await app.api.get(`/products/public/${shop.shopId}`, { headers });
    expect(expectSuccess<object[]>(later)).toHaveLength(2);
  });

  it.each([
    ['the day on which the clocks go forward', '2027-03-28', '2027-03-27T23:00:00.000Z'],
    ['the day after it', '2027-03-29', '2027-03-28T22:00:00.000Z'],
    ['the day on which the clocks go back', '2027-10-31', '2027-10-30T22:00:00.000Z'],
    ['the day after it', '2027-11-01', '2027-10-31T23:00:00.000Z'],
  ])('begins at midnight in the zone of the shop: %s', async (_day, availableFrom, instant) => {
    const id = await aProduct(app.api, shop, { availableFrom, availableUntil: '2028-01-01', showBefore: true });
    expectSuccess(await app.api.get(`/products/public/${shop.shopId}/${id}`));
    const product = await app.api.get(`/products/${shop.shopId}/${id}`, { token: shop.owner.token });
    expect(expectSuccess(product)).toMatchObject({
      availableFrom: instant,
      availableUntil: '2027-12-31T23:00:00.000Z',
    });
  });

  it('rejects terms that never come, also together with those that stay', async () => {
    expectSuccess(await change({ availableFrom: '2027-01-01' }));
    expectError(await change({ availableUntil: '2027-01-01' }), 400, 'availableUntil must be after availableFrom');
    expectError(await change({ availableUntil: 'soon' }), 400, /^availableUntil must be a date/);
    expectError(await change({ showBefore: null }), 400, /^showBefore/);
    expectSuccess(await change({ availableFrom: null }));
  });

  it('lets staff give away what is not available', async () => {
    expectSuccess(await change({ availableUntil: from(-1) }));
    const { items, serverId, nickname } = shop.basket();
    const grant = { items, serverId, nickname, kind: 'grant', reason: 'Sorry' };
    const headers = { 'Idempotency-Key': unique().padEnd(16, 'z') };
    expectSuccess(await app.api.post(`/orders/${shop.shopId}`, grant, { token: shop.owner.token, headers }));
  });
});

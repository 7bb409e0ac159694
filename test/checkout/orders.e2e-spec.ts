import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HOUR_MS } from '../../src/lib/time/durations.js';
import { aDiscount, aProduct, aServer, aShop } from '../support/actors.js';
import { anId, anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { idOf, type Records, recordsOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { aCheckoutShop, type CheckoutShop } from './checkout-actors.js';

describe('POST /checkout/{shopId}/orders', () => {
  let app: TestApp;
  let records: Records;
  let shop: CheckoutShop;

  beforeAll(async () => {
    app = await startTestApp();
    records = await recordsOf(app);
    shop = await aCheckoutShop(app.api);
  });
  afterAll(async () => {
    await records.close();
    await app.close();
  });

  describe('200', () => {
    it('computes the prices on the server and returns the whole order, with the token that reads it', async () => {
      const second = await aProduct(app.api, shop, { name: 'Crate key', price: 2.5 });
      const { code } = await aDiscount(app.api, shop, { value: 12.5 });
      const response = await shop.checkout({
        items: [
          { productId: shop.productId, quantity: 1 },
          { productId: second.toUpperCase(), quantity: 3 },
        ],
        discountCode: code.toLowerCase(),
      });
      const data = expectSuccess<{ id: string; accessToken: string; createdAt: string; expiresAt: string }>(
        response,
        'Order created',
      );
      expect(data).toEqual({
        id: anId,
        number: 1_001,
        origin: 'checkout',
        shopId: shop.shopId,
        serverId: shop.serverId,
        nickname: 'Steve_42',
        status: 'open',
        paymentStatus: 'pending',
        deliveryStatus: 'none',
        items: [
          { productId: shop.productId, name: 'VIP rank', quantity: 1, unitPrice: 9.99, total: 9.99 },
          { productId: second, name: 'Crate key', quantity: 3, unitPrice: 2.5, total: 7.5 },
        ],
        subtotal: 17.49,
        discountCode: code,
        discountAmount: 2.19,
        total: 15.3,
        currency: 'EUR',
        createdAt: anInstant,
        paidAt: null,
        expiresAt: anInstant,
        accessToken: expect.stringMatching(/^sho_[A-Za-z0-9_-]{43}$/),
      });
      expect(Date.parse(data.expiresAt) - Date.parse(data.createdAt)).toBe(HOUR_MS);
      expect(response.headers['cache-control']).toBe('no-store');
      const { accessToken, ...rest } = data;
      const read = await app.api.get(`/orders/public/${data.id}`, { headers: { 'X-Order-Token': accessToken } });
      expect(expectSuccess(read, 'Order retrieved')).toMatchObject(rest);
    });

    it('rejects an order that costs more than its expected total, and prices a repetition with the same key again', async () => {
      const productId = await aProduct(app.api, shop, { price: 20 });
      const items = [{ productId, quantity: 1 }];
      const order = shop.basket({ items, expectedTotal: 10 });
      const headers = { 'Idempotency-Key': 'a-key-for-a-price-that-changes' };
      const place = () => app.api.post(shop.path, order, { headers });
      const change = (price: number) =>
        app.api.patch(`/products/${shop.shopId}/${productId}`, { price }, { token: shop.owner.token });
      expectSuccess(await change(10.01));
      const message = 'The order costs 10.01 EUR now, not 10.00 EUR: a price has changed';
      expectError(await place(), 409, message);
      const quoted = await app.api.post(`/checkout/${shop.shopId}/quote`, order);
      expect(expectSuccess(quoted)).toMatchObject({ total: 10.01, problems: [{ code: 'price_changed', message }] });
      expectSuccess(await change(9.5));
      expect(expectSuccess(await place())).toMatchObject({ total: 9.5 });
      expectError(await shop.checkout({ items, expectedTotal: 9.555 }), 400, /expectedTotal/);
    });

    it('applies a discount to its products, and to no others', async () => {
      const other = await aProduct(app.api, shop, { name: 'Coins', price: 5 });
      const { code } = await aDiscount(app.api, shop, { value: 50, productIds: [other] });
      const items = [
        { productId: shop.productId, quantity: 1 },
        { productId: other, quantity: 1 },
      ];
      const data = expectSuccess(await shop.checkout({ items, discountCode: code }));
      expect(data).toMatchObject({ subtotal: 14.99, discountAmount: 2.5, total: 12.49 });
    });

    it('marks an order with nothing to pay as paid and queues its deliveries at once', async () => {
      const { id: discountId, code } = await aDiscount(app.api, shop, { value: 100 });
      const data = expectSuccess<{ id: string; createdAt: string }>(
        await shop.checkout({ items: [{ productId: shop.productId, quantity: 2 }], discountCode: code }),
      );
      expect(data).toMatchObject({
        total: 0,
        discountAmount: 19.98,
        status: 'completed',
        paymentStatus: 'paid',
        deliveryStatus: 'queued',
        paidAt: data.createdAt,
      });
      const deliveries = await records.db
        .collection('deliveries')
        .find({ orderId: idOf(data.id) })
        .toArray();
      expect(deliveries).toEqual([expect.objectContaining({ state: 'queued', nickname: 'Steve_42', quantity: 2 })]);
      const use = await records.db.collection('redemptions').findOne({ orderId: idOf(data.id) });
      expect(use).toMatchObject({ state: 'redeemed', discountId: idOf(discountId) });
    });

    it('gives one buyer 10 orders with nothing to pay in 24 hours, also of 14 at once and in other spellings', async () => {
      const own = await aCheckoutShop(app.api, { product: { price: 0 } });
      const nicknames = ['steve_42', 'STEVE_42'];
      const responses = await Promise.all(
        Array.from({ length: 14 }, (_, number) => own.checkout({ nickname: nicknames[number % 2] })),
      );
      const rejected = responses.filter(({ status }) => status !== 200);
      expect(rejected).toHaveLength(4);
      const reached =
        'The buyer has had 10 orders with nothing to pay in this shop in 24 hours, and the limit is 10 (freeOrdersPerBuyer)';
      for (const response of rejected) expectError(response, 409, reached);
      expectError(await own.checkout(), 409, reached);
      expectSuccess(await own.checkout({ nickname: 'Alex_42' }));
      expectSuccess(await own.checkout({ items: [{ productId: await aProduct(app.api, own), quantity: 1 }] }));
    });

    it('uses amounts without decimals where the currency has none', async () => {
      const tokyo = await aCheckoutShop(app.api, { settings: { currency: 'JPY' }, product: { price: 1500 } });
      const { code } = await aDiscount(app.api, tokyo, { value: 33.33 });
      const data = expectSuccess(await tokyo.checkout({ discountCode: code }));
      expect(data).toMatchObject({ subtotal: 1500, discountAmount: 500, total: 1000, currency: 'JPY' });
    });

    it('ignores credentials: the checkout is public', async () => {
      expectSuccess(await app.api.post(shop.path, shop.basket(), { token: 'x.y.z', key: 'none' }));
    });
  });

  describe('rejects and stores nothing', () => {
    let before: Record<string, number>;
    const unchanged = async (): Promise<void> => expect(await records.counts()).toEqual(before);

    beforeEach(async () => {
      // The emails of earlier orders are stored a little later.
      const waiting = { state: 'waiting' };
      await eventually(async () => (await records.db.collection('outbox').countDocuments(waiting)) === 0);
      before = await records.counts();
    });

    it.each([
      [{ items: null }, 'items must be a list'],
      [{ items: [] }, 'items must have at least 1 entry'],
      [{ items: {} }, 'items must be a list'],
      [{ items: ['x'] }, 'items must contain only objects'],
      [{ items: [[]] }, /items/],
      [{ items: [null] }, /items/],
      [{ items: [{ productId: 'x', quantity: 1 }] }, /^items.0.productId must be an ObjectId/],
      [{ items: [{ productId: '0'.repeat(24), quantity: 0 }] }, 'items.0.quantity must be between 1 and 1000'],
      [{ items: [{ productId: '0'.repeat(24), quantity: 1.5 }] }, 'items.0.quantity must be a whole number'],
      [{ items: [{ productId: '0'.repeat(24), quantity: '1' }] }, 'items.0.quantity must be a whole number'],
      [{ items: [{ productId: '0'.repeat(24), quantity: 1001 }] }, 'items.0.quantity must be between 1 and 1000'],
      [{ items: [{ productId: '0'.repeat(24), quantity: 1, price: 0 }] }, 'items.0.price is not a known field'],
      [{ total: 0 }, 'total is not a known field'],
      [{ serverId: null }, 'serverId must be a string'],
      [{ serverId: { $ne: null } }, 'serverId must be a string'],
      [{ nickname: 'x' }, 'The nickname does not follow the rule of this shop'],
      [{ nickname: 'Steve 42' }, 'The nickname does not follow the rule of this shop'],
      [{ nickname: 'Steve\n42' }, 'nickname must not contain control characters'],
      [{ nickname: 'A'.repeat(33) }, 'nickname must have 1 to 32 characters'],
      [{ email: 'nobody' }, 'email must be an email address'],
      [{ email: 'a@example.com\r\nBcc: b@example.com' }, 'email must be an email address'],
      [{ email: ['a@example.com'] }, 'email must be a string'],
      [{ discountCode: null }, 'discountCode must be a string'],
      [{ discountCode: { $gt: '' } }, 'discountCode must be a string'],
      [{ discountCode: 'NO-SUCH-CODE' }, 'There is no such code'],
    ])('returns 400 for %j and stores nothing', async (body, error) => {
      expectError(await shop.checkout(body), 400, error, `/api/v2${shop.path}`);
      await unchanged();
    });

    it('returns 400 for more than 50 items and stores nothing', async () => {
      const items = Array.from({ length: 51 }, () => ({ productId: shop.productId, quantity: 1 }));
      expectError(await shop.checkout({ items }), 400, 'items must have at most 50 entries');
    });

    it('returns 400 for a repeated product, also with its id in upper case', async () => {
      const items = [shop.productId, shop.productId.toUpperCase()].map((id) => ({ productId: id, quantity: 1 }));
      expectError(await shop.checkout({ items }), 400, 'items must not repeat a product; use its quantity');
      await unchanged();
    });

    it('returns 404 for an unknown shop, and for a server that is unknown or of another shop', async () => {
      const nowhere = `/checkout/${'0'.repeat(24)}/orders`;
      expectError(await app.api.post(nowhere, shop.basket()), 404, 'There is no such shop', `/api/v2${nowhere}`);
      expectError(await shop.checkout({ serverId: '0'.repeat(24) }), 404, 'There is no such server');
    });

    it('returns 400 for a malformed shop id', async () => {
      const response = await app.api.post('/checkout/nothex/orders', shop.basket());
      expectError(response, 400, 'An identifier in the path is not an ObjectId of 24 hexadecimal digits');
    });
  });

  it('rejects products that are unknown, inactive, of another shop or for another server', async () => {
    const other = await aShop(app.api);
    const elsewhere = await aServer(app.api, shop, { name: 'Elsewhere' });
    const unavailable = [
      '0'.repeat(24),
      await aProduct(app.api, shop, { isActive: false }),
      await aProduct(app.api, other),
      await aProduct(app.api, shop, { serverIds: [elsewhere] }),
    ];
    for (const id of unavailable) {
      const response = await shop.checkout({ items: [{ productId: id, quantity: 1 }] });
      expectError(response, 400, `Product ${id} is not for sale here`);
    }
    const foreign = await shop.checkout({ serverId: await aServer(app.api, other) });
    expectError(foreign, 404, 'There is no such server');
  });

  it('rejects an order that is too large for exact statistics', async () => {
    const dear = await aProduct(app.api, shop, { price: 1_000_000_000 });
    const response = await shop.checkout({ items: [{ productId: dear, quantity: 2 }] });
    expectError(response, 400, 'The order is too large');
  });
});

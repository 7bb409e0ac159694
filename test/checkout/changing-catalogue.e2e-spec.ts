import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { type Response } from 'supertest';
import { type DatabaseGate, databaseGate } from '../payments/database-gate.js';
import { aWebhook } from '../payments/senders.js';
import { aProduct } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { type Records, recordsOf } from '../support/records.js';
import { repetitions } from '../support/repetitions.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { aCheckoutShop, type CheckoutShop } from './checkout-actors.js';

/** How many checkouts have priced their order when the catalogue changes: as many as a process runs for a shop. */
const AT_ONCE = 8;
/** How many checkouts run, and how many products are created meanwhile. */
const [CHECKOUTS, CREATIONS] = [repetitions(60, 200), repetitions(20, 1_000)];

/** What a checkout of one unit for 0.10 EUR becomes when this has changed since its order was priced. */
interface Change {
  readonly apply: (shop: CheckoutShop) => Promise<Response>;
  readonly becomes: number | readonly [status: number, message: RegExp];
}

describe('The catalogue that changes while orders are placed', () => {
  /** Changes the catalogue. */
  let app: TestApp;
  /** Another process on the same database, whose transactions the spec can stop before they begin. */
  let other: TestApp;
  let gate: DatabaseGate;
  let records: Records;

  beforeAll(async () => {
    app = await startTestApp();
    gate = await databaseGate(app.databaseUri);
    other = await startTestApp({ databaseUri: gate.uri });
    records = await recordsOf(app);
  });
  afterAll(async () => {
    await records.close();
    await other.close();
    await gate.close();
    await app.close();
  });

  const patch = (path: string, body: object, { owner: { token } }: CheckoutShop) =>
    app.api.patch(path, body, { token });
  const remove = (path: string, { owner: { token } }: CheckoutShop) => app.api.delete(path, { token });
  const totals = async ({ shopId }: CheckoutShop): Promise<number[]> => {
    const orders = await records.db
      .collection('orders')
      .find({ shopId: new ObjectId(shopId) })
      .toArray();
    return orders.map((order) => order['totalMinor'] as number);
  };

  /** Lets checkouts of the other process price their orders, changes the catalogue, and lets their transactions begin. */
  const placeAcross = async (shop: CheckoutShop, apply: Change['apply'], body: object): Promise<Response[]> => {
    // Its snapshot is in memory before the change.
    expectSuccess(await other.api.post(`/checkout/${shop.shopId}/quote`, shop.basket(body)));
    const held = gate.hold(Buffer.from('startTransaction'), Buffer.from(shop.shopId, 'hex'));
    const checkouts = Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) => {
        const buyer = { nickname: `Buyer_${index}` };
        return other.api.post(shop.path, shop.basket({ ...buyer, ...body }));
      }),
    );
    await eventually(() => Promise.resolve(held.count() === AT_ONCE));
    expectSuccess(await apply(shop));
    held.release();
    return checkouts;
  };

  const aShopFor10Cents = async (): Promise<CheckoutShop> => {
    const shop = await aCheckoutShop(app.api, { product: { price: 0.1 } });
    // Mollie can charge 0.10 EUR, Stripe cannot.
    await aWebhook(app.api, shop, 'mollie', { apiKey: `test_${'a'.repeat(30)}` });
    await aWebhook(app.api, shop, 'stripe', { signingSecret: 'whsec_test_secret', secretKey: 'sk_test_0123456789' });
    return shop;
  };

  it.each<[string, Change]>([
    [
      'a price',
      { apply: (shop) => patch(`/products/${shop.shopId}/${shop.productId}`, { price: 0.12 }, shop), becomes: 12 },
    ],
    [
      'a deleted product',
      {
        apply: (shop) => remove(`/products/${shop.shopId}/${shop.productId}`, shop),
        becomes: [400, /^Product .* is not for sale here$/],
      },
    ],
    [
      'the end of a product',
      {
        apply: (shop) =>
          patch(
            `/products/${shop.shopId}/${shop.productId}`,
            { availableUntil: new Date(Date.now() - 60_000).toISOString() },
            shop,
          ),
        becomes: [400, /^VIP rank could be bought until /],
      },
    ],
    [
      'a deleted server',
      {
        apply: (shop) => remove(`/servers/${shop.shopId}/${shop.serverId}`, shop),
        becomes: [404, /^There is no such server$/],
      },
    ],
    [
      'a closed shop',
      { apply: (shop) => remove(`/shops/${shop.shopId}`, shop), becomes: [404, /^There is no such shop$/] },
    ],
    [
      'a removed payment provider',
      {
        apply: (shop) => remove(`/payments/${shop.shopId}/providers/mollie`, shop),
        becomes: [400, /^No payment method can charge the total: Stripe can charge 0\.50 EUR or more, not 0\.10 EUR$/],
      },
    ],
    [
      'a payment provider that is switched off',
      {
        apply: ({ shopId, owner: { token } }) =>
          app.api.put(`/payments/${shopId}/providers/mollie`, { enabled: false, credentials: {} }, { token }),
        becomes: [400, /^No payment method can charge the total: /],
      },
    ],
    [
      'another product',
      {
        apply: ({ shopId, owner: { token } }) =>
          app.api.post(`/products/${shopId}`, { name: 'New', price: 1 }, { token }),
        becomes: 10,
      },
    ],
  ])('is seen by every order whose transaction begins later: %s', async (_what, { apply, becomes }) => {
    const shop = await aShopFor10Cents();
    const responses = await placeAcross(shop, apply, {});
    if (typeof becomes === 'number') {
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
      expect(await totals(shop)).toEqual(responses.map(() => becomes));
    } else {
      for (const response of responses) expectError(response, becomes[0], becomes[1]);
      expect(await totals(shop)).toEqual([]);
    }
  });

  it('rejects an order whose expected total was right when it was priced, and places one at a lower price', async () => {
    const shop = await aShopFor10Cents();
    const to = (price: number) => () => patch(`/products/${shop.shopId}/${shop.productId}`, { price }, shop);
    for (const response of await placeAcross(shop, to(0.12), { expectedTotal: 0.1 }))
      expectError(response, 409, 'The order costs 0.12 EUR now, not 0.10 EUR: a price has changed');
    expect(await totals(shop)).toEqual([]);
    for (const response of await placeAcross(shop, to(0.11), { expectedTotal: 0.12 })) expectSuccess(response);
    expect(new Set(await totals(shop))).toEqual(new Set([11]));
  });

  it(`rejects no buyer while ${CREATIONS} products are created and prices rise, and stores no price from before a checkout`, async () => {
    const shop = await aCheckoutShop(app.api, { product: { price: 1 } });
    /** The price that was stored last, and the one that is being stored, in minor units. */
    let [stored, storing] = [100, 100];
    let created = 0;
    const creator = async (): Promise<void> => {
      while (created < CREATIONS) {
        created++;
        await aProduct(app.api, shop, { name: `New ${created}` });
        if (created % 5 !== 0) continue;
        storing++;
        expectSuccess(await patch(`/products/${shop.shopId}/${shop.productId}`, { price: storing / 100 }, shop));
        stored = storing;
      }
    };
    let placed = 0;
    const buyer = async (process: TestApp, number: number): Promise<void> => {
      while (placed < CHECKOUTS || created < CREATIONS) {
        placed++;
        const before = stored;
        const response = await process.api.post(shop.path, shop.basket({ nickname: `Buyer_${number}_${placed}` }));
        const totalMinor = Math.round(expectSuccess<{ total: number }>(response).total * 100);
        expect({ before, totalMinor, storing }).toEqual({
          before,
          totalMinor: Math.min(Math.max(totalMinor, before), storing),
          storing,
        });
      }
    };
    const buyers = Array.from({ length: 4 }, (_, index) => buyer(index % 2 === 0 ? app : other, index));
    await Promise.all([creator(), ...buyers]);
    expect(await totals(shop)).toHaveLength(placed);
  });
});

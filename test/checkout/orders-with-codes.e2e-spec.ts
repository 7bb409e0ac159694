import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aDiscount, unique } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { idOf, type Records, recordsOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { aCheckoutShop, type CheckoutShop } from './checkout-actors.js';

describe('POST /checkout/{shopId}/orders with a discount code', () => {
  let app: TestApp;
  let records: Records;
  let shop: CheckoutShop;
  const usesOf = async (discountId: string): Promise<unknown> => {
    const { token } = shop.owner;
    return expectSuccess(await app.api.get(`/discounts/${shop.shopId}/${discountId}`, { token }))['used'];
  };

  beforeAll(async () => {
    app = await startTestApp();
    records = await recordsOf(app);
    shop = await aCheckoutShop(app.api);
  });
  afterAll(async () => {
    await records.close();
    await app.close();
  });

  it('names every reason why a code does not apply, and counts no use (complaint 13)', async () => {
    const { id, code } = await aDiscount(app.api, shop, {
      minOrderValue: 50,
      endsAt: '2020-01-01T00:00:00Z',
      maxUses: 3,
    });
    const sentence = 'The code has expired; The order is below the minimum value of the code';
    expectError(await shop.checkout({ discountCode: code }), 400, sentence);
    expect(await usesOf(id)).toBe(0);
  });

  it('rejects a first-purchase code of a buyer who has paid, also with the address in upper case', async () => {
    const [email, nickname] = [`loyal-${unique()}@example.com`, 'Loyal_42'];
    const free = await aDiscount(app.api, shop, { value: 100 });
    const first = await aDiscount(app.api, shop, { firstPurchaseOnly: true });
    expectSuccess(await shop.checkout({ email, nickname, discountCode: first.code }));
    expectSuccess(await shop.checkout({ email, nickname, discountCode: free.code }));
    const late = await shop.checkout({ email: email.toUpperCase(), nickname: 'Other_42', discountCode: first.code });
    expectError(late, 400, 'The code is for a first purchase only');
  });

  it.each([
    ['dots and a tag of the address', { email: 's.te.ve+2@googlemail.com', nickname: 'Alex_42' }],
    ['a tag at any other provider', { email: 'steve+2@example.org', nickname: 'Alex_42' }, 'steve@example.org'],
    ['the case of the nickname', { nickname: 'steve_42' }],
  ])('counts buyers that differ only in %s as one', async (_, second, email = 'steve@gmail.com') => {
    const own = await aCheckoutShop(app.api);
    const limited = await aDiscount(app.api, own, { maxUsesPerBuyer: 1 });
    const first = await aDiscount(app.api, own, { firstPurchaseOnly: true });
    const free = await aDiscount(app.api, own, { value: 100 });
    expectSuccess(await own.checkout({ email, discountCode: limited.code }));
    expectError(
      await own.checkout({ ...second, discountCode: limited.code }),
      400,
      'The buyer has already used the code as often as allowed',
    );
    expectSuccess(await own.checkout({ email, discountCode: free.code }));
    expectError(
      await own.checkout({ ...second, discountCode: first.code }),
      400,
      'The code is for a first purchase only',
    );
    const stranger = { email: 'alex@gmail.com', nickname: 'Alex_43' };
    for (const { code } of [limited, first]) expectSuccess(await own.checkout({ ...stranger, discountCode: code }));
  });

  describe('with a limited code', () => {
    /** A checkout that is repeated with an Idempotency-Key until it is carried out. */
    const checkoutUntilDone = async (body: object): Promise<Response> => {
      const [sent, headers] = [shop.basket(body), { 'Idempotency-Key': randomUUID() }];
      for (;;) {
        const response = await app.api.post(shop.path, sent, { headers });
        // A busy machine may need longer than the deadline of a request (503). Then it goes on in the background (409).
        if (![409, 503].includes(response.status)) return response;
        await pause(200);
      }
    };

    it('accepts exactly 10 of 40 parallel checkouts with a code for 10 uses (complaint 11)', async () => {
      const { id, code } = await aDiscount(app.api, shop, { maxUses: 10 });
      const responses = await Promise.all(Array.from({ length: 40 }, () => checkoutUntilDone({ discountCode: code })));
      const [won, lost] = [200, 400].map((status) => responses.filter((response) => response.status === status));
      expect([won?.length, lost?.length]).toEqual([10, 30]);
      for (const response of lost ?? []) expectError(response, 400, 'The code has no uses left');
      expect(await usesOf(id)).toBe(10);
      expect(await records.db.collection('redemptions').countDocuments({ discountId: idOf(id) })).toBe(10);
      expect(await records.db.collection('orders').countDocuments({ 'discount.discountId': idOf(id) })).toBe(10);
    });

    it('accepts exactly 2 of 12 parallel checkouts of one buyer with a code for 2 uses per buyer (complaints 10 and 14)', async () => {
      const { id, code } = await aDiscount(app.api, shop, { maxUsesPerBuyer: 2 });
      const email = `eager-${unique()}@example.com`;
      const responses = await Promise.all(
        Array.from({ length: 12 }, () => checkoutUntilDone({ email, discountCode: code })),
      );
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(2);
      for (const response of responses.filter(({ status }) => status !== 200)) {
        expectError(response, 400, 'The buyer has already used the code as often as allowed');
      }
      expect(await usesOf(id)).toBe(2);
      expectSuccess(await shop.checkout({ nickname: 'Alex_42', discountCode: code }));
    });
  });
});

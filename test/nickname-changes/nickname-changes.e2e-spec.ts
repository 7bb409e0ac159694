import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aDiscount, anOrder, aProduct, aServer, aShop, type TestOrder, type TestShop } from '../support/actors.js';
import { anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { idOf, type Records, recordsOf } from '../support/records.js';
import { repetitions } from '../support/repetitions.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const INVALID = 'The verification code is wrong, expired or already used';
const RULE = 'The nickname does not follow the rule of this shop';
const LOCKED = 'The nickname can no longer be changed, because the delivery of the order has begun or ended';
const GUESSES = repetitions(50, 1_000);
const NOWHERE = '0'.repeat(24);

describe('The nickname of an order', () => {
  let app: TestApp;
  let records: Records;
  let shop: TestShop;
  let order: TestOrder;
  let place: { productId: string; serverId: string; discountCode: string };

  const requestCode = (orderId: string): Promise<Response> =>
    app.api.call('post', `/orders/public/${orderId}/nickname/request`);
  const change = (verificationCode: unknown, newNickname: unknown = 'Alex_42', orderId = order.id): Promise<Response> =>
    app.api.post(`/orders/public/${orderId}/nickname/change`, { verificationCode, newNickname });
  /** Repeats a change while a busy machine returns 503, or 408 because this process is too slow to send its requests. */
  const changeUntilDone = async (verificationCode: string): Promise<Response> => {
    for (;;) {
      const response = await change(verificationCode);
      if (response.status !== 503 && response.status !== 408) return response;
      await pause(100);
    }
  };
  const codeState = async (orderId = order.id): Promise<Record<string, unknown> | null> =>
    records.db.collection('nickname_change_codes').findOne({ orderId: idOf(orderId) });
  const setState = (fields: object): Promise<unknown> =>
    records.db.collection('nickname_change_codes').updateOne({ orderId: idOf(order.id) }, { $set: fields });
  /** Moves the delivery of the order, and the order with it. */
  const setDelivery = async (state: string, fields: object = {}): Promise<void> => {
    const delivery = { $set: { state, ...fields } };
    await records.db.collection('deliveries').updateOne({ orderId: idOf(order.id) }, delivery);
    await records.db.collection('orders').updateOne({ _id: idOf(order.id) }, { $set: { deliveryStatus: state } });
  };
  const nicknameOf = async ({ id, accessToken }: TestOrder): Promise<unknown> =>
    expectSuccess(await app.api.get(`/orders/public/${id}`, { headers: { 'X-Order-Token': accessToken } }))['nickname'];

  /** Requests a code and reads it from the email. */
  async function aCode({ id, email }: TestOrder = order): Promise<string> {
    const before = (await codesTo(email)).length;
    expectSuccess(await requestCode(id));
    return eventually(async () => {
      const codes = await codesTo(email);
      return codes.length > before && codes.at(-1);
    });
  }
  /** The codes that were sent to an address, oldest first. */
  const codesTo = async (email: string): Promise<string[]> =>
    (await app.mailbox.all())
      .filter((text) => text.includes(`To: ${email}`))
      .flatMap((text) => /^\d{8}$/m.exec(text) ?? []);
  const wrong = (code: string, by = 1): string => String((Number(code) + by) % 1e8).padStart(8, '0');

  beforeAll(async () => {
    // Each test has an order with nothing to pay for the same player.
    app = await startTestApp({ env: { QUOTAS: 'freeOrdersPerBuyer=1000' } });
    records = await recordsOf(app);
    shop = await aShop(app.api);
    const { code } = await aDiscount(app.api, shop, { value: 100 });
    place = { productId: await aProduct(app.api, shop), serverId: await aServer(app.api, shop), discountCode: code };
  });
  beforeEach(async () => {
    // Free, so it is paid and its delivery waits.
    order = await anOrder(app.api, shop.shopId, place);
  });
  afterAll(async () => {
    await records.close();
    await app.close();
  });

  describe('POST /orders/public/{orderId}/nickname/request', () => {
    it('returns the same whether the order exists or not', async () => {
      const [known, unknown] = [await requestCode(order.id), await requestCode(NOWHERE)];
      expect(expectSuccess(known, 'If the order exists, a code is on its way')).toEqual({ status: 'accepted' });
      expect(unknown.body).toEqual(known.body);
    });

    it('stores the code as a keyed hash only', async () => {
      const code = await aCode();
      const state = await codeState();
      expect(state).toMatchObject({ codeHash: expect.stringMatching(/^[0-9a-f]{64}$/), attemptsLeft: 5 });
      expect(JSON.stringify(state)).not.toContain(code);
    });

    it('sends at most 3 codes an hour, also for parallel requests', async () => {
      for (let times = 0; times < 2; times++) await aCode();
      await Promise.all(Array.from({ length: 10 }, () => requestCode(order.id)));
      await aCode(await anOrder(app.api, shop.shopId, place));
      await eventually(async () => (await codesTo(order.email)).length === 3);
      await requestCode(order.id);
      await aCode(await anOrder(app.api, shop.shopId, place));
      expect(await codesTo(order.email)).toHaveLength(3);
      expect(await codeState()).toMatchObject({ sentToday: 3 });
    });

    it('makes the previous code invalid with each new one', async () => {
      const [first, second] = [await aCode(), await aCode()];
      if (first !== second) expectError(await change(first), 400, INVALID);
      expectSuccess(await change(second));
    });

    it('rejects a malformed id', async () => {
      expectError(await requestCode('nothex'), 400, /^An identifier in the path/);
    });
  });

  describe('POST /orders/public/{orderId}/nickname/change', () => {
    it('renames the order and its waiting deliveries, and sends an email to the address of the order (complaint 8)', async () => {
      const response = await change(await aCode(), 'Alex_42');
      expect(expectSuccess(response, 'Nickname changed')).toEqual({
        orderId: order.id,
        previousNickname: 'Steve_42',
        nickname: 'Alex_42',
        changedAt: anInstant,
      });
      expect(await nicknameOf(order)).toBe('Alex_42');
      const deliveries = await records.db
        .collection('deliveries')
        .find({ orderId: idOf(order.id) })
        .toArray();
      expect(deliveries).toEqual([expect.objectContaining({ state: 'queued', nickname: 'Alex_42' })]);
      const [email] = await app.mailbox.next(order.email, /^Subject: The nickname of your order was changed$[^]*/m);
      expect(email).toContain(`order #${order.number} was changed from Steve_42 to Alex_42.`);
    });

    it('accepts the nickname that the order has: uses the code, and neither emails nor records a change', async () => {
      const code = await aCode();
      expect(expectSuccess(await change(code, 'Steve_42'), 'Nickname changed')).toEqual({
        orderId: order.id,
        previousNickname: 'Steve_42',
        nickname: 'Steve_42',
        changedAt: anInstant,
      });
      expectError(await change(code), 400, INVALID);
      const history = async (): Promise<unknown[]> => {
        const stored = await records.db.collection('orders').findOne({ _id: idOf(order.id) });
        const entries = stored?.['history'] as { action: string }[];
        return entries.filter(({ action }) => action === 'nickname_changed');
      };
      expect(await history()).toEqual([]);
      expectSuccess(await change(await aCode()));
      // One about the first change would have been written before this one.
      await app.mailbox.next(order.email, /^Subject: The nickname of your order was changed$/m);
      const emails = (await app.mailbox.all()).filter((text) =>
        text.includes(`order #${order.number} was changed from`),
      );
      expect(emails).toEqual([expect.stringContaining('was changed from Steve_42 to Alex_42.')]);
      expect(await history()).toHaveLength(1);
    });

    it('renames an order that is not paid yet', async () => {
      const { discountCode: _, ...unpaid } = place;
      order = await anOrder(app.api, shop.shopId, unpaid);
      expectSuccess(await change(await aCode()));
      expect(await nicknameOf(order)).toBe('Alex_42');
    });

    it('accepts a code once', async () => {
      const code = await aCode();
      expectSuccess(await change(code, 'Alex_42'));
      expectError(await change(code, 'Mallory'), 400, INVALID, `/api/v2/orders/public/${order.id}/nickname/change`);
      expect(await nicknameOf(order)).toBe('Alex_42');
    });

    it('accepts one of several parallel changes with the same code', async () => {
      const code = await aCode();
      const names = ['Alex_1', 'Alex_2', 'Alex_3', 'Alex_4'];
      const responses = await Promise.all(names.map((name) => change(code, name)));
      const won = responses.filter(({ status }) => status === 200);
      expect(won).toHaveLength(1);
      for (const response of responses.filter(({ status }) => status !== 200)) expectError(response, 400, INVALID);
      expect(await nicknameOf(order)).toBe(expectSuccess(won[0] as Response)['nickname']);
    });

    it('returns the same error for a wrong code, an expired one, a used one and one that never existed', async () => {
      const never = await change('12345678');
      const code = await aCode();
      const mistaken = await change(wrong(code));
      await setState({ expiresAt: new Date(Date.now() - 1) });
      const expired = await change(code);
      const used = await aCode();
      expectSuccess(await change(used));
      for (const response of [never, mistaken, expired, await change(used)]) {
        expectError(response, 400, INVALID);
        expect(response.headers['retry-after']).toBeUndefined();
      }
    });

    it('allows 5 attempts for a code, then rejects the right one too', async () => {
      const code = await aCode();
      for (let by = 1; by <= 5; by++) expectError(await change(wrong(code, by)), 400, INVALID);
      expectError(await change(code), 400, INVALID);
      expect(await nicknameOf(order)).toBe('Steve_42');
      expectSuccess(await change(await aCode()));
    });

    it(`compares only 5 of ${GUESSES} parallel guesses`, async () => {
      const code = await aCode();
      const guesses = Array.from({ length: GUESSES }, (_, by) => changeUntilDone(wrong(code, by + 1)));
      for (const response of await Promise.all(guesses)) expectError(response, 400, INVALID);
      expect(await codeState()).toMatchObject({ attemptsLeft: 0, failedToday: 5 });
      expectError(await change(code), 400, INVALID);
    });

    it('uses up no attempt when the nickname breaks the rule', async () => {
      const code = await aCode();
      for (const name of ['x', 'has space', 'Ünïcode', 'A'.repeat(17)]) {
        expectError(await change(code, name), 400, RULE);
      }
      expect(await codeState()).toMatchObject({ attemptsLeft: 5, failedToday: 0 });
      expectSuccess(await change(code));
      expect(await codeState()).toMatchObject({ failedToday: 0 });
    });

    it.each(['leased', 'delivered', 'failed'])(
      'returns 400 when the order is %s, and leaves the code valid',
      async (state) => {
        const code = await aCode();
        await setDelivery(state);
        expectError(await change(code), 400, LOCKED);
        expect(await codeState()).toMatchObject({ usedAt: null });
        await setDelivery('queued');
        expectSuccess(await change(code));
      },
    );

    it.each(['queued', 'held'])('returns 400 when the order is %s and a plugin had leased it before', async (state) => {
      await setDelivery(state, { attempt: 1 });
      expectError(await change(await aCode()), 400, LOCKED);
      expect(await nicknameOf(order)).toBe('Steve_42');
    });

    it('renames a held order that no plugin had leased', async () => {
      await setDelivery('held');
      expectSuccess(await change(await aCode()));
      const delivery = await records.db.collection('deliveries').findOne({ orderId: idOf(order.id) });
      expect([await nicknameOf(order), delivery]).toMatchObject(['Alex_42', { state: 'held', nickname: 'Alex_42' }]);
    });

    it('returns 429 after 20 failures in a day, with the time until tomorrow, also for the right code', async () => {
      const code = await aCode();
      await setState({ failedToday: 19 });
      expectError(await change(wrong(code)), 400, INVALID);
      const rejected = await change(code);
      expectError(rejected, 429, 'Too many failed attempts; try again tomorrow');
      const midnight = new Date().setUTCHours(24, 0, 0, 0);
      const seconds = Number(rejected.headers['retry-after']);
      expect(Math.abs(seconds - (midnight - Date.now()) / 1000)).toBeLessThan(5);
      expectError(await change(await aCode()), 429, /try again tomorrow$/);
      expect(await nicknameOf(order)).toBe('Steve_42');
    });

    it('counts no failures of yesterday', async () => {
      const code = await aCode();
      await setState({ failedToday: 20, day: '2020-01-01' });
      expectError(await change(code), 400, INVALID);
      expectSuccess(await change(await aCode()));
      expect(await codeState()).toMatchObject({ failedToday: 0, sentToday: 1 });
    });

    it('returns 404 for an unknown order', async () => {
      const response = await change('12345678', 'Alex_42', NOWHERE);
      expectError(response, 404, 'There is no such order', `/api/v2/orders/public/${NOWHERE}/nickname/change`);
    });

    it('returns 400 for a malformed id', async () => {
      expectError(await change('12345678', 'Alex_42', 'nothex'), 400, /^An identifier in the path/);
    });

    it.each([
      [{}, 'verificationCode is required, for example "04711729"; newNickname is required, for example "Alex_42"'],
      [{ verificationCode: 12345678, newNickname: 'Alex_42' }, 'verificationCode must be a string'],
      [{ verificationCode: { $ne: '' }, newNickname: 'Alex_42' }, 'verificationCode must be a string'],
      [{ verificationCode: ['12345678'], newNickname: 'Alex_42' }, 'verificationCode must be a string'],
      [{ verificationCode: '00000000', newNickname: null }, 'newNickname must be a string'],
      [{ verificationCode: '00000000', newNickname: 'Alex\u0007' }, 'newNickname must not contain control characters'],
      [{ verificationCode: '00000000', newNickname: 'A'.repeat(33) }, 'newNickname must have 1 to 32 characters'],
      [{ verificationCode: '00000000', newNickname: 'Alex_42', email: 'x@y.zz' }, 'email is not a known field'],
    ])('returns 400 for %j, naming the field', async (body, error) => {
      expectError(await app.api.post(`/orders/public/${order.id}/nickname/change`, body), 400, error);
      expect(await nicknameOf(order)).toBe('Steve_42');
    });
  });
});

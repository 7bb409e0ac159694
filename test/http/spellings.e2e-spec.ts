import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aCheckoutShop, type CheckoutShop } from '../checkout/checkout-actors.js';
import { INVITATION_TOKEN } from '../team/team-actors.js';
import { aDiscount, unique } from '../support/actors.js';
import { type Call } from '../support/client.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const BANNED = /This shop does not accept orders from this buyer$/;
const PASSWORD = 'correct horse battery';

describe('Values as people write and paste them', () => {
  let app: TestApp;
  let shop: CheckoutShop;
  let byOwner: Call;

  beforeAll(async () => {
    app = await startTestApp();
    shop = await aCheckoutShop(app.api, {
      product: { commands: ['give "{nickname}" vip'], maxPerBuyer: 1 },
      settings: { nicknameRule: { preset: 'minecraft-bedrock' } },
    });
    byOwner = { token: shop.owner.token };
  });
  afterAll(() => app.close());

  it('invites, registers, logs in, limits and bans one mailbox, each time in another spelling', async () => {
    const name = `helper-${unique()}`;
    const address = `${name}@xn--bcher-kva.example`;
    const path = `/shops/${shop.shopId}/team/invitations`;
    const invitation = { email: ` ${name.toUpperCase()}@Bücher.example\n`, role: 'support' };
    expect(expectSuccess(await app.api.post(path, invitation, byOwner))).toMatchObject({ email: address });
    const [token] = await app.mailbox.next(address, INVITATION_TOKEN);

    const account = { email: address, password: PASSWORD, name: ' Robin ' };
    const { user, accessToken } = expectSuccess<{ user: object; accessToken: string }>(
      await app.api.post('/auth/register', account),
    );
    expect(user).toMatchObject({ email: address, name: 'Robin' });
    const again = await app.api.post('/auth/register', { ...account, email: `${name}@bu\u0308cher.example` });
    expect(again.status).toBe(409);
    expectSuccess(await app.api.post('/team/invitations/accept', { token: ` ${token}\n` }, { token: accessToken }));
    expectSuccess(await app.api.post('/auth/login', { email: `${name}@BÜCHER.example. `, password: PASSWORD }));

    const order = (email: string): Promise<Response> => shop.checkout({ email, nickname: `N${unique()}` });
    expectSuccess(await order(`${name}@bücher.example`));
    expectError(await order(`${name}+2@xn--bcher-kva.example`), 409, /^One buyer may have at most 1/);
    expectSuccess(
      await app.api.post(`/bans/${shop.shopId}`, { email: `${name}@ＢÜＣＨＥＲ.example`, reason: 'x' }, byOwner),
    );
    expectError(await order(`${name.toUpperCase()}@bücher.example`), 409, BANNED);
  });

  it.each(['\u200B', '\u00AD', '\u2060', '\uFEFF', '\u200E', '\u202E'])(
    'rejects an address with the invisible character %j everywhere',
    async (invisible) => {
      const email = `steve${invisible}@example.com`;
      const routes: [string, object, Call?][] = [
        ['/auth/register', { email, password: PASSWORD, name: 'Robin' }],
        ['/auth/login', { email, password: PASSWORD }],
        ['/auth/password/forgot', { email }],
        [`/shops/${shop.shopId}/team/invitations`, { email, role: 'support' }, byOwner],
        [shop.path, shop.basket({ email })],
        [`/bans/${shop.shopId}`, { email, reason: 'x' }, byOwner],
      ];
      for (const [path, body, call] of routes) {
        expectError(
          await app.api.post(path, body, call),
          400,
          'email must not contain invisible characters: type it instead of pasting it',
        );
      }
    },
  );

  it('bans one player of Bedrock with the name of the gamertag and with that of Floodgate', async () => {
    const name = `.Al ${unique()}`;
    expectSuccess(await app.api.post(`/bans/${shop.shopId}`, { nickname: name, reason: 'x' }, byOwner));
    expectError(await shop.checkout({ nickname: ` ${name.replace(' ', '_')} ` }), 400, BANNED);
  });

  it('takes a discount code with spaces, full-width letters and foreign digits, and an empty optional field', async () => {
    const { code } = await aDiscount(app.api, shop, { code: `İyi١${unique()}` });
    expect(code).toMatch(/^IYI1/);
    const typed = ` ${code.slice(0, 3).toLowerCase()} ${code.slice(3)}\u200B`;
    expect(
      expectSuccess(await app.api.post(`/discounts/${shop.shopId}/validate`, { code: typed, orderValue: 10 }, byOwner)),
    ).toMatchObject({ valid: true, code });
    expectSuccess(await shop.checkout({ nickname: `N${unique()}`, discountCode: ' ' }));
  });

  it("reads a date as midnight in the shop's time zone, wherever a time is expected", async () => {
    const [winter, summer] = ['2099-12-23T23:00:00.000Z', '2099-06-30T22:00:00.000Z'];
    const discount = await aDiscount(app.api, shop, { startsAt: ' 2099-07-01 ', endsAt: '2099-12-24' });
    expect(discount).toMatchObject({ startsAt: summer, endsAt: winter });
    const change = { startsAt: null, endsAt: '2099-07-01' };
    expect(
      expectSuccess(await app.api.patch(`/discounts/${shop.shopId}/${discount.id}`, change, byOwner)),
    ).toMatchObject({ startsAt: null, endsAt: summer });

    const ban = { nickname: `N${unique()}`, reason: 'x', until: '2099-12-24' };
    expect(expectSuccess(await app.api.post(`/bans/${shop.shopId}`, ban, byOwner))).toMatchObject({ until: winter });
    const { shopId } = shop;
    const key = { shopId, name: 'A', type: 'plugin', permissions: ['products:read'], expiresAt: '2099-12-24' };
    expect(expectSuccess(await app.api.post('/api-keys', key, byOwner))).toMatchObject({ expiresAt: winter });

    const webhook = { url: 'https://example.com/hooks', events: ['*'], format: 'standard' };
    const { id } = expectSuccess<{ id: string }>(await app.api.post(`/webhooks/${shopId}`, webhook, byOwner));
    const range = { from: '2099-07-01', to: '2099-12-24' };
    expectSuccess(await app.api.post(`/webhooks/${shopId}/${id}/deliveries/replay`, range, byOwner));
    const [entry] = expectSuccess<object[]>(await app.api.get(`/shops/${shopId}/audit?limit=1`, byOwner));
    const changes = [
      { field: 'from', before: null, after: summer },
      { field: 'to', before: null, after: winter },
    ];
    expect(entry).toMatchObject({ action: 'webhook.replayed', changes: expect.arrayContaining(changes) as unknown });
  });

  it('finds and exports the orders of a day of the shop, also of one that begins with another offset than it ends', async () => {
    const order = expectSuccess<{ id: string }>(await shop.checkout({ nickname: `N${unique()}` }));
    // Half an hour after midnight in Berlin, on the day after the clocks went forward. In UTC it is still the day before.
    const createdAt = new Date('2026-03-29T22:30:00Z');
    await inDatabase(app, (db) => db.collection('orders').updateOne({ _id: idOf(order.id) }, { $set: { createdAt } }));
    for (const [query, isFound] of [
      ['from=2026-03-30&to=2026-03-31', true],
      ['from=2026-03-29&to=2026-03-30', false],
      ['from=2026-03-30T00:30:00+02:00&to=2026-03-30T00:30:01%2B02:00', true],
    ] as const) {
      const found = expectSuccess<{ id: string }[]>(await app.api.get(`/orders/${shop.shopId}?${query}`, byOwner));
      expect([query, found.map(({ id }) => id)]).toEqual([query, isFound ? [order.id] : []]);
      const { text } = await app.api.get(`/orders/${shop.shopId}/export?${query}`, byOwner);
      expect([query, text.includes(order.id)]).toEqual([query, isFound]);
    }
    expectError(
      await app.api.get(`/orders/${shop.shopId}?from=2026-02-30`, byOwner),
      400,
      /^from must be a date such as/,
    );
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aDiscount, aKey, aProduct, aServer, aShop, type TestShop, unique } from '../support/actors.js';
import { anId, anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

interface Ban {
  readonly id: string;
  readonly nickname: string | null;
}

const BANNED = 'This shop does not accept orders from this buyer';
const NOW_AND_HERE = { reason: 'Three chargebacks' };

describe('Bans', () => {
  let app: TestApp;
  let shop: TestShop;
  let elsewhere: TestShop;
  let orderRequest: Map<string, object>;
  let token: string;

  const ban = (body: object, call: object = { token }): Promise<Response> =>
    app.api.post(`/bans/${shop.shopId}`, { ...NOW_AND_HERE, ...body }, call);
  const list = async (): Promise<Ban[]> => expectSuccess<Ban[]>(await app.api.get(`/bans/${shop.shopId}`, { token }));
  const end = (id: string): Promise<Response> => app.api.delete(`/bans/${shop.shopId}/${id}`, { token });
  const checkout = (body: object, shopId = shop.shopId): Promise<Response> =>
    app.api.post(`/checkout/${shopId}/orders`, {
      ...orderRequest.get(shopId),
      nickname: `N${unique()}`,
      email: `${unique()}@example.com`,
      ...body,
    });

  beforeAll(async () => {
    app = await startTestApp();
    [shop, elsewhere] = [await aShop(app.api), await aShop(app.api)];
    token = shop.owner.token;
    orderRequest = new Map();
    for (const one of [shop, elsewhere]) {
      const items = [{ productId: await aProduct(app.api, one), quantity: 1 }];
      orderRequest.set(one.shopId, { items, serverId: await aServer(app.api, one) });
    }
  });
  afterAll(() => app.close());

  it('rejects the checkouts of a banned player or mailbox in every spelling, in this shop only, until the ban ends (complaint 9)', async () => {
    const player = expectSuccess<Ban>(await ban({ nickname: 'Griefer_1' }), 'Buyer banned');
    expect(player).toEqual({
      id: anId,
      nickname: 'Griefer_1',
      email: null,
      reason: 'Three chargebacks',
      until: null,
      createdAt: anInstant,
      createdBy: `user:${shop.owner.userId}`,
    });
    const mailbox = expectSuccess<Ban>(await ban({ email: 'gri.efer+1@gmail.com' }));
    const buyers = [{ nickname: 'GRIEFER_1' }, { email: 'griefer@googlemail.com' }];
    for (const buyer of buyers) {
      expectError(await checkout(buyer), 400, BANNED);
      expectSuccess(await checkout(buyer, elsewhere.shopId));
    }
    expectSuccess(await checkout({ nickname: 'Griefer_2', email: 'griefer@example.com' }));
    expect((await list()).map(({ id }) => id)).toEqual([mailbox.id, player.id]);
    for (const { id } of [player, mailbox]) expectSuccess(await end(id), 'Ban ended');
    for (const buyer of buyers) expectSuccess(await checkout(buyer));
    expect(await list()).toEqual([]);
  });

  it('uses no code and stores no order for a banned checkout', async () => {
    const { id, code } = await aDiscount(app.api, shop, { maxUses: 1 });
    const { id: banId } = expectSuccess<Ban>(await ban({ nickname: 'Griefer_3' }));
    expectError(await checkout({ nickname: 'Griefer_3', discountCode: code }), 400, BANNED);
    const discount = await app.api.get(`/discounts/${shop.shopId}/${id}`, { token });
    expect(expectSuccess(discount)).toMatchObject({ used: 0 });
    const orders = await app.api.get(`/orders/${shop.shopId}?nickname=griefer_3`, { token });
    expect(expectSuccess<object[]>(orders)).toEqual([]);
    expectSuccess(await end(banId));
  });

  it('ignores a ban that has ended, which a new one replaces', async () => {
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const { id } = expectSuccess<Ban>(await ban({ nickname: 'Griefer_4', until }));
    expectError(await checkout({ nickname: 'griefer_4' }), 400, BANNED);
    await inDatabase(app, (db) => db.collection('bans').updateOne({ _id: idOf(id) }, { $set: { until: new Date() } }));
    expectSuccess(await checkout({ nickname: 'griefer_4' }));
    const again = expectSuccess<Ban>(await ban({ nickname: 'GRIEFER_4' }));
    expect((await list()).filter(({ nickname }) => /griefer_4/i.test(nickname ?? ''))).toEqual([again]);
    expectError(await checkout({ nickname: 'griefer_4' }), 400, BANNED);
  });

  it('stores one ban of one buyer for 10 people at once', async () => {
    const responses = await Promise.all(Array.from({ length: 10 }, () => ban({ email: 'once@example.com' })));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(409)]);
    expectError(await ban({ email: 'ONCE+2@example.com' }), 409, 'This buyer is already banned');
  });

  it.each([
    [{}, 'Send exactly one of nickname and email'],
    [{ nickname: 'Steve', email: 'steve@example.com' }, 'Send exactly one of nickname and email'],
    [{ nickname: 'Steve', until: '2020-01-01T00:00:00Z' }, 'until must be in the future'],
    [{ nickname: 'Steve', until: 'soon' }, /^until must be a date such as 2026-11-21, or a date-time/],
    [{ nickname: 'Steve', reason: '' }, 'reason must have 1 to 200 characters'],
    [{ nickname: { $ne: null } }, /nickname must/],
    [{ ip: '192.0.2.1' }, 'ip is not a known field'],
  ])('rejects the ban %j', async (body, sentence) => {
    expectError(await ban(body), 400, sentence);
  });

  it('hides a ban of another shop', async () => {
    const { id } = expectSuccess<Ban>(await ban({ nickname: `N${unique()}` }));
    const call = { token: elsewhere.owner.token };
    expectError(await app.api.delete(`/bans/${elsewhere.shopId}/${id}`, call), 404, 'There is no such ban');
    expect(expectSuccess<Ban[]>(await app.api.get(`/bans/${elsewhere.shopId}`, call))).toEqual([]);
  });

  it('shows a plugin key neither an email address nor a reason', async () => {
    expectSuccess(await ban({ email: 'secret@example.com', reason: 'secret@example.com again' }));
    const { key } = await aKey(app.api, shop, 'plugin');
    const listed = await app.api.get(`/bans/${shop.shopId}`, { key });
    expect(expectSuccess<object[]>(listed)[0]).toMatchObject({ email: null, reason: null });
    expect(JSON.stringify(listed.body)).not.toContain('secret@');
  });

  it('limits the number of bans by a quota', async () => {
    const small = await startTestApp({ env: { QUOTAS: 'bansPerShop=2' } });
    const own = await aShop(small.api);
    const add = (nickname: string): Promise<Response> =>
      small.api.post(`/bans/${own.shopId}`, { nickname, reason: 'x' }, { token: own.owner.token });
    const responses = await Promise.all(['A_1', 'B_1', 'C_1', 'D_1'].map(add));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409]);
    await small.close();
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Document } from 'mongodb';
import {
  acknowledge,
  aDeliveringShop,
  aPaidOrder,
  type DeliveringShop,
  lease,
  reportPayment,
} from '../deliveries/delivery-actors.js';
import { aKey, anOrder, type TestOrder, unique } from '../support/actors.js';
import { anId, anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { idOf, type Records, recordsOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

interface Buyer extends Document {
  readonly key: string;
  readonly nickname: string;
}

let app: TestApp;
let records: Records;
let shop: DeliveringShop;
/** The player and the mailbox of a test. */
let buyer: { nickname: string; email: string };

beforeAll(async () => {
  app = await startTestApp({ config: { sweepIntervalMs: 20 } });
  records = await recordsOf(app);
});
beforeEach(async () => {
  shop = await aDeliveringShop(app.api, { price: 20 });
  const name = unique().toLowerCase();
  buyer = { nickname: `Steve_${name}`.slice(0, 16), email: `steve-${name}@example.com` };
});
afterAll(async () => {
  await records.close();
  await app.close();
});

const owner = (): { token: string } => ({ token: shop.owner.token });
const get = <Data = Buyer[]>(path = ''): Promise<Data> =>
  app.api.get(`/buyers/${shop.shopId}${path}`, owner()).then((response) => expectSuccess<Data>(response));

/** Waits until the profiles contain every sale of the shop. */
async function counted(): Promise<void> {
  const uncounted = { shopId: idOf(shop.shopId), profileDueAt: { $ne: null } };
  await eventually(async () => (await records.db.collection('stats_ledger').countDocuments(uncounted)) === 0);
}

/** The buyer that a search finds first, with everything about it. */
async function found(q: string): Promise<Buyer> {
  await counted();
  const [first] = await get(`?q=${encodeURIComponent(q)}`);
  return get<Buyer>(`/${first?.key ?? '0'.repeat(24)}`);
}

const pay = (body: object = buyer): Promise<TestOrder> => aPaidOrder(app.api, shop, body);
const rename = async ({ id }: TestOrder, newNickname: string): Promise<void> => {
  const body = { newNickname, reason: 'Mistyped' };
  expectSuccess(await app.api.post(`/orders/${shop.shopId}/${id}/nickname`, body, owner()));
};
const erase = async (body: object): Promise<void> => {
  expectSuccess(await app.api.post(`/buyers/${shop.shopId}/erase`, { reason: 'A letter', ...body }, owner()));
};

describe('The buyers of a shop', () => {
  it('have the sums of their sales, their bans, disputes and names, as a player and as a mailbox', async () => {
    const first = await pay();
    await reportPayment(app.api, shop, first, 'refund.succeeded', { amount: 5 });
    const disputed = await pay();
    await reportPayment(app.api, shop, disputed, 'dispute.opened', { disputeId: 'dp_1' });
    const { productId, serverId, shopId } = shop;
    await anOrder(app.api, shopId, { productId, serverId, ...buyer });
    const ban = { nickname: buyer.nickname, reason: 'Two chargebacks' };
    expectSuccess(await app.api.post(`/bans/${shopId}`, ban, owner()));
    const mailbox = await found(buyer.email.toUpperCase());
    const player = await found(buyer.nickname.slice(0, -1).toUpperCase());
    const listed = {
      ...{ key: anId, kind: 'player', nickname: buyer.nickname, email: buyer.email, orders: 3, paidOrders: 2 },
      totals: [{ currency: 'EUR', paid: 40, refunded: 5, chargedBack: 0, total: 35 }],
      ...{ firstPurchaseAt: anInstant, lastPurchaseAt: anInstant, lastOrderAt: anInstant },
      ...{ isBanned: true, hasNote: false },
    };
    expect(player).toEqual({
      ...listed,
      links: [{ key: mailbox.key, kind: 'mailbox', name: buyer.email }],
      bans: [expect.objectContaining({ nickname: buyer.nickname, reason: 'Two chargebacks' })],
      disputes: [
        {
          ...{ orderId: disputed.id, number: disputed.number, state: 'open', amount: 20, currency: 'EUR' },
          ...{ openedAt: anInstant, changedAt: anInstant },
        },
      ],
      note: null,
    });
    expect(mailbox).toEqual({
      ...{ ...player, key: mailbox.key, kind: 'mailbox' },
      links: [{ key: player.key, kind: 'player', name: buyer.nickname }],
    });
    expect(await get()).toEqual([listed]);
    expect(player['firstPurchaseAt'] <= player['lastPurchaseAt']).toBe(true);
  });

  it('have no sums while they have paid nothing', async () => {
    const { productId, serverId, shopId } = shop;
    await anOrder(app.api, shopId, { productId, serverId, ...buyer });
    const listed = await eventually(async () => (await get()).find(({ nickname }) => nickname === buyer.nickname));
    expect(listed).toMatchObject({ orders: 1, paidOrders: 0, totals: [], firstPurchaseAt: null });
  });

  it('are listed by their latest order, and found by the beginning of a name in its order, page by page', async () => {
    const names = ['Beta_1', 'Alpha_2', 'Alpha_1'];
    for (const nickname of names) await pay({ nickname, email: `${nickname}-${unique()}@example.com` });
    await counted();
    const pages = async (query: string): Promise<string[]> => {
      const seen: string[] = [];
      let next: string | undefined = `/buyers/${shop.shopId}?limit=1&${query}`;
      while (next !== undefined) {
        const response = await app.api.get(next, owner());
        seen.push(...expectSuccess<Buyer[]>(response).map(({ nickname }) => nickname));
        const link: string | undefined = response.headers['link'];
        next = link === undefined ? undefined : /\/api\/v2(.*?)>/.exec(link)?.[1];
      }
      return seen;
    };
    expect(await pages('kind=player')).toEqual(['Alpha_1', 'Alpha_2', 'Beta_1']);
    expect(await pages('q=alpha')).toEqual(['Alpha_1', 'Alpha_2']);
    expect(await pages('q=nobody')).toEqual([]);
    const { headers } = await app.api.get(`/buyers/${shop.shopId}?q=alpha&kind=mailbox`, owner());
    expect(headers['x-total-count']).toBe('2');
    expect(JSON.stringify(headers)).not.toContain('example.com');
  });

  it('move to another player with the nickname of an order, whose first name keeps nothing', async () => {
    const order = await pay();
    await found(buyer.nickname);
    await rename(order, 'Corrected_1');
    expect(await found('Corrected_1')).toMatchObject({ orders: 1, paidOrders: 1, totals: [{ paid: 20 }] });
    expect(await get(`?q=${buyer.nickname}`)).toEqual([]);
    expect(await found(buyer.email)).toMatchObject({ orders: 1, paidOrders: 1, nickname: 'Corrected_1' });
  });

  it('have a note of staff, which the audit log does not repeat', async () => {
    await pay();
    const { key } = await found(buyer.nickname);
    const path = `/buyers/${shop.shopId}/${key}/note`;
    const text = 'Friendly\nWrites in Discord';
    const noted = expectSuccess<Buyer>(await app.api.put(path, { note: text }, owner()), 'Note saved');
    const by = `user:${shop.owner.userId}`;
    expect(noted).toMatchObject({ hasNote: true, note: { text, at: anInstant, by } });
    await pay();
    expect(await found(buyer.nickname)).toMatchObject({ orders: 2, note: { text } });
    const entries = records.db.collection('audit_log').find({ action: 'buyer.note_changed', subjectId: key });
    expect(await entries.toArray()).toEqual([
      expect.objectContaining({ changes: [{ field: 'hasNote', before: 'false', after: 'true' }] }),
    ]);
    expect(expectSuccess<Buyer>(await app.api.put(path, { note: null }, owner()))).toMatchObject({ note: null });
    for (const body of [{}, { note: 'x'.repeat(1001) }, { note: 1 }]) {
      expectError(await app.api.put(path, body, owner()), 400, /^note /);
    }
    expectError(
      await app.api.put(`/buyers/${shop.shopId}/${'0'.repeat(24)}/note`, { note: 'x' }, owner()),
      404,
      'There is no such buyer',
    );
  });

  it('are players without addresses and words of staff for a plugin key', async () => {
    await pay();
    const [player, mailbox] = [await found(buyer.nickname), await found(buyer.email)];
    const note = { note: 'Secret' };
    expectSuccess(await app.api.put(`/buyers/${shop.shopId}/${player.key}/note`, note, owner()));
    const { key } = await aKey(app.api, shop, 'plugin', ['orders:read', 'orders:write']);
    const read = (path: string) => app.api.get(`/buyers/${shop.shopId}${path}`, { key });
    expect(expectSuccess(await read(`/${player.key}`))).toMatchObject({ email: null, links: [], note: null });
    expectError(await read(`/${mailbox.key}`), 404, 'There is no such buyer');
    expectError(await read('?kind=mailbox'), 403, 'A plugin key cannot search by the email address of a buyer');
    expectError(
      await app.api.put(`/buyers/${shop.shopId}/${mailbox.key}/note`, note, { key }),
      404,
      'There is no such buyer',
    );
  });

  it('are gone after an erasure, and a player of two mailboxes keeps what the other one bought', async () => {
    const other = { nickname: buyer.nickname, email: `other-${unique()}@example.com` };
    for (const body of [buyer, buyer, other]) {
      await pay(body);
      for (const delivery of await lease(app.api, shop)) await acknowledge(app.api, shop, delivery, 'delivered');
    }
    const { key } = await found(buyer.nickname);
    const note = { note: `Writes from ${buyer.email}` };
    expectSuccess(await app.api.put(`/buyers/${shop.shopId}/${key}/note`, note, owner()));
    const exported = await app.api.post(`/buyers/${shop.shopId}/export`, { email: buyer.email }, owner());
    const { records: all } = expectSuccess<{ records: Record<string, Document[]> }>(exported);
    expect(all['buyer_profiles']?.map(({ kind }) => String(kind)).sort()).toEqual(['mailbox', 'player']);
    await erase({ email: buyer.email, running: 'drop' });
    expect(await get(`?q=${encodeURIComponent(buyer.email)}`)).toEqual([]);
    const left = await found(buyer.nickname);
    expect(left).toMatchObject({ orders: 1, paidOrders: 1, totals: [{ paid: 20, total: 20 }], email: other.email });
    expect(JSON.stringify(left)).not.toContain(buyer.email);
    await erase({ email: other.email, running: 'drop' });
    await counted();
    expect(await records.db.collection('buyer_profiles').countDocuments({ shopId: idOf(shop.shopId) })).toBe(0);
  });
});

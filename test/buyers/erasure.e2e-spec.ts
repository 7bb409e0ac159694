import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Document } from 'mongodb';
import { acknowledge, aDeliveringShop, aPaidOrder, type DeliveringShop, lease } from '../deliveries/delivery-actors.js';
import { aWebhook } from '../payments/senders.js';
import { aDiscount, aKey, aMember, anOrder, aProduct, type TestOrder, unique } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { idOf, leftOf, type Records, recordsOf } from '../support/records.js';
import { operatorEnvironment, runShopCommand, startShopCommand } from '../support/shop-command.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { tracesOf } from './traces.js';

/** Why a collection has nothing about buyers. All others contribute to the registry of personal data. */
const NOTHING_PERSONAL: Readonly<Record<string, string>> = {
  api_keys: 'keys of the staff',
  categories: 'the catalogue',
  command_lists: 'templates, in which a placeholder stands for the player',
  connect_codes: 'ids of people of the team and of game servers, and hashes',
  consent_texts: 'texts of the shop',
  counter_shards: 'numbers',
  discounts: 'the catalogue',
  email_changes: 'people with an account',
  encryption_keys: 'ids of keys',
  erasure_keys: 'keys of keyed hashes',
  game_servers: 'servers, and how many players they have',
  idempotency_records: 'responses, encrypted for whoever has the key of the request, for 24 hours',
  image_files: 'images of the shop',
  images: 'images of the shop',
  invitations: 'people of the team',
  login_challenges: 'people with an account',
  mail_domains: 'keyed hashes of the domains of mailboxes, and times',
  members: 'people of the team',
  migration_lock: 'the state of the database',
  migrations: 'the state of the database',
  order_counters: 'numbers',
  outbox_lanes: 'which process sends what',
  owner_notices: 'ids of orders, and numbers',
  password_resets: 'people with an account',
  payment_providers: 'settings of the shop',
  preferences: 'people with an account; filters that name a buyer are rejected',
  price_changes: 'the catalogue',
  products: 'the catalogue',
  refresh_successors: 'people with an account',
  refresh_tokens: 'people with an account',
  rejected_requests: 'templates of routes, and ids of keys',
  rosters: 'numbers',
  running_processes: 'processes and ids of keys',
  sales: 'the catalogue',
  second_factors: 'people with an account',
  sessions: 'people with an account',
  shops: 'settings of the shop',
  stats_rollups: 'sums, and numbers of buyers that name nobody',
  stats_states: 'the state of the statistics',
  tier_groups: 'the catalogue',
  used_tokens: 'people with an account',
  users: 'people with an account',
  webhooks: 'settings of the shop',
};

let app: TestApp;
/** The collections about buyers: those that features have added to the registry. */
let contributed: readonly string[];
let records: Records;
let shop: DeliveringShop;
/** What the buyer of a test is called: two spellings of a mailbox, and a nickname that was mistyped first. */
let buyer: { email: string; again: string; mailbox: string; mistyped: string; nickname: string };

beforeAll(async () => {
  app = await startTestApp();
  records = await recordsOf(app);
  const script = join(import.meta.dirname, '..', 'support', 'personal-data.js');
  const { stdout } = await promisify(execFile)(process.execPath, [script], { env: operatorEnvironment(app) });
  contributed = JSON.parse(stdout) as string[];
});
beforeEach(async () => {
  shop = await aDeliveringShop(app.api);
  const name = `anne-walker${unique()}`.toLowerCase();
  buyer = {
    email: `${name}+shop@example.com`,
    again: `${name}@example.com`,
    mailbox: `${name}@example.com`,
    mistyped: `Wlk_${unique()}`.slice(0, 16),
    nickname: `Wak_${unique()}`.slice(0, 16),
  };
});
afterAll(async () => {
  await records.close();
  await app.close();
});

const owner = (): { token: string } => ({ token: shop.owner.token });
const call = (what: 'export' | 'erase', body: object, credential = owner()) =>
  app.api.post(`/buyers/${shop.shopId}/${what}`, body, credential);
const erase = (body: object) => call('erase', { reason: 'The buyer requested it', ...body });

const anOrderOf = (
  { shopId, productId, serverId }: DeliveringShop,
  body: { email: string; nickname: string; items?: object[]; discountCode?: string },
): Promise<TestOrder> => anOrder(app.api, shopId, { productId, serverId, ...body });
const cancel = async ({ id }: TestOrder): Promise<void> => {
  expectSuccess(await app.api.post(`/orders/${shop.shopId}/${id}/cancel`, { reason: buyer.nickname }, owner()));
};

/** An order with everything that can have the buyer's name: a correction of staff, console output, webhooks, an email that waits. */
async function aLongStory(): Promise<void> {
  const { shopId } = shop;
  const hook = { url: 'https://hooks.shop-platform.invalid/', events: ['*'] };
  expectSuccess(await app.api.post(`/webhooks/${shopId}`, hook, owner()));
  const order = await aPaidOrder(app.api, shop, { email: buyer.email, nickname: buyer.mistyped });
  const correction = { newNickname: buyer.nickname, reason: `${buyer.email} mistyped ${buyer.mistyped}` };
  expectSuccess(await app.api.post(`/orders/${shopId}/${order.id}/nickname`, correction, owner()));
  const [delivery] = await lease(app.api, shop);
  if (delivery === undefined) throw new Error('there is nothing to lease');
  await acknowledge(app.api, shop, delivery, 'delivered', `Gave a sword to ${buyer.nickname}`);
  const unpaid = await anOrderOf(shop, { email: buyer.again, nickname: buyer.nickname });
  await cancel(unpaid);
  for (const ban of [{ email: buyer.email }, { nickname: buyer.nickname }]) {
    expectSuccess(await app.api.post(`/bans/${shopId}`, { ...ban, reason: `${buyer.nickname} griefs` }, owner()));
  }
}

/** Where any name of the buyer stands in the database. */
const whereTheBuyerIs = ({ db } = records): Promise<string[]> => tracesOf(db, Object.values(buyer));

const NAMES = [
  'nickname',
  'nicknameKey',
  'previousNickname',
  'email',
  'buyerKey',
  'deliveredTo',
  'waitsFor',
  'detail',
  'reason',
  'output',
];

/** The records of the shop about orders, without the fields that name the buyer. */
async function withoutNames(): Promise<unknown> {
  const plain = (record: Document): unknown => {
    const body = typeof record['body'] === 'string' ? { body: JSON.parse(record['body']) as unknown } : {};
    return JSON.parse(
      JSON.stringify({ ...record, ...body }, (field, value: unknown) => (NAMES.includes(field) ? undefined : value)),
    );
  };
  const found: Record<string, unknown[]> = {};
  const rewritten = ['audit_log', 'bans', 'nickname_change_codes', 'outbox', 'quota_claims', 'stats_buyer_sums'];
  for (const collection of contributed.filter((name) => !rewritten.includes(name))) {
    // Their deliveries are sent, and fail, at any time.
    const projection = collection === 'webhook_deliveries' ? { body: 1, type: 1, stream: 1 } : {};
    const those = records.db.collection(collection).find({ shopId: idOf(shop.shopId) }, { projection });
    found[collection] = (await those.sort({ _id: 1 }).toArray()).map(plain);
  }
  return found;
}

const ordersOfTheApi = async (): Promise<Document[]> =>
  expectSuccess<Document[]>(await app.api.get(`/orders/${shop.shopId}`, owner()));

const amountsOf = async (): Promise<unknown> =>
  expectSuccess<Document>(await app.api.get(`/stats/${shop.shopId}/comparison?period=30d`, owner()))['metrics'];

it('knows of every collection of the database whether it is about buyers', async () => {
  const existing = (await records.db.collections()).map(({ collectionName }) => collectionName);
  expect(existing.filter((name) => !contributed.includes(name)).sort()).toEqual(Object.keys(NOTHING_PERSONAL));
  expect(contributed.filter((name) => !existing.includes(name))).toEqual([]);
});

describe('The erasure of a buyer', () => {
  it('leaves no address and no nickname in any collection, keeps all amounts, and bans still hit', async () => {
    await aLongStory();
    const before = await whereTheBuyerIs();
    expect(before).toEqual(
      expect.arrayContaining([
        'audit_log.changes',
        'bans.key',
        'delivery_attempts.output',
        'orders.history',
        'webhook_deliveries.body',
      ]),
    );
    const figures = await amountsOf();

    const erasure = expectSuccess<{ orders: number; bans: number; pseudonym: string }>(
      await erase({ email: buyer.email.toUpperCase() }),
      'Buyer erased',
    );
    expect(erasure).toEqual({
      ...{ orders: 2, bans: 2, kept: 0 },
      pseudonym: expect.stringMatching(/^erased-[0-9a-f]{24}@erased\.invalid$/),
    });
    expect(await whereTheBuyerIs()).toEqual([]);
    expect(await amountsOf()).toEqual(figures);
    const orders = await ordersOfTheApi();
    expect(orders.map(({ email }) => email as unknown)).toEqual([erasure.pseudonym, erasure.pseudonym]);

    const { productId, serverId } = shop;
    const basket = { items: [{ productId, quantity: 1 }], serverId };
    for (const name of [
      { email: buyer.again, nickname: 'Somebody_else' },
      { email: `other-${unique()}@example.com`, nickname: buyer.nickname.toLowerCase() },
    ]) {
      const response = await app.api.post(`/checkout/${shop.shopId}/orders`, { ...basket, ...name });
      expectError(response, 400, 'This shop does not accept orders from this buyer');
    }
    expect(expectSuccess(await erase({ email: buyer.email }))).toMatchObject({ orders: 0 });
    expect(expectSuccess(await erase({ nickname: buyer.nickname }))).toMatchObject({ orders: 0, bans: 0 });
  });

  it.each(['Paid', 'eur'])('keeps the states and currencies of the orders of a buyer called %s', async (nickname) => {
    buyer = { ...buyer, nickname };
    await aLongStory();
    // Bodies for webhooks are written when events are published.
    const events = { shopId: idOf(shop.shopId), topic: 'shop-event', state: 'waiting' };
    await eventually(async () => (await records.db.collection('outbox').countDocuments(events)) === 0);
    const ban = { key: `nickname:${nickname.toLowerCase()}` };
    expect(await records.db.collection('bans').countDocuments({ ...ban, shopId: idOf(shop.shopId) })).toBe(1);
    const [before, figures, listed] = [await withoutNames(), await amountsOf(), await ordersOfTheApi()];
    const { pseudonym } = expectSuccess<{ pseudonym: string }>(await erase({ email: buyer.email }));
    expect(await withoutNames()).toEqual(before);
    expect(await amountsOf()).toEqual(figures);
    const player = expect.stringMatching(/^erased-[0-9a-f]{24}$/) as unknown;
    expect(await ordersOfTheApi()).toEqual(listed.map((order) => ({ ...order, email: pseudonym, nickname: player })));
    expect(await records.db.collection('bans').countDocuments({ ...ban, shopId: idOf(shop.shopId) })).toBe(0);
  });

  it('changes nothing of another buyer with the same nickname, or of another shop', async () => {
    const other = await aDeliveringShop(app.api);
    const foreign = await anOrderOf(other, { email: buyer.email, nickname: buyer.nickname });
    const friend = `friend-${unique()}@example.com`;
    const gift = await anOrderOf(shop, { email: friend, nickname: buyer.nickname });
    const own = await anOrderOf(shop, { email: buyer.email, nickname: buyer.nickname });
    await cancel(own);
    expectError(
      await erase({ nickname: buyer.nickname }),
      409,
      /Several email addresses have ordered for this nickname/,
    );
    expect(expectSuccess(await erase({ email: buyer.email }))).toMatchObject({ orders: 1 });
    const orders = await records.db.collection('orders').find({ nickname: buyer.nickname }).toArray();
    expect(orders.map(({ _id }) => String(_id)).sort()).toEqual([foreign.id, gift.id].sort());
    expect(orders.map(({ email }) => email as unknown).sort()).toEqual([buyer.email, friend].sort());
  });

  it('deletes the emails to the buyer that wait, and takes the names out of those to owners and of widgets', async () => {
    const usual = [app, shop] as const;
    // A mail server that is down.
    app = await startTestApp({ env: { SMTP_URL: 'smtp://127.0.0.1:1' } });
    shop = await aDeliveringShop(app.api);
    const own = await recordsOf(app);
    const waiting = { shopId: idOf(shop.shopId), state: 'waiting' };
    const emails = (): Promise<number> => own.db.collection('outbox').countDocuments({ ...waiting, topic: 'email' });
    const others = await emails();
    await aPaidOrder(app.api, shop, { email: buyer.email, nickname: buyer.nickname });
    for (const delivery of await lease(app.api, shop)) await acknowledge(app.api, shop, delivery);
    // Emails about an order are written when its events are published.
    await eventually(async () => (await own.db.collection('outbox').countDocuments(waiting)) === (await emails()));
    const written = await emails();
    expect(await whereTheBuyerIs(own)).toContain('outbox.sealedPayload');
    expectSuccess(await erase({ email: buyer.email }));
    expect(await whereTheBuyerIs(own)).toEqual([]);
    expectSuccess(await app.api.patch(`/shops/${shop.shopId}`, { widgets: ['recent_purchases'] }, owner()));
    const widget = await app.api.get(`/widgets/public/${shop.shopId}/recent-purchases`);
    expect(expectSuccess<Document[]>(widget).map(({ nickname }) => nickname as unknown)).toEqual(['somebody']);
    // The notice of the sale.
    expect(await emails()).toBe(others + 1);
    expect(await emails()).toBeLessThan(written);
    await own.close();
    await app.close();
    [app, shop] = usual;
  });

  it('succeeds while a message waits that no configured key decrypts', async () => {
    // A topic without a handler, so that nothing attempts to send it.
    const message = { shopId: idOf(shop.shopId), topic: 'unknown', lane: 'unknown desk', stream: unique() };
    const waiting = { state: 'waiting', position: 0, attempts: 0, createdAt: new Date(), dueAt: new Date() };
    await records.db.collection('outbox').insertOne({ ...message, ...waiting, sealedPayload: 'another-key.AAAA' });
    await cancel(await anOrderOf(shop, { email: buyer.email, nickname: buyer.nickname }));
    expect(expectSuccess(await erase({ email: buyer.email }))).toMatchObject({ orders: 1 });
    expect(await records.db.collection('outbox').countDocuments(message)).toBe(1);
  });

  it('cancels an open order that nobody has started to pay, and gives back what it holds', async () => {
    const limited = await aProduct(app.api, shop, { stock: 5 });
    const { code, id: discountId } = await aDiscount(app.api, shop, { maxUses: 3 });
    const items = [{ productId: limited, quantity: 2 }];
    const stranger = { email: buyer.again, nickname: 'Stranger_1' };
    const { id } = await anOrderOf(shop, { ...stranger, items, discountCode: code });
    const left = async (): Promise<unknown> => [
      await leftOf(records.db, limited),
      await leftOf(records.db, discountId),
    ];
    expect(await left()).toEqual([3, 2]);
    const reason = `A letter of ${buyer.email}`;
    expect(expectSuccess(await erase({ email: buyer.email, reason }))).toMatchObject({ orders: 1 });
    expect(await left()).toEqual([5, 3]);
    expect(await whereTheBuyerIs()).toEqual([]);
    const order = expectSuccess<{ history: Document[] }>(await app.api.get(`/orders/${shop.shopId}/${id}`, owner()));
    expect(order).toMatchObject({ status: 'cancelled', nickname: expect.stringMatching(/^erased-/) as unknown });
    expect(order.history.at(-1)).toMatchObject({
      action: 'cancelled',
      detail: expect.stringMatching(/^A letter of erased-\w+@erased\.invalid$/) as unknown,
    });
  });

  it('is rejected while an order is being paid or delivered, and names it', async () => {
    await aWebhook(app.api, shop, 'test');
    const order = await anOrderOf(shop, { email: buyer.email, nickname: buyer.nickname });
    const headers = { 'X-Order-Token': order.accessToken };
    expectSuccess(await app.api.post(`/orders/public/${order.id}/payment`, { provider: 'test' }, { headers }));
    expectError(await erase({ email: buyer.email }), 409, new RegExp(`#${order.number}. Deliver, cancel or refund`));
    const queued = await aPaidOrder(app.api, shop, { email: buyer.email, nickname: buyer.nickname });
    expectError(
      await erase({ nickname: buyer.nickname }),
      409,
      new RegExp(`#(${order.number}|${queued.number}), #(${order.number}|${queued.number})`),
    );
    expect(await whereTheBuyerIs()).toContain('orders.email');
  });

  it('erases the new ban of a buyer who was erased before, and keeps one ban of each kind', async () => {
    await aLongStory();
    expectSuccess(await erase({ email: buyer.email }));
    const bans = await records.db.collection('bans').find().sort({ _id: -1 }).limit(2).toArray();
    expectSuccess(await app.api.post(`/bans/${shop.shopId}`, { email: buyer.email, reason: 'Again' }, owner()));
    expect(expectSuccess(await erase({ email: buyer.email }))).toEqual({
      orders: 0,
      bans: 1,
      kept: 0,
      pseudonym: null,
    });
    expect(await whereTheBuyerIs()).toEqual([]);
    const keys = (await records.db.collection('bans').find({ shopId: bans[0]?.['shopId'] }).toArray()).map(({ key }) =>
      String(key),
    );
    expect(keys.sort()).toEqual(bans.map(({ key }) => String(key)).sort());
  });
});

/** Bans the buyer by the address and by the nickname, and ends both bans. */
async function endedBans(): Promise<void> {
  const { email, nickname } = buyer;
  for (const [field, name] of Object.entries({ email, nickname })) {
    const body = { [field]: name, reason: `${name} griefs` };
    const { id } = expectSuccess<{ id: string }>(await app.api.post(`/bans/${shop.shopId}`, body, owner()));
    expectSuccess(await app.api.delete(`/bans/${shop.shopId}/${id}`, owner()));
  }
}

/** What the audit log of the shop has about bans. */
const banEntries = (): Promise<Document[]> =>
  records.db
    .collection('audit_log')
    .find({ shopId: idOf(shop.shopId), action: { $in: ['ban.created', 'ban.deleted'] } })
    .sort({ _id: 1 })
    .toArray();

describe('The audit log about bans that have ended', () => {
  it('loses the names of an erased buyer, and keeps what it has about other buyers', async () => {
    const other = { nickname: `Oth_${unique()}`.slice(0, 16), reason: `A friend of ${buyer.nickname}` };
    expectSuccess(await app.api.post(`/bans/${shop.shopId}`, other, owner()));
    const kept = await banEntries();
    await cancel(await anOrderOf(shop, { email: buyer.again, nickname: buyer.nickname }));
    await endedBans();
    expect(expectSuccess(await erase({ email: buyer.again }))).toMatchObject({ orders: 1, bans: 0 });
    const [ofOther, ...ofBuyer] = await banEntries();
    expect([ofOther]).toEqual(kept);
    expect(ofBuyer).toHaveLength(4);
    for (const name of [buyer.email, buyer.nickname]) expect(JSON.stringify(ofBuyer)).not.toContain(name);
    expect(await whereTheBuyerIs()).toEqual(['audit_log.changes', 'bans.reason']);
  });

  it('is exported and erased for a buyer without orders', async () => {
    await endedBans();
    const { records: exported } = expectSuccess<{ records: Record<string, Document[]> }>(
      await call('export', { email: buyer.again }),
    );
    expect(exported['audit_log']?.map(({ action }) => action as unknown)).toEqual(['ban.created', 'ban.deleted']);
    expect(JSON.stringify(exported['audit_log'])).toContain(buyer.email);
    for (const name of [{ email: buyer.again }, { nickname: buyer.nickname }]) {
      expect(expectSuccess(await erase(name))).toEqual({ orders: 0, bans: 0, kept: 0, pseudonym: null });
    }
    expect(await banEntries()).toHaveLength(4);
    expect(await whereTheBuyerIs()).toEqual([]);
  });
});

describe('The export of a buyer', () => {
  it('has everything that names the buyer, and no secrets', async () => {
    await aLongStory();
    const response = await call('export', { nickname: buyer.nickname });
    expect(response.headers['ratelimit-policy']).toContain('"buyerExport"');
    const exported = expectSuccess<{ emails: string[]; nicknames: string[]; records: Record<string, Document[]> }>(
      response,
      'Buyer exported',
    );
    expect(exported.emails.sort()).toEqual([buyer.email, buyer.again].sort());
    expect(exported.nicknames.sort()).toEqual([buyer.mistyped, buyer.nickname].sort());
    const named = (await whereTheBuyerIs()).map((place) => place.split('.')[0] ?? '');
    const notExported = ['quota_claims'];
    for (const name of named.filter((collection) => !notExported.includes(collection))) {
      expect(exported.records[name]).not.toEqual([]);
    }
    expect(exported.records['orders']).toHaveLength(2);
    expect(JSON.stringify(exported)).not.toMatch(/"(sealed\w*|\w+Hash)":/);
  });

  it('is only for owners with a bearer token, like the erasure', async () => {
    const admin = await aMember(app, shop, 'admin');
    const { key } = await aKey(app.api, shop, 'secret', ['orders:read', 'orders:write']);
    for (const what of ['export', 'erase'] as const) {
      const body = { email: buyer.email, ...(what === 'erase' ? { reason: 'x' } : {}) };
      for (const credential of [{ token: admin.token }, { key }]) {
        const response = await app.api.post(`/buyers/${shop.shopId}/${what}`, body, credential);
        expectError(response, 403, 'Only an owner with a bearer token can export or erase a buyer');
      }
      const { email: _, ...neither } = body;
      for (const wrong of [neither, { ...body, nickname: 'Steve_42' }]) {
        expectError(await call(what, wrong), 400, 'Send exactly one of email and nickname');
      }
    }
  });
});

it('goes on when an erasure by nickname was killed, also when the oldest order was the only one with it', async () => {
  const { email, mistyped, nickname } = buyer;
  const placed: TestOrder[] = [];
  // More than two of the transactions, each of which erases some of them.
  for (const name of [mistyped, ...Array.from({ length: 20 }, () => nickname)]) {
    const order = await anOrderOf(shop, { email, nickname: name });
    await cancel(order);
    placed.push(order);
  }
  const orders = records.db.collection('orders');
  const [, second, ...others] = placed.map(({ id }) => idOf(id));
  // An open transaction stops the erasure at an order in the middle. It ends whatever happens, or the database could not be dropped.
  await records.client.withSession(async (session) => {
    session.startTransaction();
    // A true change: one that changes nothing would conflict with nothing.
    await orders.updateOne({ _id: others[13] }, { $inc: { expiryFailures: 1 } }, { session });
    const args = ['erase-buyer', mistyped, '--shop', shop.shopId, '--reason', 'Letter of today'];
    const killed = startShopCommand(args, operatorEnvironment(app));
    const exit = once(killed, 'exit');
    await eventually(() => orders.findOne({ _id: second, nickname: { $ne: nickname } }));
    killed.kill('SIGKILL');
    expect(await exit).toEqual([null, 'SIGKILL']);
  });
  expect(await whereTheBuyerIs()).toContain('orders.email');

  expect(expectSuccess(await erase({ nickname: mistyped }))).toMatchObject({
    orders: expect.any(Number) as unknown,
    pseudonym: expect.stringMatching(/^erased-/) as unknown,
  });
  expect(await whereTheBuyerIs()).toEqual([]);
});

it('exports and erases a buyer from the command line', async () => {
  await aLongStory();
  const environment = operatorEnvironment(app);
  const exported = await runShopCommand(['export-buyer', buyer.email, '--shop', shop.uniqueName], environment);
  expect(exported).toMatchObject({ code: 0, stderr: '' });
  expect((JSON.parse(exported.stdout) as Document)['emails']).toContain(buyer.email);
  const args = ['erase-buyer', buyer.nickname, '--shop', shop.shopId, '--reason', 'Letter of today'];
  const erased = await runShopCommand(args, environment);
  expect(erased).toEqual({
    ...{ code: 0, stderr: '' },
    stdout: expect.stringMatching(/^Erased: 2 orders, 2 bans\. The orders have erased-\w+@erased\.invalid now\.\n$/),
  });
  expect(await whereTheBuyerIs()).toEqual([]);
  const again = await runShopCommand(args, environment);
  expect(again).toEqual({ code: 0, stderr: '', stdout: 'The shop has no order and no ban of this buyer.\n' });
  const unknown = await runShopCommand(['export-buyer', buyer.email, '--shop', '0'.repeat(24)], environment);
  expect(unknown).toEqual({ code: 1, stdout: '', stderr: `There is no shop ${'0'.repeat(24)}.\n` });
});

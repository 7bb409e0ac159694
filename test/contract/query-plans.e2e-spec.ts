import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { deserialize, serialize } from 'bson';
import { type Db, type Document, ObjectId } from 'mongodb';
import { WIDGETS } from '../../src/shops/shops/shop.types.js';
import { payWithTest } from '../payments/paid-orders.js';
import { aWebhook, sendCustom } from '../payments/senders.js';
import {
  aCategory,
  aDiscount,
  aKey,
  aMember,
  anOrder,
  aProduct,
  aServer,
  aShop,
  type TestShop,
} from '../support/actors.js';
import { startDnsServer, type DnsServer } from '../support/dns-server.js';
import { expectSuccess } from '../support/envelope.js';
import { anImage } from '../support/images.js';
import { eventually } from '../support/eventually.js';
import { metricsOf } from '../support/metrics.js';
import { examined, type ExplainedApp, insertMany, startExplainedApp } from '../support/explained-app.js';
import { type TestApp } from '../support/test-app.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';

/** The commands that `explain` supports. The others (insert, commitTransaction, createIndexes ...) have no query. */
const LOOKS = ['find', 'aggregate', 'update', 'delete', 'findAndModify', 'count', 'distinct'];

const host = 'plans.example.com';
let dns: DnsServer;
let receiver: WebhookReceiver;
let explained: ExplainedApp;
let app: TestApp;
let database: Db;

beforeAll(async () => {
  dns = await startDnsServer();
  receiver = await startWebhookReceiver();
  const env = { ALLOW_PRIVATE_WEBHOOK_TARGETS: 'true', METRICS_PORT: '0' };
  explained = await startExplainedApp({ dnsServers: [dns.address], sweepIntervalMs: 200 }, env);
  ({ app, database } = explained);
});
afterAll(async () => {
  await explained.close();
  await dns.close();
  await receiver.close();
});

/** Refunds a payment, and lets the jobs query the payment and the refund. */
async function refunds(shop: TestShop, orderRequest: { productId: string; serverId: string }): Promise<void> {
  const order = await anOrder(app.api, shop.shopId, orderRequest);
  await payWithTest(app.api, order);
  const path = `/payments/${shop.shopId}/${order.id}`;
  const { token } = shop.owner;
  expectSuccess(await app.api.post(`${path}/refund`, { reason: 'Bought twice' }, { token }));
  expectSuccess(await app.api.get(`${path}/refunds`, { token }));
  for (const name of ['payments', 'refunds']) {
    const collection = database.collection(name);
    await collection.updateMany({}, { $set: { dueAt: new Date(0) } });
    await eventually(async () => (await collection.countDocuments({ dueAt: { $ne: null } })) === 0);
  }
}

/** Creates, reads, changes, tests and deletes a webhook, which fails once. */
async function webhooks({ shopId, owner: { token } }: TestShop): Promise<void> {
  const path = `/webhooks/${shopId}`;
  const created = await app.api.post(path, { url: receiver.url, events: ['order.created'] }, { token });
  const { id } = expectSuccess<{ id: string }>(created);
  expectSuccess(await app.api.patch(`${path}/${id}`, { isActive: false }, { token }));
  expectSuccess(await app.api.post(`${path}/${id}/rotate-secret`, {}, { token }));
  expectSuccess(await app.api.get(path, { token }));
  expectSuccess(await app.api.get(`${path}/${id}`, { token }));
  const log = `${path}/${id}/deliveries`;
  const ended = async (state: string): Promise<string> => {
    const listed = async (): Promise<{ id: string }[]> =>
      expectSuccess<{ id: string }[]>(await app.api.get(`${log}?state=${state}`, { token }));
    return eventually(async () => (await listed())[0]?.id);
  };
  receiver.respond((response) => response.writeHead(410).end());
  expectSuccess(await app.api.post(`${path}/${id}/test`, {}, { token }));
  const deliveryId = await ended('failed');
  expectSuccess(await app.api.patch(`${path}/${id}`, { isActive: true }, { token }));
  receiver.respond((response) => response.writeHead(204).end());
  expectSuccess(await app.api.post(`${log}/${deliveryId}/replay`, {}, { token }));
  await ended('delivered');
  expectSuccess(await app.api.get(log, { token }));
  const time = { from: new Date(0).toISOString(), to: new Date().toISOString() };
  expectSuccess(await app.api.post(`${log}/replay`, time, { token }));
  await ended('delivered');
  // The cursor of the earliest position there is.
  expectSuccess(await app.api.post(`${log}/replay`, { ...time, cursor: 'A'.repeat(24) }, { token }));
  await ended('delivered');
}

/** Calls once what front-ends, owners, buyers and payment providers use. */
async function walk(): Promise<void> {
  const { api } = app;
  const shop = await aShop(api);
  const { key, id } = await aKey(api, shop);
  await owners(shop, id);
  const { shopId, uniqueName } = shop;
  const productId = await aProduct(api, shop);
  const serverId = await aServer(api, shop);
  const { id: discountId, code } = await aDiscount(api, shop);
  const consents = (requiredConsents: string[]) =>
    api.patch(`/shops/${shopId}`, { legal: { requiredConsents } }, { key });
  expectSuccess(await consents(['immediate_delivery']));
  expectSuccess(await api.get(`/shops/${shopId}/consent-text?kind=immediate_delivery&version=1`, { key }));
  expectSuccess(await consents([]));
  const summer = { name: 'Summer', type: 'percent', value: 5, startsAt: '2099-06-01T00:00:00.000Z' };
  const { id: saleId } = expectSuccess<{ id: string }>(await api.post(`/sales/${shopId}`, summer, { key }));
  expectSuccess(await api.patch(`/sales/${shopId}/${saleId}`, { value: 6 }, { key }));
  expectSuccess(await api.delete(`/sales/${shopId}/${saleId}`, { key }));
  const [lowId, middleId, highId] = [await aProduct(api, shop), await aProduct(api, shop), await aProduct(api, shop)];
  const ranks = { name: 'Ranks', productIds: [lowId, middleId, highId] };
  const { id: groupId } = expectSuccess<{ id: string }>(await api.post(`/tier-groups/${shopId}`, ranks, { key }));
  expectSuccess(await api.patch(`/tier-groups/${shopId}/${groupId}`, { name: 'Tiers' }, { key }));
  expectSuccess(await api.delete(`/products/${shopId}/${highId}`, { key }));
  expectSuccess(await api.delete(`/tier-groups/${shopId}/${groupId}`, { key }));
  const imageId = await anImage(api, shop);
  expectSuccess(await api.get(`/images/${shopId}`, { key }));
  expect((await api.get(`/images/public/${shopId}/${imageId}?w=320`)).status).toBe(200);
  expectSuccess(await api.delete(`/images/${shopId}/${imageId}`, { key }));
  const ending = { takeBackCommands: ['take {nickname}'], expiryCommands: ['end {nickname}'], durationDays: 30 };
  expectSuccess(await api.patch(`/products/${shopId}/${productId}`, { name: 'Renamed', price: 8, ...ending }, { key }));
  expectSuccess(await api.delete(`/products/${shopId}/${await aProduct(api, shop)}`, { key }));
  const categoryId = await aCategory(api, shop);
  expectSuccess(await api.patch(`/products/${shopId}/${productId}`, { categoryId, slug: 'vip' }, { key }));
  expectSuccess(await api.patch(`/categories/${shopId}/${categoryId}`, { name: 'Renamed' }, { key }));
  expectSuccess(await api.delete(`/categories/${shopId}/${categoryId}`, { key }));
  expectSuccess(await api.patch(`/servers/${shopId}/${serverId}`, { name: 'Renamed' }, { key }));
  expectSuccess(await api.delete(`/servers/${shopId}/${await aServer(api, shop)}`, { key }));
  const connecting = await api.post(`/servers/${shopId}/${serverId}/connect-code`, {}, { token: shop.owner.token });
  expectSuccess(await api.post('/agent/connect', { code: expectSuccess<{ code: string }>(connecting).code }));
  const heartbeat = { onlinePlayers: 3, maxPlayers: 100 };
  expectSuccess(await api.post(`/servers/${shopId}/${serverId}/heartbeat`, heartbeat, { key }));
  expectSuccess(
    await api.post(`/discounts/${shopId}/validate`, { code, orderValue: 10, productId, serverId }, { key }),
  );
  expectSuccess(await api.patch(`/discounts/${shopId}/${discountId}`, { maxUsesPerBuyer: 5 }, { key }));
  expectSuccess(await api.delete(`/discounts/${shopId}/${(await aDiscount(api, shop)).id}`, { key }));
  const basket = { items: [{ productId, quantity: 1 }], serverId, discountCode: code };
  const buyer = { nickname: 'Steve_42', email: 'buyer@example.com' };
  expectSuccess(await api.post(`/checkout/${shopId}/quote`, { ...basket, ...buyer }));
  const order = await anOrder(api, shopId, { productId, serverId, discountCode: code });
  expectSuccess(await api.post(`/orders/public/${order.id}/nickname/request`, {}));
  expectSuccess(await api.post('/orders/public/links', { shopId, email: order.email }));
  await app.mailbox.next(order.email, /^Subject: Your orders at/m);
  const [verificationCode] = await app.mailbox.next(order.email, /^\d{8}$/m);
  const change = { verificationCode, newNickname: 'Alex_42' };
  expectSuccess(await api.post(`/orders/public/${order.id}/nickname/change`, change));
  const orderToken = { headers: { 'X-Order-Token': order.accessToken } };
  await aWebhook(api, shop, 'test');
  const buyerPayment = await api.post(`/orders/public/${order.id}/payment`, { provider: 'test' }, orderToken);
  const page = new URL(expectSuccess<{ url: string }>(buyerPayment).url).pathname.replace('/api/v2', '');
  expect((await api.get(page)).status).toBe(200);
  const webhook = await aWebhook(api, shop, 'custom');
  const paid = { type: 'payment.succeeded', orderId: order.id, paymentId: 'pay-1', amount: order.total };
  const occurredAt = new Date().toISOString();
  expectSuccess(await sendCustom(api, webhook, { ...paid, currency: 'EUR', occurredAt }));
  const lease = { serverId, players: ['Alex_42'] };
  const leased = async (): Promise<{ deliveryId: string; attempt: number }[]> =>
    expectSuccess<{ deliveries: { deliveryId: string; attempt: number }[] }>(
      await api.post(`/deliveries/${shopId}/lease`, lease, { key }),
    ).deliveries;
  for (const path of [`/orders/${shopId}/${order.id}/redeliver`, `/deliveries/${shopId}/redeliver`]) {
    const failing = await leased();
    const results = failing.map((delivery) => ({ ...pick(delivery), status: 'failed' }));
    expectSuccess(await api.post(`/deliveries/${shopId}/ack`, { results }, { key }));
    for (const filter of ['', `?serverId=${serverId}`]) {
      expectSuccess(await api.get(`/deliveries/${shopId}/failures${filter}`, { key }));
    }
    const chosen = path.startsWith('/orders') ? {} : { deliveryIds: failing.map(({ deliveryId }) => deliveryId) };
    expectSuccess(await api.post(path, { reason: 'Again', ...chosen }, { key }));
  }
  const inDoubt = await leased();
  for (const status of ['begun', 'uncertain']) {
    const results = inDoubt.map((delivery) => ({ ...pick(delivery), status }));
    expectSuccess(await api.post(`/deliveries/${shopId}/ack`, { results }, { key }));
  }
  for (const { deliveryId } of inDoubt) {
    const decision = { outcome: 'failed', reason: 'Asked the player' };
    expectSuccess(await api.post(`/orders/${shopId}/${order.id}/deliveries/${deliveryId}/decide`, decision, { key }));
  }
  expectSuccess(await api.post(`/orders/${shopId}/${order.id}/redeliver`, { reason: 'Again' }, { key }));
  const [again] = (await leased()).map((delivery) => ({ ...pick(delivery), status: 'delivered' }));
  expectSuccess(await api.post(`/deliveries/${shopId}/ack`, { results: [again] }, { key }));
  const back = { ...paid, type: 'refund.succeeded', currency: 'EUR', occurredAt: new Date().toISOString() };
  expectSuccess(await sendCustom(api, webhook, back));
  await refunds(shop, { productId, serverId });
  const deliveryFilters = [
    '',
    '?kind=expiry',
    '?kind=purchase&state=failed',
    '?state=queued',
    `?serverId=${serverId}`,
    `?serverId=${serverId}&state=failed`,
  ];
  for (const filter of [...deliveryFilters, `?orderId=${order.id}`]) {
    expectSuccess(await api.get(`/deliveries/${shopId}${filter}`, { key }));
  }
  const ban = { nickname: 'Griefer', reason: 'Griefing' };
  const at = '2026-11-21T12:00:00.000Z';
  for (const filter of [
    '',
    '?nickname=Steve_42',
    `?productId=${productId}`,
    `?serverId=${serverId}`,
    `?orderId=${order.id}`,
  ]) {
    expectSuccess(await api.get(`/entitlements/${shopId}${filter}`, { key }));
  }
  expectSuccess(await api.get(`/entitlements/${shopId}?state=all&sort=oldest&changedSince=${at}`, { key }));
  expectSuccess(await api.get(`/entitlements/${shopId}/check?nickname=Steve_42&product=${productId}`, { key }));
  const { id: banId } = expectSuccess<{ id: string }>(await api.post(`/bans/${shopId}`, ban, { key }));
  for (const filter of ['', '?q=griefer', '?nickname=Griefer', '?hasEnded=false&sort=oldest']) {
    expectSuccess(await api.get(`/bans/${shopId}${filter}`, { key }));
  }
  expectSuccess(await api.delete(`/bans/${shopId}/${banId}`, { key }));
  const buyers = (filter: string) => api.get(`/buyers/${shopId}${filter}`, { key });
  const first = async (filter: string): Promise<string | undefined> =>
    expectSuccess<{ key: string }[]>(await buyers(filter))[0]?.key;
  const player = await eventually(() => first('?q=alex'));
  for (const filter of [
    '',
    '?kind=mailbox&limit=1',
    `?q=${order.email}`,
    `/${player}`,
    `/${await first('?kind=mailbox')}`,
  ]) {
    expectSuccess(await buyers(filter));
  }
  expectSuccess(await api.put(`/buyers/${shopId}/${player}/note`, { note: 'Friendly' }, { key }));
  await webhooks(shop);
  const orderFilters = [
    '',
    '?status=completed',
    `?serverId=${serverId}`,
    `?productId=${productId}`,
    '?nickname=Alex_42',
    ...['?sort=oldest', '?q=alex', '?q=pay-1', `?q=${order.id}`, `?q=${order.email}`],
    ...[`?q=%23${order.number}`, `?number=${order.number}`],
    ...['?paymentId=pay-1', '?provider=custom', `?discountCode=${code}`, '?origin=grant'],
    ...['?provider=custom', `?discountCode=${code}`, `?q=${code}`].map((filter) => `${filter}&deliveryStatus=failed`),
  ];
  const granted = { items: [{ productId, quantity: 1 }], serverId, nickname: 'Alex_42', kind: 'grant', reason: 'Won' };
  const headers = { 'Idempotency-Key': 'a-grant-that-is-explained' };
  expectSuccess(await api.post(`/orders/${shopId}`, granted, { key, headers }));
  for (const filter of [...orderFilters, `?email=${order.email}`, '?from=2026-01-01T00:00:00Z&limit=1']) {
    expectSuccess(await api.get(`/orders/${shopId}${filter}`, { key }));
  }
  for (const filter of [
    '',
    '?dateField=paidAt',
    '?dateField=paidAt&from=2026-01-01',
    '?dateField=paidAt&nickname=Alex_42',
  ]) {
    expect((await api.get(`/orders/${shopId}/export${filter}`, { key })).status).toBe(200);
  }
  for (const q of ['alex', 'pay-1', order.id, order.email, `%23${order.number}`, code]) {
    expectSuccess(await api.get(`/search/${shopId}?q=${q}`, { key }));
  }
  const auditFilters = ['', '?sort=oldest', '?action=product.updated', '?actor=buyer', '?from=2026-01-01', '?q=stripe'];
  const ofAudit = [
    `?actor=user:${shop.owner.userId}`,
    `?subjectId=${order.id}`,
    `?q=${order.id}`,
    '?q=buyer',
    '?q=role',
  ];
  for (const filter of [...auditFilters, ...ofAudit]) {
    expectSuccess(await api.get(`/shops/${shopId}/audit${filter}`, { key }));
  }
  const widgets = { widgets: WIDGETS, monthlyGoal: 100 };
  for (const settings of [{ ...widgets, priceRule: 'none' }, { priceRule: 'eu' }])
    expectSuccess(await api.patch(`/shops/${shopId}`, settings, { key }));
  await payWithTest(api, await anOrder(api, shopId, { productId, serverId }));
  // The buyer is read when the sale is folded.
  await eventually(
    async () => expectSuccess<unknown[]>(await api.get(`/widgets/public/${shopId}/top-buyers?period=all`)).length > 0,
  );
  // Now the sums are complete. During the rebuild, statistics read the ledger.
  for (const read of ['comparison', 'breakdown?by=server'])
    expectSuccess(await api.get(`/stats/${shopId}/${read}`, { key }));
  expectSuccess(await api.post(`/stats/${shopId}/rebuild`, {}, { key }));
  for (const read of [
    ...[
      `/orders/${shopId}/${order.id}`,
      `/orders/${shopId}/counts`,
      `/products/${shopId}`,
      `/products/${shopId}?q=renamed`,
      `/servers/${shopId}`,
      `/servers/public/${serverId}/status`,
      `/servers/public/by-shop/${shopId}`,
      ...[`/sales/${shopId}`, `/sales/${shopId}?state=running`, `/tier-groups/${shopId}`],
      `/discounts/${shopId}`,
      `/discounts/${shopId}?q=code`,
    ],
    ...[`/discounts/${shopId}/${discountId}`, `/servers/${shopId}/${serverId}`],
    ...[`/products/public/${shopId}`, `/categories/public/${shopId}?cursor=${'A'.repeat(22)}`],
    ...[`/products/public/${shopId}?cursor=${'A'.repeat(22)}`, `/categories/public/${shopId}`],
    ...[`/products/${shopId}/${productId}`, `/products/${shopId}/${productId}/prices`, `/categories/${shopId}`],
    ...[`/orders/public/${order.id}`, `/payments/${shopId}/providers`, `/payments/public/${shopId}/methods`],
    ...[
      `/payments/${shopId}/events`,
      `/payments/${shopId}/events?state=failed`,
      `/payments/${shopId}/events?orderId=${order.id}`,
    ],
    ...['', '?kind=refund', '?provider=custom', `?orderId=${order.id}`, '?from=2026-01-01&limit=1'].map(
      (filter) => `/payments/${shopId}/movements${filter}`,
    ),
    ...[
      `/stats/${shopId}/comparison`,
      `/stats/${shopId}/breakdown?by=product`,
      `/shops/${shopId}/audit`,
      `/shops/${shopId}/rejected-requests`,
      `/shops/${shopId}/overview`,
      `/shops/${shopId}/team`,
      `/shops/${shopId}`,
    ],
    ...[`/widgets/public/${shopId}/recent-purchases`, `/widgets/public/${shopId}/goal`],
    ...[`/shops/public/${uniqueName}`, `/shops/public/by-domain/${host}`, `/domains/allowed?domain=${host}`],
  ]) {
    expectSuccess(await api.get(read, { key, headers: { 'X-Order-Token': order.accessToken } }));
  }
}

const pick = ({ deliveryId, attempt }: { deliveryId: string; attempt: number }): object => ({ deliveryId, attempt });

/** The requests of an owner: account, shop, keys, domain and team. */
async function owners(shop: TestShop, keyId: string): Promise<void> {
  const { api } = app;
  const { email, password, refreshToken, token } = shop.owner;
  const member = await aMember(app, shop, 'support');
  expectSuccess(await api.post('/auth/login', { email, password }));
  expectSuccess(await api.post('/auth/refresh', { refreshToken }));
  expectSuccess(await api.post('/auth/password/forgot', { email }));
  for (const read of [
    '/auth/me',
    '/auth/sessions',
    '/auth/second-factor',
    '/auth/preferences',
    `/auth/preferences/${shop.shopId}/views`,
    '/shops',
    '/api-keys',
    `/api-keys/${keyId}`,
  ]) {
    expectSuccess(await api.get(read, { token }));
  }
  const settings = { language: 'de', look: 'dark', shortcuts: true };
  expectSuccess(await api.put('/auth/preferences', settings, { token }));
  expectSuccess(await api.put(`/auth/preferences/${shop.shopId}/views`, { views: [] }, { token }));
  expectSuccess(await api.patch(`/api-keys/${keyId}`, { name: 'Renamed' }, { token }));
  expectSuccess(await api.post(`/api-keys/${keyId}/rotate`, {}, { token }));
  expectSuccess(await api.patch(`/shops/${shop.shopId}`, { displayName: 'Cloud Realm' }, { token }));
  const claimed = await api.put(`/shops/${shop.shopId}/domain`, { hostname: host }, { token });
  const { name, value } = expectSuccess<{ domain: { txtRecord: { name: string; value: string } } }>(claimed).domain
    .txtRecord;
  dns.publish(name, [value]);
  expectSuccess(await api.call('post', `/shops/${shop.shopId}/domain/verify`, { token }));
  expectSuccess(await api.get(`/shops/${shop.shopId}/team/me`, { token: member.token }));
  expectSuccess(await api.delete(`/shops/${shop.shopId}/team/me`, { token: member.token }));
  const newEmail = `new-${member.email}`;
  const { password: currentPassword, token: ofMember } = member;
  expectSuccess(await api.post('/auth/email/change', { newEmail, currentPassword }, { token: ofMember }));
  const [confirmation] = await app.mailbox.next(newEmail, /shm_[\w-]{43}/);
  expectSuccess(await api.post('/auth/email/confirm', { token: confirmation }));
  expectSuccess(await api.post('/auth/logout', { refreshToken: member.refreshToken }));
  const leaver = await aMember(app, shop, 'support');
  const closing = { token: leaver.token, body: { currentPassword: leaver.password } };
  expectSuccess(await api.delete('/auth/me', closing));
}

interface Look {
  readonly name: string;
  readonly collection: string;
  readonly command: Document;
}

/** The commands that have a query, without the fields of one connection or transaction. */
function looksIn(bodies: readonly Buffer[]): Look[] {
  return bodies.flatMap((body) => {
    const {
      $db: _db,
      lsid: _lsid,
      txnNumber: _txnNumber,
      $clusterTime: _time,
      startTransaction: _start,
      autocommit: _auto,
      readConcern: _read,
      writeConcern: _write,
      ...command
    } = deserialize(body, { promoteValues: false });
    const [name = ''] = Object.keys(command);
    return LOOKS.includes(name) ? [{ name, collection: String(command[name]), command }] : [];
  });
}

/** A value without its instants. */
function timeless(value: unknown): unknown {
  if (value instanceof Date) return null;
  if (Array.isArray(value)) return value.map(timeless);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, timeless(one)]));
}

/** Each command once: a background job sends the same ones in every round, with another time. */
let looks: Look[];

beforeAll(async () => {
  await walk();
  const different = new Map<string, Look>();
  const isJobRead = (collection: string) => (look: Look) =>
    look.name === 'find' && look.collection === collection && inspect(look.command).includes('$lte');
  await eventually(async () => {
    for (const look of looksIn(await app.commandBodies())) {
      const key = Buffer.from(serialize(timeless(look.command) as Document)).toString('base64');
      if (!different.has(key)) different.set(key, look);
    }
    looks = [...different.values()];
    return ['orders', 'shops'].every((collection) => looks.some(isJobRead(collection)));
  });
});

it('uses an index for every query of a request or a background job', async () => {
  const scans = new Set<string>();
  for (const { name, collection, command } of looks) {
    const plan = await database.command({ explain: command, verbosity: 'queryPlanner' });
    if (inspect(plan, { depth: null }).includes('COLLSCAN'))
      scans.add(`${name} ${collection} ${inspect(command, { depth: null })}`);
  }
  expect([...scans]).toEqual([]);
  const unindexed = await database.collection('orders').find({ nickname: 'Steve_42' }).explain('queryPlanner');
  expect(inspect(unindexed, { depth: null })).toContain('COLLSCAN');
  // The requests above really sent these queries.
  const collections = new Set(looks.map(({ collection }) => collection));
  // Each process writes there every 15 seconds, so not in every run of this spec.
  for (const seldom of ['running_processes', 'encryption_keys']) collections.delete(seldom);
  expect([...collections].sort()).toEqual([
    ...[
      'api_keys',
      'audit_log',
      'bans',
      'buyer_profiles',
      'categories',
      'command_lists',
      'connect_codes',
      'consent_texts',
      'counter_shards',
      'deliveries',
      'delivery_attempts',
      'discounts',
      'email_changes',
      'entitlements',
      'game_servers',
      'idempotency_records',
      'image_files',
      'images',
      'invitations',
      'mailbox_counts',
      'members',
      'movements',
      'nickname_change_codes',
    ],
    ...[
      'order_counters',
      'orders',
      'outbox',
      'outbox_lanes',
      'owner_notices',
      'password_resets',
      'payment_events',
      'payment_providers',
      'payments',
      'preferences',
      'price_changes',
      'products',
      'quota_claims',
      'redemptions',
      'refresh_tokens',
      'refunds',
      'rejected_requests',
    ],
    ...[
      'rosters',
      'sales',
      'second_factors',
      'sessions',
      'shops',
      'stats_buyer_sums',
      'stats_ledger',
      'stats_rollups',
      'stats_states',
      'tier_groups',
      'users',
      'webhook_deliveries',
      'webhooks',
    ],
  ]);
});

it('uses an index for the messages of a shop that an erasure of a buyer changes', async () => {
  const { shopId, owner } = await aShop(app.api);
  expectSuccess(await app.api.post(`/bans/${shopId}`, { nickname: 'Steve_42', reason: 'Griefing' }, owner));
  await app.commandBodies();
  expectSuccess(await app.api.post(`/buyers/${shopId}/erase`, { nickname: 'Steve_42', reason: 'A letter' }, owner));
  const reads = looksIn(await app.commandBodies()).filter(
    ({ name, collection, command }) =>
      name === 'find' && collection === 'outbox' && 'shopId' in (command['filter'] as Document),
  );
  expect(reads).toHaveLength(1);
  for (const { command } of reads) {
    const plan = await database.command({ explain: command, verbosity: 'queryPlanner' });
    expect(inspect(plan, { depth: null })).not.toContain('COLLSCAN');
  }
});

it('uses an index for the messages about an order, which the command line shows', async () => {
  const ofOrder = database.collection('outbox').find({ orderId: new ObjectId() });
  expect(inspect(await ofOrder.explain('queryPlanner'), { depth: null })).toContain("'orderId_1'");
});

it('uses an index for every number of the metrics', async () => {
  const { page } = await metricsOf(app);
  await app.commandBodies();
  expect(await page()).toContain('shop_platform_database_up 1');
  const numbers = looksIn(await app.commandBodies()).filter(({ name }) => name === 'aggregate');
  expect([...new Set(numbers.map(({ collection }) => collection))].sort()).toEqual([
    'deliveries',
    'mailbox_counts',
    'orders',
    'outbox',
    'payment_events',
    'payments',
    'refunds',
  ]);
  for (const { command } of numbers) {
    const plan = await database.command({ explain: command, verbosity: 'queryPlanner' });
    expect(inspect(plan, { depth: null })).not.toContain('COLLSCAN');
  }
});

const LONG_AGO = new Date('2025-01-01T00:00:00Z');
/** The collections that grow with the orders of a shop, and new values of the fields that are different in each record. */
const GROWING: Readonly<Record<string, (n: number) => Document>> = {
  orders: (n) => ({
    number: 1_000_000 + n,
    buyerKey: `buyer ${n}`,
    nicknameKey: `player ${n}`,
    accessTokenHash: `hash ${n}`,
    slots: [],
  }),
  redemptions: (n) => ({ orderId: new ObjectId(), buyerKey: `buyer ${n}`, nicknameKey: `player ${n}` }),
  deliveries: () => ({ orderId: new ObjectId(), state: 'delivered' }),
  entitlements: (n) => ({ orderId: new ObjectId(), nicknameKey: `player ${n}` }),
  delivery_attempts: () => ({ deliveryId: new ObjectId() }),
  payment_events: (n) => ({ eventId: `event ${n}`, orderId: new ObjectId() }),
  payments: (n) => ({ orderId: new ObjectId(), paymentId: `payment ${n}` }),
  refunds: () => ({ orderId: new ObjectId() }),
  movements: (n) => ({ orderId: new ObjectId(), name: `movement ${n}`, occurredAt: LONG_AGO }),
  audit_log: () => ({ subjectId: new ObjectId().toHexString() }),
  nickname_change_codes: () => ({ orderId: new ObjectId() }),
  webhook_deliveries: (n) => ({ eventId: `event ${n}` }),
  counter_shards: () => ({ subjectId: new ObjectId() }),
  stats_ledger: (n) => ({
    orderId: new ObjectId(),
    buyerKey: `buyer ${n}`,
    nicknameKey: `player ${n}`,
    profileDueAt: null,
    events: [{ at: LONG_AGO }],
    pending: false,
  }),
  buyer_profiles: (n) => ({ key: `key ${n}`, name: `buyer ${n}`, lastOrderAt: LONG_AGO }),
  stats_buyer_sums: (n) => ({ buyerKey: `buyer ${n}`, month: null, netMinor: n }),
  // A topic without a handler, so that its messages stay waiting.
  outbox: (n) => ({ state: 'waiting', lane: 'unknown desk', stream: `stream ${n}`, position: 0 }),
};
/** How many records are added to each of these collections. `npm run long -- lists` adds more. */
const MANY = Number(process.env['ADDED_RECORDS'] ?? 400);
/** How many documents more a query may read than its limit, such as the one that shows that there is a next page. */
const SLACK = 5;

it('reads no more documents for a request or a background job in a shop with many orders', async () => {
  // Only this spec changes records from here on: the jobs of the application would change some between the two counts.
  await app.kill();
  const before: number[] = [];
  for (const look of looks) before.push(await examined(database, look.command));
  for (const [name, changed] of Object.entries(GROWING)) {
    const { _id, ...record } = (await database.collection(name).findOne({}, { sort: { _id: 1 } })) as Document;
    await insertMany(database.collection(name), MANY, (n) => ({ ...record, ...changed(n) }));
  }
  const grown = new Set<string>();
  for (const [index, look] of looks.entries()) {
    const allowed = Math.max(before[index] ?? 0, Number(look.command['limit'] ?? 0)) + SLACK;
    const count = await examined(database, look.command);
    if (count > allowed) {
      grown.add(
        `${look.name} ${look.collection}: ${count} instead of ${allowed} ${inspect(look.command, { depth: null })}`,
      );
    }
  }
  expect([...grown]).toEqual([]);
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EJSON } from 'bson';
import { type Response } from 'supertest';
import { WIDGETS } from '../../src/shops/shops/shop.types.js';
import { aWebhook, payment, sendCustom } from '../payments/senders.js';
import {
  aDiscount,
  aKey,
  aMember,
  anOrder,
  aCategory,
  aProduct,
  aServer,
  aShop,
  type TestShop,
  unique,
} from '../support/actors.js';
import { type Call, type Method } from '../support/client.js';
import { expectSuccess } from '../support/envelope.js';
import { anImage } from '../support/images.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** A shop with one record of each kind, by the names of the path parameters. */
interface CompleteShop extends TestShop {
  readonly key: string;
  readonly ids: Readonly<Record<string, string>>;
  readonly orderToken: string;
  readonly code: string;
  /** Not among the ids: the response to an acknowledgement repeats it. */
  readonly deliveryId: string;
}

/** Operations without a shop's record in their path or body, or for callers without a credential. */
const WITHOUT_A_SHOP =
  /^\w+ \/(auth|health|team)\/|^(get|post) \/shops$|^get \/meta$|^get \/shops\/public\/|^get \/servers\/public\//;

describe('Two shops', () => {
  let app: TestApp;
  let attacker: CompleteShop;
  let victim: CompleteShop;
  let operations: [method: Method, path: string][];
  let lists: string[];

  async function completeShop(): Promise<CompleteShop> {
    const shop = await aShop(app.api);
    const { shopId, owner } = shop;
    const { token } = owner;
    await aMember(app, shop, 'manager');
    const [serverId, categoryId] = [await aServer(app.api, shop), await aCategory(app.api, shop)];
    const productId = await aProduct(app.api, shop, { categoryId });
    const discount = await aDiscount(app.api, shop);
    const { id: keyId, key } = await aKey(app.api, shop);
    const order = await anOrder(app.api, shopId, { productId, serverId });
    const webhook = await aWebhook(app.api, shop, 'custom');
    expectSuccess(await sendCustom(app.api, webhook, payment(order)));
    const [delivery] = expectSuccess<{ id: string }[]>(await app.api.get(`/deliveries/${shopId}`, { token }));
    const banned = await app.api.post(`/bans/${shopId}`, { nickname: 'Griefer', reason: 'Griefing' }, { token });
    const [entitlement] = expectSuccess<{ id: string }[]>(await app.api.get(`/entitlements/${shopId}`, { token }));
    const { id: banId } = expectSuccess<{ id: string }>(banned);
    const hook = { url: `https://example.com/${unique()}`, events: ['*'], isActive: false };
    const { id: webhookId } = expectSuccess<{ id: string }>(await app.api.post(`/webhooks/${shopId}`, hook, { token }));
    const invitee = { email: `invited-${unique()}@example.com`, role: 'analyst' };
    const invitation = expectSuccess<{ id: string }>(
      await app.api.post(`/shops/${shopId}/team/invitations`, invitee, { token }),
    );
    const widgets = { widgets: WIDGETS, monthlyGoal: 100 };
    expectSuccess(await app.api.patch(`/shops/${shopId}`, widgets, { token }));
    expectSuccess(await app.api.put(`/shops/${shopId}/domain`, { hostname: `${unique()}.example.com` }, { token }));
    const team = expectSuccess<{ members: { id: string; userId: string }[] }>(
      await app.api.get(`/shops/${shopId}/team`, { token }),
    );
    const memberId = team.members.find(({ userId }) => userId !== owner.userId)?.id ?? '';
    const planned = { name: 'Summer', type: 'percent', value: 5, startsAt: '2099-06-01T00:00:00.000Z' };
    const { id: saleId } = expectSuccess<{ id: string }>(await app.api.post(`/sales/${shopId}`, planned, { token }));
    const higherId = await aProduct(app.api, shop);
    const tiers = { name: 'Ranks', productIds: [productId, higherId] };
    const { id: groupId } = expectSuccess<{ id: string }>(
      await app.api.post(`/tier-groups/${shopId}`, tiers, { token }),
    );
    const imageId = await anImage(app.api, shop);
    const ids = {
      shopId,
      imageId,
      serverId,
      productId,
      categoryId,
      discountId: discount.id,
      saleId,
      groupId,
      keyId,
      memberId,
      orderId: order.id,
      entitlementId: entitlement?.id ?? '',
      banId,
      webhookId,
    };
    return {
      ...shop,
      key,
      orderToken: order.accessToken,
      code: discount.code,
      deliveryId: delivery?.id ?? '',
      ids: { ...ids, invitationId: invitation.id },
    };
  }

  /** Every document of a shop in the database. */
  const recordsOfShop = (shopId: string): Promise<string> =>
    inDatabase(app, async (db) => {
      const collections = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name).sort();
      const records: unknown[] = [];
      for (const name of collections) {
        const filter = { $or: [{ shopId: idOf(shopId) }, { _id: idOf(shopId) }] };
        records.push([name, await db.collection(name).find(filter).sort({ _id: 1 }).toArray()]);
      }
      return EJSON.stringify(records);
    });

  /** Bodies that would be valid if the ids in them belonged to the caller's shop. */
  const bodyFor = (operation: string, { ids, code, deliveryId }: CompleteShop): object | undefined => {
    const { shopId, serverId, productId, categoryId } = ids;
    const bodies: Readonly<Record<string, object>> = {
      'post /sales/{shopId}': {
        ...{ name: 'Stolen', type: 'percent', value: 5, startsAt: '2099-06-01T00:00:00.000Z' },
        ...{ scope: 'products', productIds: [productId] },
      },
      'patch /sales/{shopId}/{saleId}': { value: 6 },
      'post /tier-groups/{shopId}': { name: 'Stolen', productIds: [productId, serverId] },
      'patch /tier-groups/{shopId}/{groupId}': { name: 'Stolen' },
      'post /discounts/{shopId}': { code: `T${unique()}`, type: 'percent', value: 5, productIds: [productId] },
      'patch /discounts/{shopId}/{discountId}': { isActive: false, serverIds: [serverId] },
      'post /discounts/{shopId}/validate': { code, orderValue: 10 },
      'post /products/{shopId}': { name: 'Stolen', price: 1, commands: ['say hi'], serverIds: [serverId] },
      'patch /products/{shopId}': { products: [{ productId, isActive: false }] },
      'patch /products/{shopId}/{productId}': { name: 'Taken over', categoryId },
      'post /categories/{shopId}': { name: 'Stolen' },
      'patch /categories/{shopId}/{categoryId}': { name: 'Taken over' },
      'patch /servers/{shopId}/{serverId}': { name: 'Taken over' },
      'post /servers/{shopId}/{serverId}/connect-code': {},
      'post /servers/{shopId}/{serverId}/heartbeat': { onlinePlayers: 1, maxPlayers: 2 },
      'post /checkout/{shopId}/quote': { items: [{ productId, quantity: 1 }], serverId },
      'post /checkout/{shopId}/orders': {
        items: [{ productId, quantity: 1 }],
        serverId,
        nickname: 'Steve_42',
        email: 'thief@example.com',
      },
      'post /orders/{shopId}': {
        ...{ items: [{ productId, quantity: 1 }], serverId, nickname: 'Steve_42' },
        ...{ kind: 'grant', reason: 'Stolen' },
      },
      'post /orders/public/{orderId}/nickname/change': { verificationCode: '12345678', newNickname: 'Thief_1' },
      'post /orders/public/{orderId}/payment': { provider: 'test' },
      'post /orders/public/{orderId}/withdrawal': { name: 'Thief' },
      'post /orders/{shopId}/{orderId}/redeliver': { reason: 'Stolen' },
      'post /orders/{shopId}/{orderId}/deliveries/{deliveryId}/decide': { outcome: 'failed', reason: 'Stolen' },
      'post /orders/{shopId}/{orderId}/cancel': { reason: 'Stolen' },
      'post /orders/{shopId}/{orderId}/notes': { text: 'Stolen' },
      'post /orders/{shopId}/{orderId}/nickname': { newNickname: 'Thief_1', reason: 'Stolen' },
      'post /orders/{shopId}/{orderId}/resolve': { decision: 'accept', reason: 'Stolen' },
      'post /payments/{shopId}/{orderId}/refund': { reason: 'Stolen' },
      'put /buyers/{shopId}/{key}/note': { note: 'Stolen' },
      'post /buyers/{shopId}/export': { email: 'victim@example.com' },
      'post /buyers/{shopId}/erase': { email: 'victim@example.com', reason: 'Stolen' },
      'post /entitlements/{shopId}/{entitlementId}/end': { reason: 'Stolen' },
      'post /entitlements/{shopId}/{entitlementId}/transfer': { nickname: 'Thief_1', reason: 'Stolen' },
      'post /bans/{shopId}': { email: 'victim@example.com', reason: 'Stolen' },
      'post /deliveries/{shopId}/lease': { serverId, players: ['Steve_42'] },
      'post /deliveries/{shopId}/redeliver': { reason: 'Stolen', deliveryIds: [deliveryId] },
      'post /deliveries/{shopId}/ack': { results: [{ deliveryId, attempt: 1, status: 'failed' }] },
      'post /webhooks/{shopId}': { url: 'https://example.com/thief', events: ['*'] },
      'patch /webhooks/{shopId}/{webhookId}': { url: 'https://example.com/thief' },
      'post /webhooks/{shopId}/{webhookId}/rotate-secret': { graceSeconds: 0 },
      'post /webhooks/{shopId}/{webhookId}/deliveries/replay': {
        from: '2026-01-01T00:00:00Z',
        to: '2126-01-01T00:00:00Z',
      },
      'patch /shops/{shopId}': { displayName: 'Taken over' },
      'put /shops/{shopId}/domain': { hostname: `${unique()}.example.net` },
      'post /shops/{shopId}/team/invitations': { email: `thief-${unique()}@example.com`, role: 'admin' },
      'patch /shops/{shopId}/team/{memberId}': { role: 'support' },
      'put /auth/preferences/{shopId}/views': { views: [] },
      'post /api-keys': { shopId, name: 'Stolen', type: 'secret', permissions: ['shops:read'] },
      'patch /api-keys/{keyId}': { name: 'Taken over' },
      'post /api-keys/{keyId}/rotate': { graceSeconds: 0 },
      'put /api-keys/{keyId}/restrictions': { serverIds: [serverId], ipAllowlist: null },
      'put /payments/{shopId}/providers/{provider}': { enabled: false, credentials: {} },
      'post /payments/{shopId}/providers/{provider}/rotate-secret': { graceSeconds: 0 },
    };
    return bodies[operation];
  };

  /** Calls an operation with the victim's ids. @param shopId whose shop the path names */
  const attack = (method: Method, path: string, shopId: string, credential: Call): Promise<Response> => {
    const values: Readonly<Record<string, string>> = {
      ...victim.ids,
      shopId,
      provider: 'custom',
      webhookSecret: 'A'.repeat(43),
    };
    const query = path.endsWith('/comparison') ? `?productId=${victim.ids['productId'] ?? ''}` : '';
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '0'.repeat(24)) + query;
    const body = bodyFor(`${method} ${path}`, victim) ?? (method === 'post' ? {} : undefined);
    const headers = { 'X-Order-Token': attacker.orderToken };
    return app.api.call(method, filled, { ...credential, headers, ...(body === undefined ? {} : { body }) });
  };

  /** The victim's ids in a response. The path of an error repeats the request, so it does not count. */
  const leaked = ({ body, text: raw, type }: Response): string[] => {
    const { path: _, ...rest } = body as Record<string, unknown>;
    const text = type === 'text/csv' ? raw : JSON.stringify(rest);
    return [...Object.values(victim.ids), victim.owner.userId, victim.owner.email].filter((id) => text.includes(id));
  };

  beforeAll(async () => {
    app = await startTestApp();
    [attacker, victim] = [await completeShop(), await completeShop()];
    const document = (await app.api.get('/openapi.json')).body as {
      paths: Record<string, Record<string, { parameters: readonly { name: string }[] }>>;
    };
    lists = Object.entries(document.paths)
      .filter(([, { get }]) => get?.parameters.some(({ name }) => name === 'cursor'))
      .map(([path]) => path.replace('/api/v2', ''));
    operations = Object.entries(document.paths)
      .flatMap(([path, methods]) =>
        Object.keys(methods).map((method): [Method, string] => [method as Method, path.replace('/api/v2', '')]),
      )
      .filter(([method, path]) => !WITHOUT_A_SHOP.test(`${method} ${path}`));
  });
  afterAll(() => app.close());

  it.each<[string, (shop: CompleteShop) => Call]>([
    ["an owner's token", ({ owner }) => ({ token: owner.token })],
    ['a secret key', ({ key }) => ({ key })],
  ])('separates two shops: %s gets, changes and reveals nothing of the other shop', async (_, credentialOf) => {
    const before = await recordsOfShop(victim.shopId);
    const wrong: unknown[] = [];
    let calls = 0;
    for (const [method, path] of operations) {
      const isCheckout = path.startsWith('/checkout/');
      const isPublic = path.includes('/public/') || isCheckout;
      for (const shopId of path.includes('{shopId}') ? [attacker.shopId, victim.shopId] : [victim.shopId]) {
        const response = await attack(method, path, shopId, isPublic ? {} : credentialOf(attacker));
        calls++;
        const namesForeign = shopId === victim.shopId || /\{(?!shopId|provider)\w+\}/.test(path);
        // Everyone may see what any shop sells, its images, what it shows of its sales and how to pay there, may order there, and may request a code, which is sent to the buyer of the order.
        const isForAnybody =
          isCheckout ||
          /^\/orders\/public\/\{orderId\}\/nickname\/request$|^\/(products|categories|images|payments|widgets)\/public\//.test(
            path,
          );
        const isList = method === 'get' && path === '/api-keys';
        const rejected = response.status >= 400 && response.status < 500;
        // A checkout names the products of the request that the shop does not have.
        const sent = isCheckout ? JSON.stringify(bodyFor(`${method} ${path}`, victim)) : '';
        const ids = leaked(response).filter((id) => !sent.includes(id));
        const found = isForAnybody && shopId === victim.shopId ? [] : ids;
        if (found.length > 0 || (namesForeign && !isForAnybody && !isList && !rejected)) {
          wrong.push({
            operation: `${method} ${path}`,
            ofVictim: shopId === victim.shopId,
            status: response.status,
            found,
          });
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(calls).toBeGreaterThan(operations.length);
    expect(withoutOrders(await recordsOfShop(victim.shopId))).toBe(withoutOrders(before));
  });

  it.each<[string, () => Promise<Response>]>([
    [
      'a product',
      () => app.api.post(`/checkout/${attacker.shopId}/orders`, checkout({ productId: victim.ids['productId'] })),
    ],
    [
      'a server',
      () => app.api.post(`/checkout/${attacker.shopId}/orders`, checkout({ serverId: victim.ids['serverId'] })),
    ],
    [
      'a discount code',
      async () => {
        const { code } = await aDiscount(app.api, victim);
        return app.api.post(`/checkout/${attacker.shopId}/orders`, checkout({ discountCode: code }));
      },
    ],
  ])('rejects an order in one shop with %s of the other', async (_, order) => {
    const { status } = await order();
    expect([400, 404]).toContain(status);
  });

  it('says in X-Total-Count how many records a list has, in each page of every list', async () => {
    await app.idle();
    const read = async (path: string, limit: number): Promise<[records: number, total: string]> => {
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => victim.ids[name] ?? '');
      const response = await app.api.get(`${filled}?limit=${limit}`, { token: victim.owner.token });
      return [expectSuccess<unknown[]>(response).length, String(response.headers['x-total-count'])];
    };
    const found = new Map<string, number>();
    for (const path of lists) {
      const [records, total] = await read(path, 100);
      expect([path, total]).toEqual([path, String(records)]);
      expect([path, ...(await read(path, 1))]).toEqual([path, Math.min(records, 1), total]);
      found.set(path, records);
    }
    expect([...found.values()].filter((records) => records > 0).length).toBeGreaterThan(20);
  });

  const checkout = ({ productId, serverId, ...rest }: Record<string, string | undefined>): object => ({
    items: [{ productId: productId ?? attacker.ids['productId'], quantity: 1 }],
    serverId: serverId ?? attacker.ids['serverId'],
    // Somebody who owns nothing here.
    nickname: 'Robin_42',
    email: 'buyer@example.com',
    ...rest,
  });
});

/** Leaves out what a public checkout adds: the order, its audit, ledger and outbox entries, and its verification code. */
function withoutOrders(records: string): string {
  const collections = EJSON.parse(records) as [string, unknown[]][];
  return EJSON.stringify(
    collections.filter(([name]) => !/^(orders|audit|nickname_change_codes|redemptions|stats_ledger|outbox)/.test(name)),
  );
}

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { acknowledge, aDeliveringShop, aPaidOrder, type DeliveringShop, lease } from '../deliveries/delivery-actors.js';
import { payment, sendCustom } from '../payments/senders.js';
import { aKey, aMember, anOrder, aServer, aShop, type TestShop } from '../support/actors.js';
import { anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

interface Overview extends Record<string, unknown> {
  readonly needs: readonly Record<string, unknown>[];
  readonly checklist: readonly { readonly step: string; readonly isDone: boolean }[];
}

let app: TestApp;
const overviewOf = async ({ shopId, owner }: TestShop, token = owner.token): Promise<Overview> =>
  expectSuccess<Overview>(await app.api.get(`/shops/${shopId}/overview`, { token }), 'Overview retrieved');
const doneIn = ({ checklist }: Overview): string[] => checklist.filter(({ isDone }) => isDone).map(({ step }) => step);

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

describe('GET /shops/{shopId}/overview', () => {
  it('shows a new shop with nothing to do, and the steps that it lacks', async () => {
    const shop = await aShop(app.api);
    const none = { grossRevenue: 0, refunds: 0, netRevenue: 0, orders: 0, paidOrders: 0 };
    const day = { from: anInstant, to: anInstant, figures: { ...none, averageOrderValue: null, uniqueBuyers: 0 } };
    expect(await overviewOf(shop)).toEqual({
      needs: [],
      checklist: [
        { step: 'settings', isDone: true },
        { step: 'payment_method', isDone: false },
        { step: 'product', isDone: false },
        { step: 'server', isDone: false },
        { step: 'purchase', isDone: false },
        { step: 'open', isDone: true },
      ],
      currency: 'EUR',
      today: { today: day, dayBefore: day, weekBefore: day },
      orders: { needsReview: 0, disputed: 0 },
      servers: [],
      deliveries: [],
      providers: [],
      webhooks: { active: 0, failing: 0, disabled: 0 },
      domain: null,
      mail: { destination: 'files', isRefused: false },
      whoManages: [{ name: 'Olivia', role: 'owner' }],
      generatedAt: anInstant,
    });
  });

  it('gives every member the parts that its permissions allow, and nothing to a plugin', async () => {
    const shop = await aShop(app.api);
    const analyst = await aMember(app, shop, 'analyst');
    const seen = await overviewOf(shop, analyst.token);
    expect(seen).toMatchObject({ servers: null, providers: null, webhooks: null, deliveries: [], orders: {} });
    expect(seen['today']).not.toBeNull();
    expect(seen.checklist.map(({ step }) => step)).toEqual(['settings', 'product', 'purchase', 'open']);
    const developer = await aMember(app, shop, 'developer');
    expect(await overviewOf(shop, developer.token)).toMatchObject({ today: null, providers: null, servers: [] });
    const { key } = await aKey(app.api, shop, 'plugin');
    const missing = 'The credential lacks the permission shops:read';
    expectError(await app.api.get(`/shops/${shop.shopId}/overview`, { key }), 403, missing);
  });

  describe('of a shop that sells', () => {
    let shop: DeliveringShop;

    beforeAll(async () => {
      shop = await aDeliveringShop(app.api);
    });

    it('ticks a step when it is so, and counts what waits by game server', async () => {
      await aPaidOrder(app.api, shop);
      await aPaidOrder(app.api, shop);
      const seen = await overviewOf(shop);
      expect(seen['deliveries']).toEqual([{ serverId: shop.serverId, waiting: 2, failed: 0 }]);
      expect(doneIn(seen)).toEqual(['settings', 'product', 'purchase', 'open']);
      const figures = { orders: 2, paidOrders: 0 };
      expect(seen).toMatchObject({ needs: [], today: { today: { figures }, weekBefore: { figures: { orders: 0 } } } });
      const beat = { onlinePlayers: 3, maxPlayers: 10 };
      const path = `/servers/${shop.shopId}/${shop.serverId}/heartbeat`;
      expectSuccess(await app.api.post(path, beat, { token: shop.owner.token }));
      const later = await overviewOf(shop);
      expect(doneIn(later)).toContain('server');
      expect(later['servers']).toEqual([
        expect.objectContaining({ id: shop.serverId, status: 'online', players: { online: 3, max: 10 } }),
      ]);
    });

    it('names failed deliveries with what the console printed, and the act that ends them', async () => {
      const [first, second] = await lease(app.api, shop);
      for (const leased of [first, second]) {
        if (leased !== undefined) await acknowledge(app.api, shop, leased, 'failed', 'Unknown command: lp');
      }
      const seen = await overviewOf(shop);
      expect(seen.needs).toEqual([
        {
          kind: 'delivery_failed',
          subject: shop.serverId,
          name: 'Survival',
          reason: 'The console printed: Unknown command: lp',
          since: anInstant,
          count: 2,
          action: 'redeliver',
          permission: 'orders:write',
          mayAct: true,
        },
      ]);
      expect(seen['deliveries']).toEqual([{ serverId: shop.serverId, waiting: 0, failed: 2 }]);
      const analyst = await aMember(app, shop, 'analyst');
      expect((await overviewOf(shop, analyst.token)).needs).toEqual([expect.objectContaining({ mayAct: false })]);
    });

    it('names orders that need a decision or are disputed before everything else, with their reason', async () => {
      const { productId, serverId, webhook } = shop;
      const wrong = await anOrder(app.api, shop.shopId, { productId, serverId });
      expectSuccess(await sendCustom(app.api, webhook, payment(wrong, { amount: 749 })));
      const disputed = await aPaidOrder(app.api, shop);
      const dispute = { type: 'dispute.opened', disputeId: 'dp_1' };
      expectSuccess(await sendCustom(app.api, webhook, payment(disputed, dispute)));
      const seen = await overviewOf(shop);
      expect(seen['orders']).toEqual({ needsReview: 1, disputed: 1 });
      expect(seen.needs.map(({ kind, subject, action }) => ({ kind, subject, action }))).toEqual([
        { kind: 'order_review', subject: wrong.id, action: 'resolve_review' },
        { kind: 'order_disputed', subject: disputed.id, action: 'answer_dispute' },
        { kind: 'delivery_failed', subject: serverId, action: 'redeliver' },
      ]);
      expect(seen.needs[0]?.['reason']).toContain('749.00 EUR');
    });
  });

  it('names what nobody saw the outcome of, what is rejected, and what stops being accepted or found', async () => {
    const shop = await aDeliveringShop(app.api);
    const { token } = shop.owner;
    await aPaidOrder(app.api, shop);
    for (const leased of await lease(app.api, shop)) await acknowledge(app.api, shop, leased, 'uncertain');
    const ids: string[] = [];
    for (const path of ['failing', 'disabled']) {
      const body = { url: `https://hooks.example.com/${path}`, events: ['order.paid'], description: path };
      ids.push(expectSuccess<{ id: string }>(await app.api.post(`/webhooks/${shop.shopId}`, body, { token })).id);
    }
    const [failing = '', disabled = ''] = ids;
    const hostname = 'missing.example.com';
    expectSuccess(await app.api.put(`/shops/${shop.shopId}/domain`, { hostname }, { token }));
    const at = new Date('2026-11-20T12:00:00.000Z');
    const beat = { onlinePlayers: 3, maxPlayers: 10 };
    expectSuccess(await app.api.post(`/servers/${shop.shopId}/${shop.serverId}/heartbeat`, beat, { token }));
    await inDatabase(app, async (db) => {
      const set = (collection: string, filter: object, fields: object) =>
        db.collection(collection).updateOne(filter, { $set: fields });
      const ofShop = { shopId: idOf(shop.shopId) };
      await set('payment_providers', ofShop, { rejectingSince: at, lastRejection: 'The signature is wrong' });
      await set('game_servers', ofShop, { seenAt: at, 'heartbeat.at': at });
      await set('webhooks', { _id: idOf(failing) }, { failingSince: at });
      await set('webhooks', { _id: idOf(disabled) }, { isActive: false, disabledAt: at });
      const proof = { token: 'token', checkAt: new Date('2099-01-01'), misses: 3, missingSince: at };
      await set(
        'shops',
        { _id: idOf(shop.shopId) },
        { 'domain.status': 'verified', verifiedHostname: hostname, proof },
      );
    });
    const { needs } = await overviewOf(shop);
    expect(needs.map(({ kind, subject, action, mayAct }) => [kind, subject, action, mayAct])).toEqual([
      ['delivery_uncertain', shop.serverId, 'decide_delivery', true],
      ['server_silent', shop.serverId, 'start_server', false],
      ['provider_rejected', 'custom', 'check_provider', true],
      ['webhook_failing', failing, 'repair_receiver', true],
      ['webhook_disabled', disabled, 'activate_webhook', true],
      ['domain_missing', hostname, 'publish_record', true],
    ]);
    expect(needs[1]).toMatchObject({ name: 'Survival', since: at.toISOString(), permission: null });
    expect(needs[2]).toMatchObject({ reason: 'The signature is wrong', since: at.toISOString() });
  });

  it('reports a domain that nobody has verified, and shows nothing of another shop', async () => {
    const [shop, other] = [await aShop(app.api), await aShop(app.api)];
    await aServer(app.api, other);
    const hostname = 'overview.example.com';
    const { token } = shop.owner;
    expectSuccess(await app.api.put(`/shops/${shop.shopId}/domain`, { hostname }, { token }));
    expect(await overviewOf(shop)).toMatchObject({
      needs: [{ kind: 'domain_pending', subject: hostname, action: 'verify_domain', mayAct: true }],
      servers: [],
      domain: { hostname, status: 'pending' },
    });
    const denied = 'The credential has no access to this shop';
    expectError(await app.api.get(`/shops/${other.shopId}/overview`, { token }), 403, denied);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { aDeliveringShop, aPaidOrder, reportPayment } from '../deliveries/delivery-actors.js';
import { passDays, played } from '../entitlements/entitlement-actors.js';
import { aDiscount, anOrder, aProduct, aServer, aShop, type TestOrder, type TestShop } from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { inDatabase } from '../support/in-database.js';
import { idOf, OVERDUE } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';

/** Of every process: any of them can send the webhooks. */
const OPTIONS = { env: { ALLOW_PRIVATE_WEBHOOK_TARGETS: 'true' }, config: { sweepIntervalMs: 50 } };

interface Happening {
  readonly type: string;
  readonly data: { readonly id: string; readonly order: { readonly id: string; readonly status: string } };
}

describe('Events of webhooks', () => {
  let app: TestApp;
  let receiver: WebhookReceiver;
  let shop: TestShop;
  let token: string;
  let orderRequest: { productId: string; serverId: string };

  const select = async (...events: string[]): Promise<void> => {
    const body = { url: `${receiver.url}/${shop.shopId}`, events };
    expectSuccess(await app.api.post(`/webhooks/${shop.shopId}`, body, { token }));
  };
  const received = (): Happening[] =>
    receiver.received.filter(({ path }) => path.endsWith(shop.shopId)).map(({ body }) => JSON.parse(body) as Happening);
  const tells = (count: number): Promise<Happening[]> =>
    eventually(() => Promise.resolve(received().length >= count && received()));
  const cancel = async ({ id }: TestOrder): Promise<void> => {
    expectSuccess(await app.api.post(`/orders/${shop.shopId}/${id}/cancel`, { reason: 'Asked' }, { token }));
  };

  beforeAll(async () => {
    receiver = await startWebhookReceiver();
    app = await startTestApp(OPTIONS);
  });
  beforeEach(async () => {
    shop = await aShop(app.api);
    token = shop.owner.token;
    orderRequest = { productId: await aProduct(app.api, shop), serverId: await aServer(app.api, shop) };
  });
  afterAll(async () => {
    await app.close();
    await receiver.close();
  });

  it('publishes once that the last use of a code is taken, also by orders at the same time, and again after a use came back', async () => {
    const { id, code } = await aDiscount(app.api, shop, { maxUses: 4 });
    await aDiscount(app.api, shop);
    await select('discount.exhausted', 'order.created');
    const order = (): Promise<TestOrder> => anOrder(app.api, shop.shopId, { ...orderRequest, discountCode: code });
    const [first] = await Promise.all([order(), order(), order(), order()]);
    await anOrder(app.api, shop.shopId, orderRequest);
    const exhausted = (): object[] => received().filter(({ type }) => type === 'discount.exhausted');
    await tells(6);
    expect(exhausted()).toEqual([expect.objectContaining({ data: { id, code: code.toUpperCase() } })]);
    await cancel(first);
    await order();
    await tells(8);
    expect(exhausted()).toHaveLength(2);
  });

  it('publishes that a server begins to report, stops and reports again, in this order, each once', async () => {
    await select('server.online', 'server.offline');
    const { serverId } = orderRequest;
    const beat = async (): Promise<void> => {
      const report = { onlinePlayers: 3, maxPlayers: 100 };
      expectSuccess(await app.api.post(`/servers/${shop.shopId}/${serverId}/heartbeat`, report, { token }));
    };
    await beat();
    await tells(1);
    await beat();
    await inDatabase(app, (db) => {
      const silent = { $set: { seenAt: new Date(Date.now() - 91_000) } };
      return db.collection('game_servers').updateOne({ _id: idOf(serverId) }, silent);
    });
    await tells(2);
    await beat();
    const all = await tells(3);
    expect(all.map(({ type }) => type)).toEqual(['server.online', 'server.offline', 'server.online']);
    expect(all.map(({ data }) => data)).toEqual(Array(3).fill({ id: serverId, name: 'Survival' }));
  });

  it('publishes that sales begin and end, in this order, each once, also of two processes and after none was running', async () => {
    await select('sale.started', 'sale.ended');
    const soon = (ms: number): string => new Date(Date.now() + ms).toISOString();
    const plan = async (name: string, startsAt: string): Promise<string> => {
      const body = { name, type: 'percent', value: 5, startsAt, endsAt: soon(3_600_000) };
      return expectSuccess<{ id: string }>(await app.api.post(`/sales/${shop.shopId}`, body, { token })).id;
    };
    const second = await startTestApp({ ...OPTIONS, databaseUri: app.databaseUri });
    const sale = await plan('Black Friday', soon(300));
    const forgotten = await plan('Summer', soon(600_000));
    await tells(1);
    const path = `/sales/${shop.shopId}/${sale}`;
    expectSuccess(await app.api.patch(path, { endsAt: new Date().toISOString() }, { token }));
    await tells(2);
    // As if no process had run while it began and ended.
    const [startsAt, endsAt] = [new Date(Date.now() - 7_200_000), new Date(Date.now() - 3_600_000)];
    const $set = { startsAt, endsAt, announces: { type: 'started', at: startsAt } };
    await inDatabase(app, (db) => db.collection('sales').updateOne({ _id: idOf(forgotten) }, { $set }));
    await tells(4);
    await second.close();
    // What was published twice would arrive before what comes after it.
    const last = await plan('Winter', new Date().toISOString());
    await tells(5);
    expect(received().map(({ type, data }) => [type, data.id])).toEqual([
      ['sale.started', sale],
      ['sale.ended', sale],
      ['sale.started', forgotten],
      ['sale.ended', forgotten],
      ['sale.started', last],
    ]);
    const times = { startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString() };
    expect(received()[3]?.data).toEqual({ id: forgotten, name: 'Summer', ...times });
  });

  it('publishes what begins, is extended, is transferred and ends for a player, with its order', async () => {
    const timed = { durationDays: 30, expiryCommands: ['end {nickname} vip'] };
    const delivering = await aDeliveringShop(app.api, timed);
    [shop, token] = [delivering, delivering.owner.token];
    await select('entitlement.started', 'entitlement.extended', 'entitlement.transferred', 'entitlement.ended');
    const bought = async (): Promise<TestOrder> => {
      const order = await aPaidOrder(app.api, delivering);
      await played(app, delivering);
      return order;
    };
    const first = await bought();
    await tells(1);
    const second = await bought();
    await tells(2);
    await reportPayment(app.api, delivering, second, 'refund.succeeded');
    const owned = expectSuccess<{ id: string }[]>(await app.api.get(`/entitlements/${shop.shopId}`, { token }));
    await tells(3);
    const path = `/entitlements/${shop.shopId}/${owned[0]?.id ?? ''}/transfer`;
    const transfer = { nickname: 'Alex_42', reason: 'Renamed', runCommands: false };
    expectSuccess(await app.api.post(path, transfer, { token }));
    await tells(4);
    await passDays(app, shop, 31);
    const told = await tells(5);
    const of = ({ id }: TestOrder, nickname: string, fields: object) => ({
      order: { id },
      entitlement: { position: 0, nickname, productId: delivering.productId, serverId: delivering.serverId, ...fields },
    });
    const events = [
      ['entitlement.started', of(first, 'Steve_42', { endedBy: null, stillOwned: false })],
      ['entitlement.extended', of(second, 'Steve_42', { endedBy: null, stillOwned: true })],
      ['entitlement.ended', of(second, 'Steve_42', { endedBy: 'refund', stillOwned: true })],
      ['entitlement.transferred', { ...of(first, 'Alex_42', { endedBy: null }), previousNickname: 'Steve_42' }],
      ['entitlement.ended', of(first, 'Alex_42', { endedBy: 'expired', stillOwned: false })],
    ];
    expect(told.map(({ type, data }) => [type, data])).toMatchObject(events);
  });

  it('publishes that the time to pay an order is over', async () => {
    await select('order.expired');
    const { id } = await anOrder(app.api, shop.shopId, orderRequest);
    await inDatabase(app, (db) => db.collection('orders').updateOne({ _id: idOf(id) }, { $set: OVERDUE }));
    const [expired] = await tells(1);
    expect(expired?.data.order).toMatchObject({ id, status: 'expired' });
  });
});

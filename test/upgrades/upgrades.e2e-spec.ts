import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { aDeliveringShop, type DeliveringShop, kindsOf, reportPayment } from '../deliveries/delivery-actors.js';
import { passDays, played } from '../entitlements/entitlement-actors.js';
import { aKey, anOrder, aProduct, type TestOrder } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const STEVE = { nickname: 'Steve_42', email: 'steve@example.com' };
/** At once: as many orders are paid from one lower tier. */
const PAID_AT_ONCE = 200;

const rank = (name: string, price: number, fields: object = {}) => ({
  ...{ name, price, commands: [`add {nickname} ${name}`], takeBackCommands: [`remove {nickname} ${name}`] },
  ...fields,
});

interface Owned {
  readonly productName: string;
  readonly state: string;
}

describe('An upgrade', () => {
  let app: TestApp;
  let shop: DeliveringShop;
  let vip: string;
  let mvp: string;
  let legend: string;

  const call = () => ({ token: shop.owner.token });
  const basketOf = (productId: string, body: object = {}) => ({
    ...{ items: [{ productId, quantity: 1 }], serverId: shop.serverId, ...STEVE },
    ...body,
  });
  const quote = async (productId: string, body: object = {}): Promise<object> =>
    expectSuccess(await app.api.post(`/checkout/${shop.shopId}/quote`, basketOf(productId, body)));
  const place = (productId: string, body: object = {}) =>
    app.api.post(`/checkout/${shop.shopId}/orders`, basketOf(productId, body));
  const ordered = (productId: string, body: object = {}): Promise<TestOrder> =>
    anOrder(app.api, shop.shopId, { productId, serverId: shop.serverId, ...STEVE, ...body });
  const pay = (order: TestOrder) => reportPayment(app.api, shop, order, 'payment.succeeded');
  const paid = async (productId: string, body: object = {}): Promise<TestOrder> => {
    const order = await ordered(productId, body);
    await pay(order);
    return order;
  };
  const seen = async ({ id }: TestOrder) =>
    expectSuccess<{ paymentStatus: string; deliveryStatus: string; reviewReasons: { code: string; amount: number }[] }>(
      await app.api.get(`/orders/${shop.shopId}/${id}`, call()),
    );
  const stateOf = async (order: TestOrder) => {
    const { paymentStatus, reviewReasons } = await seen(order);
    return [paymentStatus, ...reviewReasons.map(({ code, amount }) => `${code} ${amount}`)];
  };
  const owned = async (state = 'owned'): Promise<string[]> => {
    const path = `/entitlements/${shop.shopId}?nickname=Steve_42&state=${state}`;
    const found = expectSuccess<Owned[]>(await app.api.get(path, call()));
    return found.map((one) => `${one.productName} ${one.state}`).sort();
  };
  const group = async (productIds: readonly string[]): Promise<void> => {
    expectSuccess(await app.api.post(`/tier-groups/${shop.shopId}`, { name: 'Ranks', productIds }, call()));
  };

  beforeAll(async () => {
    app = await startTestApp();
  });
  beforeEach(async () => {
    shop = await aDeliveringShop(app.api, rank('VIP', 10));
    vip = shop.productId;
    mvp = await aProduct(app.api, shop, rank('MVP', 25));
    legend = await aProduct(app.api, shop, rank('LEGEND', 50));
  });
  afterAll(() => app.close());

  it('costs the difference to what was paid, also before the group was made, and replaces it when it is delivered', async () => {
    await paid(vip);
    expect(await played(app, shop)).toEqual(['add Steve_42 VIP']);
    expect(await quote(mvp)).toMatchObject({ total: 25, upgrades: [] });
    await group([vip, mvp, legend]);
    const summer = { name: 'Summer', type: 'percent', value: 20, startsAt: new Date().toISOString() };
    const sale = expectSuccess<{ id: string }>(await app.api.post(`/sales/${shop.shopId}`, summer, call()));
    const upgrade = { productId: mvp, credit: 10, creditUnused: 0 };
    expect(await quote(mvp)).toMatchObject({
      total: 12,
      items: [{ unitPrice: 12 }],
      upgrades: [upgrade],
      problems: [],
    });
    const ended = { endsAt: new Date().toISOString() };
    expectSuccess(await app.api.patch(`/sales/${shop.shopId}/${sale.id}`, ended, call()));
    expect(await quote(mvp)).toMatchObject({ total: 15 });
    expect(await quote(mvp, { nickname: 'Alex_42' })).toMatchObject({ total: 25, upgrades: [] });

    const upper = await paid(mvp);
    expect(upper.total).toBe(15);
    expect(await owned()).toEqual(['MVP pending', 'VIP active']);
    const renamed = { newNickname: 'Alex_42', reason: 'A mistake' };
    expectError(await app.api.post(`/orders/${shop.shopId}/${upper.id}/nickname`, renamed, call()), 400, /upgrade/);
    expect(await played(app, shop)).toEqual(['add Steve_42 MVP']);
    expect(await owned('all')).toEqual(['MVP active', 'VIP ended']);
    const check = async (product: string) =>
      expectSuccess(
        await app.api.get(`/entitlements/${shop.shopId}/check?nickname=Steve_42&product=${product}`, call()),
      );
    const tier = { groupId: expect.any(String), groupName: 'Ranks', productId: mvp, rank: 2 };
    expect(await check(vip)).toMatchObject({ productId: vip, owned: true, tier });
    expect(await check(mvp)).toMatchObject({ productId: mvp, owned: true, tier });
    expect(await check(legend)).toMatchObject({ productId: legend, owned: false, tier: null });
    const requires = { mode: 'all', productIds: [vip] };
    const pet = await aProduct(app.api, shop, { name: 'Pet', requires });
    expect(await quote(pet)).toMatchObject({ problems: [] });
    const greedy = await aProduct(app.api, shop, { name: 'Dragon', requires: { ...requires, productIds: [legend] } });
    expect(await quote(greedy)).toMatchObject({ problems: [{ code: 'requirement_not_met' }] });
    expect(await quote(legend)).toMatchObject({ total: 25, upgrades: [{ credit: 25 }] });
    expect(await quote(vip)).toMatchObject({ problems: [{ code: 'already_owned', productId: vip }] });
    expectError(await place(mvp), 409, /already/);
  });

  it('gives the lower tier back when the higher one is refunded, and takes all back when both are', async () => {
    await group([vip, mvp]);
    const lower = await paid(vip);
    await played(app, shop);
    const upper = await paid(mvp);
    await played(app, shop);
    await reportPayment(app.api, shop, upper, 'refund.succeeded');
    expect(await owned()).toEqual(['VIP active']);
    expect(await played(app, shop)).toEqual(['remove Steve_42 MVP']);
    expect(await played(app, shop)).toEqual(['add Steve_42 VIP']);
    expect(await played(app, shop)).toEqual([]);
    expect(await quote(mvp)).toMatchObject({ total: 15 });
    await reportPayment(app.api, shop, lower, 'refund.succeeded');
    expect(await played(app, shop)).toEqual(['remove Steve_42 VIP']);
    expect(await owned()).toEqual([]);
    expect(await quote(mvp)).toMatchObject({ total: 25 });
  });

  it('keeps the higher tier when the money of the lower one goes back, and takes both back after its own refund', async () => {
    await group([vip, mvp, legend]);
    const lower = await paid(vip);
    await played(app, shop);
    const upper = await paid(mvp);
    await played(app, shop);
    const refund = (body: object) => app.api.post(`/payments/${shop.shopId}/${lower.id}/refund`, body, call());
    expectError(await refund({ reason: 'Wrong' }), 409, /refund that one first/);
    await reportPayment(app.api, shop, lower, 'refund.succeeded', { amount: 4, refundId: 'part' });
    expect(await quote(legend)).toMatchObject({ upgrades: [{ credit: 21 }] });
    await reportPayment(app.api, shop, lower, 'dispute.lost');
    expect(await stateOf(upper)).toEqual(['paid', 'upgrade_base_lost 10']);
    expect(await owned('all')).toEqual(['MVP active', 'VIP ended']);
    expect(await played(app, shop)).toEqual([]);
    expect(await quote(legend)).toMatchObject({ upgrades: [{ credit: 15 }] });
    await reportPayment(app.api, shop, upper, 'refund.succeeded');
    expect((await played(app, shop)).toSorted()).toEqual(['remove Steve_42 MVP', 'remove Steve_42 VIP']);
    expect(await owned()).toEqual([]);
  });

  it('says so while the money of the lower tier is gone, and no longer when it is back', async () => {
    await group([vip, mvp, legend]);
    const lower = await paid(vip);
    await played(app, shop);
    const upper = await paid(mvp);
    await played(app, shop);
    await reportPayment(app.api, shop, lower, 'refund.succeeded', { refundId: 're_1' });
    expect(await stateOf(upper)).toEqual(['paid', 'upgrade_base_lost 10']);
    expect(await quote(legend)).toMatchObject({ upgrades: [{ credit: 15 }] });
    await reportPayment(app.api, shop, lower, 'refund.failed', { refundId: 're_1' });
    expect(await stateOf(upper)).toEqual(['paid']);
    expect(await quote(legend)).toMatchObject({ upgrades: [{ credit: 25 }] });
    expect(await played(app, shop)).toEqual([]);
    expect(await owned('all')).toEqual(['MVP active', 'VIP ended']);
  });

  it('leaves the lower tier alone while a dispute about the higher one is open', async () => {
    await group([vip, mvp]);
    await paid(vip);
    await played(app, shop);
    const upper = await paid(mvp);
    await played(app, shop);
    await reportPayment(app.api, shop, upper, 'dispute.opened');
    expect(await owned('all')).toEqual(['MVP held', 'VIP ended']);
    expect(await quote(legend)).toMatchObject({ upgrades: [] });
    await reportPayment(app.api, shop, upper, 'dispute.won');
    expect(await owned('all')).toEqual(['MVP active', 'VIP ended']);
    await reportPayment(app.api, shop, upper, 'dispute.lost');
    expect(await owned()).toEqual(['VIP active']);
  });

  it('runs the commands of an upgrade only for who has the lower tier in the game', async () => {
    const risen = await aProduct(app.api, shop, rank('RISEN', 30, { upgradeCommands: ['raise {nickname}'] }));
    await group([vip, risen]);
    await paid(vip);
    await played(app, shop);
    const upper = await paid(risen);
    expect(await played(app, shop)).toEqual(['raise Steve_42']);
    await reportPayment(app.api, shop, upper, 'refund.succeeded');
    expect(await played(app, shop)).toEqual(['remove Steve_42 RISEN']);
    // The lower tier waits to be given again.
    await paid(risen);
    expect((await played(app, shop)).toSorted()).toEqual(['add Steve_42 RISEN', 'add Steve_42 VIP']);
    const alex = { nickname: 'Alex_42' };
    await paid(risen, alex);
    expect(await played(app, shop)).toEqual(['add Alex_42 RISEN']);
  });

  it('never delivers a lower tier that waited, unless the higher one is refunded', async () => {
    await group([vip, mvp]);
    const lower = await paid(vip, { items: [{ productId: vip, quantity: 1 }] });
    const upper = await paid(mvp);
    expect(upper.total).toBe(15);
    const both = await played(app, shop);
    expect(both.at(-1)).toBe('add Steve_42 MVP');
    expect(await owned()).toEqual(['MVP active']);
    expect(await kindsOf(app.api, shop, lower)).toEqual(['purchase delivered']);
  });

  it('lets the second one who pays wait for a person, and a lower tier that is paid after a higher one', async () => {
    await group([vip, mvp]);
    const late = await ordered(vip, { email: 'late@example.com' });
    await paid(vip);
    await played(app, shop);
    const [first, second] = [await ordered(mvp), await ordered(mvp, { email: 'other@example.com' })];
    await pay(first);
    await pay(second);
    expect(await stateOf(first)).toEqual(['paid']);
    expect(await stateOf(second)).toEqual(['needs_review', 'base_missing 10']);
    await played(app, shop);
    await pay(late);
    expect(await stateOf(late)).toEqual(['needs_review', 'tier_lower 10']);
    expect(await played(app, shop)).toEqual([]);
    const decide = (order: TestOrder, decision: string) =>
      app.api.post(`/orders/${shop.shopId}/${order.id}/resolve`, { decision, reason: 'Agreed' }, call());
    expectSuccess(await decide(second, 'accept'));
    expect(await stateOf(second)).toEqual(['paid']);
    expect(await played(app, shop)).toEqual(['add Steve_42 MVP']);
    expectSuccess(await decide(late, 'reject'));
    expect((await stateOf(late))[0]).toBe('failed');
  });

  it('credits the time that is left of a timed tier, which its extension keeps', async () => {
    const timed = { durationDays: 30, expiryCommands: ['end {nickname}'] };
    const [month, better] = [
      await aProduct(app.api, shop, rank('MONTH', 10, timed)),
      await aProduct(app.api, shop, rank('BETTER', 30, timed)),
    ];
    await group([month, better]);
    await paid(month);
    await played(app, shop);
    await passDays(app, shop, 15);
    expect(await quote(month)).toMatchObject({ total: 10, problems: [] });
    expect(await quote(better)).toMatchObject({ total: 25, upgrades: [{ credit: 5 }] });
    await paid(better);
    await played(app, shop);
    await passDays(app, shop, 16);
    expect(await played(app, shop)).toEqual([]);
    await passDays(app, shop, 15);
    expect(await played(app, shop)).toEqual(['end Steve_42']);
    // What was replaced ends after what has replaced it.
    expect(await played(app, shop)).toEqual(['end Steve_42']);
    expect(await owned()).toEqual([]);
  });

  it('rejects two tiers at once, several units, and the loss of credit that its buyer has not accepted', async () => {
    await group([vip, mvp]);
    await paid(vip);
    expectSuccess(await app.api.patch(`/products/${shop.shopId}/${mvp}`, { price: 8 }, call()));
    const codes = async (productId: string, body: object = {}) => {
      const { problems } = (await quote(productId, body)) as { problems: { code: string }[] };
      return problems.map(({ code }) => code);
    };
    const twice = { items: [vip, mvp].map((productId) => ({ productId, quantity: 1 })), nickname: 'Alex_42' };
    expect(await codes(vip, twice)).toEqual(['tier_twice']);
    expect(await codes(mvp, { items: [{ productId: mvp, quantity: 2 }] })).toEqual([
      'quantity_not_allowed',
      'credit_unused',
    ]);
    expect(await codes(mvp)).toEqual(['credit_unused']);
    const accepted = { acceptUnusedCredit: true };
    expect(await codes(mvp, { ...accepted, email: 'other@example.com' })).toEqual(['credit_unused']);
    expectError(await place(mvp), 409, /would be lost/);
    expect(await quote(mvp, accepted)).toMatchObject({
      problems: [],
      total: 0,
      upgrades: [{ credit: 8, creditUnused: 2 }],
    });
    expectSuccess(await place(mvp, accepted));
    await played(app, shop);
    expect(await owned()).toEqual(['MVP active']);
  });

  it(`is completed once when ${PAID_AT_ONCE} orders for it are paid at once, and the others wait for a person`, async () => {
    await group([vip, mvp]);
    await paid(vip);
    await played(app, shop);
    const { key } = await aKey(app.api, shop, 'secret');
    const orders: TestOrder[] = [];
    for (let count = 0; count < PAID_AT_ONCE; count += 20) {
      const body = { productId: mvp, serverId: shop.serverId, nickname: 'Steve_42' };
      orders.push(
        ...(await Promise.all(Array.from({ length: 20 }, () => anOrder(app.api, shop.shopId, body, { key })))),
      );
    }
    await Promise.all(orders.map(pay));
    const counts = new Map<string, number>();
    for (const status of ['paid', 'needs_review']) {
      const path = `/orders/${shop.shopId}?paymentStatus=${status}&productId=${mvp}&limit=1`;
      const { headers } = await app.api.get(path, call());
      counts.set(status, Number((headers as Record<string, string>)['x-total-count']));
    }
    expect([...counts]).toEqual([
      ['paid', 1],
      ['needs_review', PAID_AT_ONCE - 1],
    ]);
    expect(await played(app, shop)).toEqual(['add Steve_42 MVP']);
    expect(await owned()).toEqual(['MVP active']);
  });
});

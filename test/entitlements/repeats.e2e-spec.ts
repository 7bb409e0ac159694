import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  acknowledge,
  aDeliveringShop,
  aPaidOrder,
  type DeliveringShop,
  lease,
  redeliver,
  reportPayment,
} from '../deliveries/delivery-actors.js';
import { aProduct, aServer, type TestOrder } from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
import { repetitions } from '../support/repetitions.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { passDays, played } from './entitlement-actors.js';

const PAIRS = repetitions(5, 100);
const GIVE = 'give Steve_42 vip';
const TAKE = 'take Steve_42 vip';
const END = 'end Steve_42 vip';
const MONTH = {
  commands: ['give {nickname} vip'],
  takeBackCommands: ['take {nickname} vip'],
  expiryCommands: ['end {nickname} vip'],
  durationDays: 30,
};

let app: TestApp;
let second: TestApp;
let shop: DeliveringShop;

beforeAll(async () => {
  app = await startTestApp();
  second = await startTestApp({ databaseUri: app.databaseUri });
});
beforeEach(async () => {
  shop = await aDeliveringShop(app.api, MONTH);
});
afterAll(async () => {
  await second.close();
  await app.close();
});

/** Buys, and receives it. */
async function bought(body: object = {}): Promise<TestOrder> {
  const order = await aPaidOrder(app.api, shop, body);
  await played(app, shop);
  return order;
}
const pass = (days: number): Promise<void> => passDays(app, shop, days);
const refund = (order: TestOrder): Promise<void> => reportPayment(app.api, shop, order, 'refund.succeeded');

describe('A rank for 30 days', () => {
  it('lasts 60 days for a player who buys it twice, and ends once', async () => {
    await bought();
    await pass(10);
    await bought();
    await pass(40);
    expect(await played(app, shop)).toEqual([]);
    await pass(11);
    expect(await played(app, shop)).toEqual([END]);
    await pass(365);
    expect(await played(app, shop)).toEqual([]);
  });

  it('lasts 90 days for a player who buys three of it', async () => {
    await bought({ items: [{ productId: shop.productId, quantity: 3 }] });
    await pass(89);
    expect(await played(app, shop)).toEqual([]);
    await pass(2);
    expect(await played(app, shop)).toEqual([END, END, END]);
  });

  it('stays when one of two purchases is refunded, and ends when the other one is over', async () => {
    await bought();
    const order = await bought();
    await refund(order);
    expect(await played(app, shop)).toEqual([]);
    await pass(31);
    expect(await played(app, shop)).toEqual([END]);
    // What was not taken back while the other purchase lasted.
    expect(await played(app, shop)).toEqual([TAKE]);
    expect(await played(app, shop)).toEqual([]);
  });

  it('is taken back when both purchases are refunded', async () => {
    const orders = [await bought(), await bought()];
    for (const order of orders) await refund(order);
    expect(await played(app, shop)).toEqual([TAKE, TAKE]);
  });

  it('ends at once when the refund of the first purchase leaves no time', async () => {
    const first = await bought();
    await bought();
    await pass(40);
    await refund(first);
    expect(await played(app, shop)).toEqual([END]);
  });

  it('is given again when the refund of the first purchase fails after the end', async () => {
    const first = await bought();
    await bought();
    await pass(40);
    await reportPayment(app.api, shop, first, 'refund.succeeded', { refundId: 're_1' });
    await played(app, shop);
    await reportPayment(app.api, shop, first, 'refund.failed', { refundId: 're_1' });
    expect(await played(app, shop)).toEqual([GIVE]);
    await pass(21);
    expect(await played(app, shop)).toEqual([END]);
  });

  it('is given again when the end of the first purchase runs after the delivery of the second one', async () => {
    await bought();
    await pass(31);
    const [end] = await lease(app.api, shop);
    await bought();
    if (end !== undefined) await acknowledge(app.api, shop, end);
    expect(await played(app, shop)).toEqual([GIVE]);
    await pass(29);
    expect(await played(app, shop)).toEqual([]);
    await pass(2);
    expect(await played(app, shop)).toEqual([END]);
  });

  it('runs the commands of an extension only while the player owns it', async () => {
    const again = { ...MONTH, extendCommands: ['say {nickname} stays'] };
    const productId = await aProduct(app.api, shop, again);
    const order = { productId };
    await aPaidOrder(app.api, shop, order);
    await aPaidOrder(app.api, shop, order);
    const [one, other] = await lease(app.api, shop);
    expect([one?.commands, other?.commands]).toEqual([[GIVE], [GIVE]]);
    for (const leased of [one, other]) if (leased) await acknowledge(app.api, shop, leased);
    await aPaidOrder(app.api, shop, order);
    expect(await played(app, shop)).toEqual(['say Steve_42 stays']);
    await pass(91);
    await aPaidOrder(app.api, shop, order);
    expect((await played(app, shop)).toSorted()).toEqual([END, GIVE].toSorted());
  });

  it('counts together with the same rank for another time, and for each game server by itself', async () => {
    const counted = { ...MONTH, durationDays: 90, countsAs: shop.productId };
    await bought();
    await bought({ productId: await aProduct(app.api, shop, counted) });
    const elsewhere = await aServer(app.api, shop);
    await aPaidOrder(app.api, shop, { serverId: elsewhere });
    expect(await played(app, { ...shop, serverId: elsewhere })).toEqual([GIVE]);
    await pass(31);
    expect(await played(app, shop)).toEqual([]);
    expect(await played(app, { ...shop, serverId: elsewhere })).toEqual([END]);
    await pass(90);
    expect(await played(app, shop)).toEqual([END]);
  });

  it('keeps its end when staff deliver it again', async () => {
    const order = await bought();
    await pass(20);
    expectSuccess(await redeliver(app.api, shop, order));
    expect(await played(app, shop)).toEqual([GIVE]);
    await pass(11);
    expect(await played(app, shop)).toEqual([END]);
  });

  it(`adds up when two purchases are reported at the same time (${PAIRS} pairs)`, async () => {
    for (let pair = 0; pair < PAIRS; pair++) {
      const nickname = `Pair_${pair}`;
      await aPaidOrder(app.api, shop, { nickname });
      await aPaidOrder(app.api, shop, { nickname });
    }
    const leased = [];
    for (let batch = await lease(app.api, shop); batch.length > 0; batch = await lease(app.api, shop))
      leased.push(...batch);
    await Promise.all(leased.map((one, at) => acknowledge([app, second][at % 2]?.api ?? app.api, shop, one)));
    await pass(31);
    expect(await played(app, shop)).toEqual([]);
    await pass(30);
    expect(await played(app, shop)).toHaveLength(Math.min(PAIRS, 50));
  });
});

it('Keys and coins are each for themselves', async () => {
  const productId = await aProduct(app.api, shop, { ...MONTH, durationDays: null, expiryCommands: [] });
  const [first] = [await bought({ productId }), await bought({ productId })];
  await refund(first);
  expect(await played(app, shop)).toEqual([TAKE]);
});

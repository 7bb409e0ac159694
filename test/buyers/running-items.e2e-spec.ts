import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DAY_MS, MINUTE_MS } from '../../src/lib/time/durations.js';
import {
  acknowledge,
  aDeliveringShop,
  aPaidOrder,
  type DeliveringShop,
  kindsOf,
  lease,
  redeliver,
  reportPayment,
} from '../deliveries/delivery-actors.js';
import { anOrder, type TestOrder, unique } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { idOf, type Records, recordsOf } from '../support/records.js';
import { operatorEnvironment, runShopCommand } from '../support/shop-command.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { tracesOf } from './traces.js';

/** A rank that ends after 30 days, and that is revoked after a refund. */
const RANK = {
  ...{ commands: ['give {nickname} vip'], takeBackCommands: ['take {nickname} vip'] },
  ...{ durationDays: 30, expiryCommands: ['end {nickname} vip'] },
};

let app: TestApp;
let records: Records;
let shop: DeliveringShop;
let order: TestOrder;
let buyer: { email: string; nickname: string };

beforeAll(async () => {
  app = await startTestApp({ config: { sweepIntervalMs: 50 } });
  records = await recordsOf(app);
});
beforeEach(async () => {
  shop = await aDeliveringShop(app.api, RANK);
  buyer = { email: `anne-${unique()}@example.com`, nickname: `Wak_${unique()}`.slice(0, 16) };
  order = await aPaidOrder(app.api, shop, buyer);
  await runAll();
});
afterAll(async () => {
  await records.close();
  await app.close();
});

const owner = (): { token: string } => ({ token: shop.owner.token });
const erase = (body: object = {}) =>
  app.api.post(`/buyers/${shop.shopId}/erase`, { email: buyer.email, reason: 'A letter', ...body }, owner());
const traces = (): Promise<string[]> => tracesOf(records.db, Object.values(buyer));
const kinds = (): Promise<string[]> => kindsOf(app.api, shop, order);
const deliveries = () => records.db.collection('deliveries');

/** The game server runs everything that it can lease. Returns the commands. */
async function runAll(): Promise<string[]> {
  const leased = await lease(app.api, shop);
  for (const one of leased) await acknowledge(app.api, shop, one, 'delivered', `Done for ${one.nickname}`);
  return leased.flatMap(({ commands }) => commands);
}

/** The owners have so many emails that commands of the order did not run. */
const noticesBecome = (count: number): Promise<unknown> =>
  eventually(async () => {
    const emails = await app.mailbox.all();
    const notices = emails.filter(
      (email) => email.includes('buyer of this order was erased') && email.includes(`#${order.number}`),
    );
    return notices.length === count;
  });

/** Moves a time of some deliveries of the order, as if the clock had gone on. */
const setTime = (field: 'dueAt' | 'deliveredAt' | 'nameCheckAt', at: Date, kind: object = {}): Promise<unknown> =>
  deliveries().updateMany({ orderId: idOf(order.id), [field]: { $ne: null }, ...kind }, { $set: { [field]: at } });
/** Ends the time of the items of the order, as if they had been delivered long ago. */
async function endTime(): Promise<void> {
  const [startsAt, endsAt] = [60, 30].map((days) => new Date(Date.now() - days * DAY_MS));
  const ofOrder = { orderId: idOf(order.id) };
  await records.db.collection('entitlements').updateMany(ofOrder, { $set: { startsAt, endsAt } });
  await setTime('dueAt', new Date(0), { kind: 'expiry' });
}
/** Waits until the job has checked the names that the order keeps, as if a day had passed. */
async function namesAreChecked(): Promise<void> {
  await setTime('nameCheckAt', new Date(0));
  // While the job checks them, they are claimed for ten minutes. Then the next check is in an hour at least.
  const unchecked = { orderId: idOf(order.id), nameCheckAt: { $lt: new Date(Date.now() + 30 * MINUTE_MS), $ne: null } };
  await eventually(async () => (await deliveries().countDocuments(unchecked)) === 0);
}
const exported = async (name: object): Promise<{ nicknames: string[]; records: Record<string, object[]> }> =>
  expectSuccess(await app.api.post(`/buyers/${shop.shopId}/export`, name, owner()));
const KEPT = ['deliveries.deliveredTo', 'deliveries.nickname'];

describe('What is still to run for items of a buyer', () => {
  it('holds up the erasure, with a list, until the owner has decided', async () => {
    const day = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
    const list = `VIP rank of order #${order.number} (ends on ${day(30)}, may be revoked until ${day(180)})`;
    const response = await erase();
    expectError(
      response,
      409,
      new RegExp(`buyer: ${list.replaceAll(/[()]/g, '\\$&')}. Send running with keep, .* with drop`),
    );
    expect(response.headers['x-error-code']).toBe('buyer_items_running');
    const all = ['deliveries.nickname', 'delivery_attempts.output', 'orders.email', 'orders.nickname'];
    expect(await traces()).toEqual(expect.arrayContaining(all));
    expectError(await erase({ running: 'yes' }), 400, 'running must be one of keep, drop');
  });

  it('keeps the nickname with running: keep, and only there, until the time of the item has ended', async () => {
    expect(expectSuccess(await erase({ running: 'keep' }))).toMatchObject({ orders: 1, kept: 1 });
    expect(await traces()).toEqual(KEPT);
    for (const name of [{ email: buyer.email }, { nickname: buyer.nickname }]) {
      const { nicknames, records: found } = await exported(name);
      expect(nicknames).toEqual([buyer.nickname]);
      expect(JSON.stringify(found['deliveries'])).toContain(buyer.nickname);
    }
    expectError(await erase(), 409, /still to run/);
    expect(expectSuccess(await erase({ running: 'keep' }))).toMatchObject({ orders: 1, kept: 1 });
    await namesAreChecked();
    expect(await traces()).toEqual(KEPT);

    await endTime();
    expect(await runAll()).toEqual([`end ${buyer.nickname} vip`]);
    expect(await traces()).toEqual(['delivery_attempts.nickname', 'delivery_attempts.output', ...KEPT].sort());
    await namesAreChecked();
    expect(await traces()).toEqual([]);
    expect(await kinds()).toEqual(['expiry delivered', 'purchase delivered']);
    expect((await exported({ email: buyer.email })).nicknames).toEqual([]);
    expect(expectSuccess(await erase())).toEqual({ orders: 0, bans: 0, kept: 0, pseudonym: null });
  });

  it('keeps the nickname until the item was revoked after a refund, also in what is written meanwhile', async () => {
    const hook = { url: 'https://hooks.shop-platform.invalid/', events: ['*'] };
    expectSuccess(await app.api.post(`/webhooks/${shop.shopId}`, hook, owner()));
    expectSuccess(await erase({ running: 'keep' }));
    expectSuccess(await redeliver(app.api, shop, order, `${buyer.nickname} lost it`));
    expect(await runAll()).toEqual([`give ${buyer.nickname} vip`]);
    await reportPayment(app.api, shop, order, 'refund.succeeded');
    expect(await runAll()).toEqual([`take ${buyer.nickname} vip`]);
    expect(await traces()).toEqual(expect.arrayContaining(['audit_log.changes', 'orders.history']));
    await namesAreChecked();
    expect(await traces()).toEqual([]);
  });

  it('keeps the nickname no longer than an item may be revoked', async () => {
    await setTime('deliveredAt', new Date(Date.now() - 179 * DAY_MS), { kind: 'purchase' });
    await endTime();
    await deliveries().updateMany({ orderId: idOf(order.id), kind: 'expiry' }, { $set: { state: 'revoked' } });
    expectSuccess(await erase({ running: 'keep' }));
    await namesAreChecked();
    expect(await traces()).toEqual(KEPT);
    await setTime('deliveredAt', new Date(Date.now() - 181 * DAY_MS), { kind: 'purchase' });
    await namesAreChecked();
    expect(await traces()).toEqual([]);
  });

  it('has the nickname of the buyer when a plugin reports after the erasure what it had leased before', async () => {
    await endTime();
    const [leased] = await lease(app.api, shop);
    if (leased === undefined) throw new Error('there is nothing to lease');
    expectSuccess(await erase({ running: 'keep' }));
    expect(await traces()).toEqual(KEPT);
    await acknowledge(app.api, shop, leased, 'delivered', `Ended for ${buyer.nickname}`);
    const ended = await deliveries().findOne({ orderId: idOf(order.id), kind: 'expiry' });
    expect(ended?.['deliveredTo']).toBe(buyer.nickname);
    await namesAreChecked();
    expect(await traces()).toEqual([]);
  });

  it('does not run with running: drop, also when the nickname was kept before and the buyer has ordered again', async () => {
    expectSuccess(await erase({ running: 'keep' }));
    const { productId, serverId } = shop;
    const again = await anOrder(app.api, shop.shopId, { productId, serverId, ...buyer });
    const { email: _, ...byNickname } = { ...buyer, reason: 'A letter', running: 'drop' };
    const response = await app.api.post(`/buyers/${shop.shopId}/erase`, byNickname, owner());
    expect(expectSuccess(response)).toMatchObject({ orders: 2, kept: 0 });
    expect(await traces()).toEqual([]);
    expect(await kinds()).toEqual(['expiry revoked', 'purchase delivered']);
    await setTime('dueAt', new Date(0));
    expect(await runAll()).toEqual([]);
    const found = await records.db
      .collection('orders')
      .find({ _id: { $in: [idOf(again.id), idOf(order.id)] } })
      .toArray();
    expect(new Set(found.map(({ buyerKey }) => String(buyerKey))).size).toBe(1);
  });

  it('is decided on the command line, too', async () => {
    const args = ['erase-buyer', buyer.email, '--shop', shop.shopId, '--reason', 'A letter'];
    const undecided = await runShopCommand(args, operatorEnvironment(app));
    expect(undecided).toMatchObject({ code: 1, stderr: expect.stringContaining('Send running with keep') as unknown });
    const { code, stdout } = await runShopCommand([...args, '--running', 'keep'], operatorEnvironment(app));
    expect([code, stdout]).toEqual([0, expect.stringContaining('1 items keep the nickname until')]);
    expect(await traces()).toEqual(KEPT);
  });
});

describe('What runs for an erased buyer', () => {
  it('is never rendered with what stands for the nickname: it fails, and the owners get an email', async () => {
    expectSuccess(await erase({ running: 'drop' }));
    expect(await traces()).toEqual([]);
    await endTime();
    await deliveries().updateMany({ orderId: idOf(order.id), kind: 'expiry' }, { $set: { state: 'queued' } });
    expect(await runAll()).toEqual([]);
    expect(await kinds()).toEqual(['expiry failed', 'purchase delivered']);
    await noticesBecome(1);
    await reportPayment(app.api, shop, order, 'refund.succeeded');
    expect(await kinds()).toContain('take_back queued');
    expect(await runAll()).toEqual([]);
    expect(await kinds()).toContain('take_back failed');
    await noticesBecome(2);
  });
});

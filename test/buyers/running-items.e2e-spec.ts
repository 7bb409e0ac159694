import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  acknowledge,
  aDeliveringShop,
  aPaidOrder,
  type DeliveringShop,
  kindsOf,
  lease,
  reportPayment,
} from '../deliveries/delivery-actors.js';
import { type TestOrder, unique } from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { idOf, type Records, recordsOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { tracesOf } from './traces.js';

/** A rank that ends after 30 days, and that is taken back after a refund. */
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
  app = await startTestApp();
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
      (email) => email.includes('buyer of this order was erased') && email.includes(order.id),
    );
    return notices.length === count;
  });

describe('What runs for an erased buyer', () => {
  it('is never rendered with what stands for the nickname: it fails, and the owners get an email', async () => {
    expectSuccess(await erase());
    expect(await traces()).toEqual([]);
    await deliveries().updateMany({ orderId: idOf(order.id), kind: 'expiry' }, { $set: { dueAt: new Date(0) } });
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

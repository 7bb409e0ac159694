import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type PageLinks } from '../../src/http/addresses/page-links.js';
import { aProduct, type TestOrder } from '../support/actors.js';
import { textOf } from '../support/pages.js';
import { type TestApp } from '../support/test-app.js';
import { startPages, Visitor } from '../pages/visitor.js';
import {
  acknowledge,
  aDeliveringShop,
  aPaidOrder,
  type DeliveringShop,
  deliveryStatusOf,
  kindsOf,
  lease,
  reportPayment,
} from './delivery-actors.js';

let app: TestApp;
let links: PageLinks;
let shop: DeliveringShop;
let order: TestOrder;

beforeAll(async () => {
  ({ app, links } = await startPages());
});
beforeEach(async () => {
  shop = await aDeliveringShop(app.api, { takeBackCommands: ['take {nickname} vip'] });
});
afterAll(() => app.close());

const tell = (type: string, changes: object = {}): Promise<void> => reportPayment(app.api, shop, order, type, changes);
const kinds = (): Promise<string[]> => kindsOf(app.api, shop, order);
/** What the page of the order says about its delivery. */
async function deliveryOnPage(language = 'en'): Promise<string> {
  const { html } = await new Visitor(app.baseUrl).go(links.order(shop.uniqueName, order.id), {
    'Accept-Language': language,
  });
  return textOf(html, 'delivery');
}
async function deliverAll(): Promise<void> {
  for (const delivery of await lease(app.api, shop)) await acknowledge(app.api, shop, delivery);
}

describe('An order whose money is in doubt', () => {
  beforeEach(async () => {
    order = await aPaidOrder(app.api, shop);
  });

  it.each([
    ['is disputed', { type: 'dispute.opened' }],
    ['has a fraud warning', { type: 'fraud.warning' }],
  ])('holds an order that %s, and leases nothing of it', async (_, { type }) => {
    await tell(type);
    expect([await deliveryStatusOf(app.api, order), await kinds()]).toEqual(['held', ['purchase held']]);
    expect(await lease(app.api, shop)).toEqual([]);
    expect(await deliveryOnPage()).toBe('On hold until the payment is settled');
    expect(await deliveryOnPage('de')).toBe('Angehalten, bis die Zahlung geklärt ist');
  });

  it('delivers a held order when the shop wins the dispute', async () => {
    await tell('dispute.opened');
    await tell('dispute.won');
    expect([await deliveryStatusOf(app.api, order), await kinds()]).toEqual(['queued', ['purchase queued']]);
    await deliverAll();
    expect(await deliveryOnPage()).toBe('Delivered');
  });

  it('revokes a held order when the shop loses the dispute, and says on its page that nothing was delivered', async () => {
    await tell('dispute.opened');
    await tell('dispute.lost');
    expect([await deliveryStatusOf(app.api, order), await kinds()]).toEqual(['revoked', ['purchase revoked']]);
    expect(await deliveryOnPage()).toBe('Not delivered');
    expect(await deliveryOnPage('de')).toBe('Nicht geliefert');
  });

  it('marks a held order as delivered when a plugin that had leased it before reports so', async () => {
    const [leased] = await lease(app.api, shop);
    await tell('dispute.opened');
    expect(await kinds()).toEqual(['purchase held']);
    if (leased !== undefined) await acknowledge(app.api, shop, leased);
    expect([await deliveryStatusOf(app.api, order), await kinds()]).toEqual(['delivered', ['purchase delivered']]);
  });

  it('holds only what was not delivered, and says so on the page of the order', async () => {
    const later = await aProduct(app.api, shop, { requiresOnline: true });
    order = await aPaidOrder(app.api, shop, {
      items: [shop.productId, later].map((productId) => ({ productId, quantity: 1 })),
    });
    await deliverAll();
    await tell('dispute.opened');
    expect([await deliveryStatusOf(app.api, order), await kinds()]).toEqual([
      'held',
      ['purchase delivered', 'purchase held'],
    ]);
    expect(await deliveryOnPage()).toBe('Partly delivered. The rest is on hold until the payment is settled');
  });
});

describe('The page of a refunded order', () => {
  it('says that what was delivered was removed only after a plugin has removed it', async () => {
    order = await aPaidOrder(app.api, shop);
    await deliverAll();
    await tell('refund.succeeded');
    expect(await deliveryOnPage()).toBe('Delivered');
    await deliverAll();
    expect(await deliveryStatusOf(app.api, order)).toBe('revoked');
    expect(await deliveryOnPage()).toBe('Removed from the game again, because the payment was returned');
  });

  it('says that nothing was delivered when the delivery failed before, instead of sending the buyer to the shop', async () => {
    order = await aPaidOrder(app.api, shop);
    const [leased] = await lease(app.api, shop);
    if (leased !== undefined) await acknowledge(app.api, shop, leased, 'failed');
    expect(await deliveryOnPage()).toBe('The delivery failed. Please contact the shop');
    await tell('refund.succeeded');
    expect(await deliveryOnPage()).toBe('Not delivered');
  });
});

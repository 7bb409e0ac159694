import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  acknowledge,
  aDeliveringShop,
  aPaidOrder,
  type DeliveringShop,
  lease,
  reportPayment,
} from '../deliveries/delivery-actors.js';
import { anOrder, type TestOrder } from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { type ReadEmail } from '../support/mime.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let shop: DeliveringShop;

beforeAll(async () => {
  app = await startTestApp();
  shop = await aDeliveringShop(app.api, { price: 19.99 });
});
afterAll(() => app.close());

const change = async (settings: object): Promise<void> => {
  expectSuccess(await app.api.patch(`/shops/${shop.shopId}`, settings, { token: shop.owner.token }));
};
const subjectOf = ({ head }: ReadEmail): string => /^Subject: (.*)$/m.exec(head)?.[1] ?? '';
/** The emails to an address about an order, as soon as there are so many. */
const emailsTo = (address: string, { number }: TestOrder, count: number): Promise<ReadEmail[]> =>
  eventually(async () => {
    const emails = (await app.mailbox.read()).filter(({ head }) => head.includes(`To: ${address}`));
    const about = emails.filter(({ text }) => text.includes(`#${number}`));
    return about.length >= count && about;
  });

it.each([
  ['en', [/^Your order at Sky Realm$/, /^Your receipt from/, /is delivered$/, /^Your refund from/]],
  [
    'de',
    [/^Deine Bestellung bei Sky Realm$/, /^Deine Zahlungsbestätigung von/, /ist geliefert$/, /^Deine Erstattung von/],
  ],
] as const)(
  'sends a buyer, in %s, an email about each step of an order, with a link to its page that works',
  async (language, subjects) => {
    await change({ language, displayName: 'Sky Realm', supportEmail: 'help@example.com' });
    const order = await anOrder(app.api, shop.shopId, { productId: shop.productId, serverId: shop.serverId });
    await emailsTo(order.email, order, 1);
    await reportPayment(app.api, shop, order, 'payment.succeeded');
    await emailsTo(order.email, order, 2);
    for (const delivery of await lease(app.api, shop)) await acknowledge(app.api, shop, delivery);
    await emailsTo(order.email, order, 3);
    await reportPayment(app.api, shop, order, 'refund.succeeded');
    const emails = await emailsTo(order.email, order, 4);
    const found = emails.map(subjectOf);
    for (const subject of subjects) expect(found.filter((one) => subject.test(one))).toHaveLength(1);
    expect(emails).toHaveLength(4);
    for (const { head, text, html } of emails) {
      expect(head).toMatch(/^From: Sky Realm </m);
      expect(head).toMatch(/^Reply-To: help@example.com$/m);
      expect(html).toContain(`lang="${language}"`);
      for (const body of [text, html]) expect(body).not.toMatch(/undefined|null|\bNaN\b|\[object|<%/);
      const [link = ''] = /^http\S+$/m.exec(text) ?? [];
      expect(html).toContain(`href="${link}"`);
      expect((await fetch(link, { redirect: 'manual' })).status).toBe(303);
    }
  },
);

it('names the seller and the note about taxes in the receipt', async () => {
  const legal = { sellerName: 'Sky Realm GmbH', address: 'Hauptstr. 1\n10115 Berlin', taxNote: 'Prices include VAT.' };
  await change({ language: 'en', legal });
  const { email } = await aPaidOrder(app.api, shop);
  const lines = 'Sold by: Sky Realm GmbH\nAddress: Hauptstr. 1, 10115 Berlin\nTaxes: Prices include VAT.';
  expect((await app.mailbox.next(email, /^Sold by: .*\n.*\n.*$/m)).join()).toBe(lines);
});

it('sends owners an email about a sale, and no more after they have switched it off', async () => {
  await change({ language: 'en' });
  const { email: owner } = shop.owner;
  const order = await aPaidOrder(app.api, shop);
  const [sale] = await emailsTo(owner, order, 1);
  expect(sale && subjectOf(sale)).toMatch(/^New sale: /);
  expect(sale?.text).not.toContain(order.email);
  await change({ ownerEmails: ['dispute'] });
  const quiet = await aPaidOrder(app.api, shop);
  await reportPayment(app.api, shop, quiet, 'dispute.opened');
  // The events of one order come one after the other.
  const notices = await emailsTo(owner, quiet, 1);
  expect(notices.map(subjectOf)).toEqual([expect.stringMatching(/is disputed$/)]);
});

it.each([
  ['dispute.won', 'You won the dispute about a payment of €19.99', 'You need not do anything'],
  ['dispute.lost', 'You lost a dispute: €19.99 went back to the buyer', 'You need not do anything'],
])(
  'sends owners one email when a dispute opens, and one that says how it ends, after %s',
  async (end, subject, advice) => {
    await change({ language: 'en', ownerEmails: ['dispute'] });
    const { email: owner } = shop.owner;
    const order = await aPaidOrder(app.api, shop);
    const dispute = { disputeId: `dp_${order.id}` };
    await reportPayment(app.api, shop, order, 'dispute.opened', dispute);
    const [opened] = await emailsTo(owner, order, 1);
    expect(opened && subjectOf(opened)).toBe('A payment of €19.99 is disputed');
    expect(opened?.text).toContain('Respond to the payment provider before its deadline');
    await reportPayment(app.api, shop, order, end, dispute);
    const ended = (await emailsTo(owner, order, 2)).filter((email) => email !== opened);
    expect(ended.map(subjectOf)).toEqual([subject]);
    expect(ended[0]?.text).toContain(advice);
    expect(ended[0]?.text).not.toContain('deadline');
  },
);

it('sends owners two emails about a dispute that was lost in part, which both leave the decision about the items to them', async () => {
  await change({ language: 'en', ownerEmails: ['dispute'] });
  const order = await aPaidOrder(app.api, shop);
  await reportPayment(app.api, shop, order, 'dispute.lost', { disputeId: `dp_${order.id}`, amount: 5 });
  const notices = await emailsTo(shop.owner.email, order, 2);
  expect(notices.map(subjectOf).sort()).toEqual([
    'You lost a dispute: €5.00 went back to the buyer',
    expect.stringMatching(/^€5\.00 of €19\.99 was lost in a dispute$/),
  ]);
  for (const { text } of notices) {
    expect(text).not.toContain('You need not do anything');
    expect(text).toMatch(/refund the rest: the items are removed then/);
  }
});

it('sends owners an email when a refund fails, with its amount', async () => {
  await change({ language: 'en', ownerEmails: [] });
  const order = await aPaidOrder(app.api, shop);
  const refund = { amount: 5, refundId: `rf_${order.id}` };
  await reportPayment(app.api, shop, order, 'refund.succeeded', refund);
  await reportPayment(app.api, shop, order, 'refund.failed', refund);
  const notices = await emailsTo(shop.owner.email, order, 1);
  expect(notices.map(subjectOf)).toEqual(['A refund of €5.00 failed']);
});

it('names the time until which an unpaid order can be paid', async () => {
  const { shopId, productId, serverId } = shop;
  const order = await anOrder(app.api, shopId, { productId, serverId });
  const [received] = await emailsTo(order.email, order, 1);
  expect(received?.text).toMatch(/^It is not paid yet\. Please pay by /m);
});

it('emails buyer and owners about a wrong amount, with a link to the operation of the API that settles it', async () => {
  await change({ language: 'en', displayName: 'Sky Realm' });
  const order = await anOrder(app.api, shop.shopId, { productId: shop.productId, serverId: shop.serverId });
  await reportPayment(app.api, shop, order, 'payment.succeeded', { amount: 999 });
  const [notice] = await emailsTo(shop.owner.email, order, 1);
  expect(notice && subjectOf(notice)).toMatch(/999\.00.*arrived.*19\.99.*due/);
  const buyers = await emailsTo(order.email, order, 2);
  expect(buyers.map(subjectOf)).toContain('Sky Realm is checking your payment');
  const [, tag, operationId] = /^http\S+\/docs#\/(\w+)\/(\w+)$/m.exec(notice?.text ?? '') ?? [];
  const { paths } = (await app.api.get('/openapi.json')).body as { paths: Record<string, Record<string, object>> };
  const resolve = paths['/api/v2/orders/{shopId}/{orderId}/resolve']?.['post'];
  expect(resolve).toMatchObject({ operationId, tags: [tag] });
  const refund = paths['/api/v2/payments/{shopId}/{orderId}/refund']?.['post'];
  expect(refund).toMatchObject({ operationId: 'Refunds_create', tags: ['Payments'] });
});

it('emails owners that a suspicious payment can be accepted or refunded, and the buyer what comes of it', async () => {
  await change({ language: 'en', displayName: 'Sky Realm', ownerEmails: [] });
  const { shopId, owner } = shop;
  const order = await aPaidOrder(app.api, shop);
  await reportPayment(app.api, shop, order, 'fraud.warning');
  const [notice] = await emailsTo(owner.email, order, 1);
  expect(notice && subjectOf(notice)).toBe('Check an order of €19.99: the payment provider suspects fraud');
  expect(notice?.text).toContain('If you trust the payment, accept it');
  const decision = { decision: 'accept', reason: 'A known player' };
  expectSuccess(await app.api.post(`/orders/${shopId}/${order.id}/resolve`, decision, { token: owner.token }));
  const subjects = (await emailsTo(order.email, order, 4)).map(subjectOf);
  expect(subjects).toContain('Sky Realm is checking your payment');
  expect(subjects).toContain('Sky Realm has checked your payment');
});

it('emails owners that a cancelled order was paid, also when they have switched all emails off', async () => {
  await change({ language: 'en', ownerEmails: [] });
  const { shopId, productId, serverId, owner } = shop;
  const order = await anOrder(app.api, shopId, { productId, serverId });
  const cancelled = { reason: 'Asked by the buyer' };
  expectSuccess(await app.api.post(`/orders/${shopId}/${order.id}/cancel`, cancelled, { token: owner.token }));
  await reportPayment(app.api, shop, order, 'payment.succeeded');
  const [notice] = await emailsTo(owner.email, order, 1);
  expect(notice && subjectOf(notice)).toBe('A cancelled order was paid: €19.99');
});

it('informs a buyer whose payment staff reject, in the language of the shop', async () => {
  await change({ language: 'de', displayName: 'Sky Realm' });
  const order = await anOrder(app.api, shop.shopId, { productId: shop.productId, serverId: shop.serverId });
  await reportPayment(app.api, shop, order, 'payment.succeeded', { amount: 1 });
  const decision = { decision: 'reject', reason: 'Suspicion of fraud' };
  expectSuccess(
    await app.api.post(`/orders/${shop.shopId}/${order.id}/resolve`, decision, { token: shop.owner.token }),
  );
  const emails = await emailsTo(order.email, order, 3);
  const rejected = emails.find((email) => subjectOf(email) === 'Sky Realm hat deine Zahlung nicht angenommen');
  expect(rejected?.text).toContain('Der Shop muss dir erstatten, was er erhalten hat.');
  for (const { text } of emails) expect(text).not.toContain('Suspicion');
});

it('sends the buyer the refund email for a payment that the order does not need', async () => {
  await change({ language: 'en', displayName: 'Sky Realm' });
  const order = await anOrder(app.api, shop.shopId, { productId: shop.productId, serverId: shop.serverId });
  await reportPayment(app.api, shop, order, 'payment.succeeded');
  const second = { paymentId: `second-${order.id}` };
  await reportPayment(app.api, shop, order, 'payment.succeeded', second);
  await reportPayment(app.api, shop, order, 'refund.succeeded', { ...second, amount: 7.5 });
  const emails = await emailsTo(order.email, order, 3);
  const refunded = emails.find((email) => subjectOf(email) === 'Your refund from Sky Realm');
  expect(refunded?.text).toContain('€7.50 has been refunded');
});

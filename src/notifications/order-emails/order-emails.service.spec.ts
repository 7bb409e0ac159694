import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  type Call,
  EMAILED_SHOP,
  FakeEmails,
  FakeOwnerEmails,
  recording,
  TRANSACTION,
  wordsOf,
} from '../../../test/support/fakes.js';
import { paymentEvent } from '../../../test/support/payment-events.js';
import { serverWith } from '../../../test/support/servers.js';
import { shopWith } from '../../../test/support/shops.js';
import { type PageLinks } from '../../http/addresses/page-links.js';
import { LANGUAGES } from '../../lib/formats/languages.js';
import { type EmailContent } from '../../events/mail/email.types.js';
import { type Order } from '../../orders/order/order.types.js';
import { type OrdersService } from '../../orders/order/orders.service.js';
import { type ReviewReason } from '../../domain/payments/payment-review.js';
import { type ServersService } from '../../catalogue/servers/servers.service.js';
import { type GameServer } from '../../catalogue/servers/server.types.js';
import { type ShopEventDetails, type ShopEventType } from '../../events/shop-events/shop-event-details.js';
import { type ShopEvent } from '../../events/shop-events/shop-event.types.js';
import { ShopEventSubscribers } from '../../events/shop-events/shop-event-subscribers.js';
import { type Shop } from '../../shops/shops/shop.types.js';
import { type ShopsService } from '../../shops/shops/shops.service.js';
import { ORDER_EMAIL_COPY } from './order-email-copy.js';
import { OrderEmailsService } from './order-emails.service.js';

const ORDER = '655f1c2ab1e4a9d3f0c81250';
const NUMBER = '#1042';
const LINK = `https://shop.example.com/${ORDER}`;
const PAID_AT = new Date('2026-11-23T12:00:00.000Z');
const ITEM = { quantity: 2, name: 'VIP <rank>', totalMinor: 1998 };
const placed = {
  ...{
    id: ORDER,
    number: 1042,
    shopId: EMAILED_SHOP.id,
    nickname: 'Steve_42',
    email: 'steve@example.com',
    currency: 'EUR',
  },
  ...{ items: [ITEM], totalMinor: 1798, discount: { discountId: 'd', code: 'WINTER', amountMinor: 200 } },
  ...{
    serverId: null,
    status: 'open',
    paymentStatus: 'pending',
    paidAt: null,
    createdAt: PAID_AT,
    review: null,
    payments: [],
    history: [],
    expiresAt: new Date('2099-11-23T13:00:00.000Z'),
  },
} as unknown as Order;

let order: Order;
let shop: Shop;
let emails: FakeEmails;
let owners: FakeOwnerEmails;
let serverName: string | null;
let problem: GameServer['problem'];
let subscribers: ShopEventSubscribers;
let reads: Call[];

beforeEach(() => {
  problem = null;
  [order, shop, serverName] = [placed, shopWith({ id: EMAILED_SHOP.id, supportEmail: 'help@example.com' }), 'Survival'];
  [emails, owners, subscribers, reads] = [new FakeEmails(), new FakeOwnerEmails(), new ShopEventSubscribers(), []];
  const service = new OrderEmailsService(
    subscribers,
    recording<ShopsService>(reads, { getIn: () => Promise.resolve(shop) }),
    recording<OrdersService>(reads, {
      getAll: (shopId, ids, transaction) =>
        shopId === shop.id && ids.every((id) => id === ORDER) && transaction === TRANSACTION
          ? Promise.resolve((id) => ({ ...order, id }))
          : Promise.reject(new Error('another order')),
    }),
    recording<ServersService>([], {
      nameOf: () => Promise.resolve(serverName),
      find: () => Promise.resolve(serverName === null ? null : serverWith({ name: serverName, problem })),
    }),
    emails.asService,
    owners.asService,
    recording<PageLinks>([], {
      order: (_, id) => `https://shop.example.com/${id}`,
      operation: (tag, operation) => `https://shop.example.com/docs#/${tag}/${operation}`,
    }),
  );
  service.onModuleInit();
});

const PAYMENT = { provider: 'stripe', paymentId: 'pi_1', amountMinor: 1_798, currency: 'EUR' };
const RESOLVE = 'https://shop.example.com/docs#/Orders/StaffOrders_resolve';
const REFUND = 'https://shop.example.com/docs#/Payments/Refunds_create';
function publish<Type extends ShopEventType>(type: Type, details?: ShopEventDetails[Type]): Promise<void> {
  const event = { id: 'e', shopId: shop.id, at: PAID_AT, subjectId: ORDER, type, details };
  return subscribers.publish([event as ShopEvent], TRANSACTION);
}
const words = (contents: readonly EmailContent[]): string => contents.map(wordsOf).join('\n').replace(/\s/gu, ' ');
const paid = (): void => void (order = { ...placed, status: 'completed', paymentStatus: 'paid', paidAt: PAID_AT });

const FREE = { totalMinor: 0, paidAt: PAID_AT, status: 'completed', paymentStatus: 'paid' };
const PAID = { paidAt: PAID_AT, status: 'completed', paymentStatus: 'paid' };
const WRONG_AMOUNT = { payments: [paymentEvent('payment.succeeded', 0)], paymentStatus: 'needs_review' };
it.each([
  ['order.created', 'unpaid', 'anybody', {}],
  ['order.created', 'unpaid, with a payment that failed', 'anybody', { payments: [paymentEvent('payment.failed', 0)] }],
  ['order.paid', 'free', 'anybody', FREE],
  ['order.delivered', 'free', 'anybody', FREE],
  ['order.paid', 'paid', 'shop', PAID],
  ['order.delivered', 'paid', 'shop', PAID],
  ['order.refunded', 'paid', 'shop', PAID],
  ['order.review_needed', 'under review with money of a wrong amount', 'shop', WRONG_AMOUNT],
  ['order.surplus_refunded', 'rejected and refunded', 'shop', WRONG_AMOUNT],
] as const)('lets %s of an order that is %s count as one that %s can cause', async (type, _, cause, state) => {
  order = { ...placed, ...state } as Order;
  await publish(type, { ...PAYMENT, reasons: [] });
  expect(emails.causes).toEqual([cause]);
});

it.each([
  ['order.paid', 'free', ['free_sale'], FREE],
  ['delivery.failed', 'free', ['free_delivery_failed'], FREE],
  ['order.paid', 'paid', [], PAID],
  ['delivery.failed', 'paid', [], PAID],
  ['order.disputed', 'paid', [], PAID],
  ['refund.failed', 'paid', [], PAID],
] as const)(
  'sends owners the email for %s of an order that is %s, and summarizes further ones as %j',
  async (type, _, kinds, state) => {
    order = { ...placed, ...state } as Order;
    await publish(type, { ...PAYMENT, reason: null });
    expect(owners.sent).toHaveLength(1);
    expect(owners.summarized).toEqual(kinds.map((kind) => [kind, NUMBER]));
  },
);

it('sends owners the email about a buyer whom no email reaches when the order is paid, also when they want no email about a sale', async () => {
  shop = { ...shop, ownerEmails: [] };
  const failed = { at: PAID_AT, actor: 'system', action: 'email_undelivered', detail: null };
  order = { ...placed, ...PAID, history: [failed] } as Order;
  await publish('order.paid');
  await publish('order.delivered');
  expect(owners.sent.map(({ email }) => email.subject)).toEqual([`No email reaches the buyer of order ${NUMBER}`]);
  expect(owners.summarized).toEqual([]);
});

describe.each(LANGUAGES)('a buyer of a shop with the language %s gets an email', (language) => {
  beforeEach(() => {
    shop = { ...shop, language };
  });
  const money = (text: string): string => (language === 'en' ? `€${text}` : `${text.replace('.', ',')} €`);

  it('sends the buyer an email when the order was received, with its items, the time until which it can be paid, and the page to pay', async () => {
    await publish('order.created');
    expect(emails.sent).toMatchObject([{ to: order.email, language, shop: { id: shop.id }, isAwaited: false }]);
    const fragments = ['2 × VIP <rank>', money('19.98'), 'WINTER', money('17.98'), LINK, 'Steve_42', NUMBER, '14:00'];
    for (const fragment of fragments) expect(words(emails.sent)).toContain(fragment);
    expect(emails.transactions).toEqual([TRANSACTION]);
    expect(owners.sent).toEqual([]);
  });

  it.each([
    ['order.paid', ['13:00', money('17.98'), LINK]],
    ['order.delivered', ['Steve_42', LINK]],
    ['order.refunded', [money('5.00'), LINK]],
  ] as const)('sends the buyer an email for %s', async (type, fragments) => {
    paid();
    await publish(type, { amountMinor: 500 });
    expect(emails.sent).toMatchObject([{ to: order.email, language }]);
    for (const fragment of fragments) expect(words(emails.sent)).toContain(fragment);
  });

  it.each([
    ['order.paid', [money('17.98'), 'Steve_42']],
    ['order.disputed', [money('17.98'), NUMBER, 'pi_1']],
    ['order.dispute_won', [money('17.98'), NUMBER]],
    ['order.dispute_lost', [money('17.98'), NUMBER]],
    ['delivery.failed', [NUMBER, 'VIP']],
    ['server.offline', ['Survival']],
  ] as const)('sends the owners an email for %s', async (type, fragments) => {
    paid();
    await publish(type, PAYMENT);
    expect(owners.sent).toMatchObject([{ shopId: shop.id, also: undefined }]);
    const notices = owners.sent.map(({ email }) => email);
    for (const fragment of [...fragments, 'Sky Realm', 'ownerEmails']) expect(words(notices)).toContain(fragment);
    // The email of the buyer is nobody else's business.
    expect(words(notices)).not.toContain(order.email);
  });

  it('emails owners that commands for an erased buyer did not run', async () => {
    paid();
    order = { ...order, nickname: 'erased-5d1f0c3b7a9e2468ace01357', paymentStatus: 'refunded' };
    await publish('delivery.failed');
    const written = words(owners.sent.map(({ email }) => email));
    const { notRun, notRunBody } = ORDER_EMAIL_COPY[language];
    for (const fragment of [notRun(NUMBER), notRunBody(shop.displayName)]) expect(written).toContain(fragment);
  });

  it.each([
    ['paid', 'server', 'Survival', 'deliveryFailedBody'],
    ['paid', 'server', null, 'serverDeletedBody'],
    ['paid', null, null, 'deliveryFailedBody'],
    ['refunded', 'server', 'Survival', 'revocationFailedBody'],
    ['refunded', null, null, 'revocationFailedBody'],
    ['charged_back', 'server', null, 'revocationStrandedBody'],
  ] as const)(
    'emails owners what to do about a failed delivery of an order that is %s, whose server has the id %j and the name %j',
    async (paymentStatus, serverId, name, body) => {
      paid();
      order = { ...order, paymentStatus, serverId };
      serverName = name;
      await publish('delivery.failed');
      expect(words(owners.sent.map(({ email }) => email))).toContain(
        ORDER_EMAIL_COPY[language][body](shop.displayName),
      );
    },
  );

  it.each([
    ['paid', 'next'],
    ['disputed', 'held'],
    ['refunded', 'ended'],
  ] as const)('sends a receipt of an order that is %s by now that says: %s', async (paymentStatus, next) => {
    paid();
    order = { ...order, paymentStatus };
    await publish('order.paid');
    expect(words(emails.sent)).toContain(ORDER_EMAIL_COPY[language][next]);
  });

  it.each([
    ['order.disputed', 'disputeBody'],
    ['order.dispute_won', 'disputeWonBody'],
    ['order.dispute_lost', 'chargedBackBody'],
  ] as const)('emails owners what to do after %s', async (type, body) => {
    paid();
    await publish(type, PAYMENT);
    expect(words(owners.sent.map(({ email }) => email))).toContain(ORDER_EMAIL_COPY[language][body](shop.displayName));
  });

  it.each([
    [400, 'chargedBackInPartBody', 'chargedBackBody'],
    [1_798, 'chargedBackBody', 'chargedBackInPartBody'],
  ] as const)('emails owners what to do about a dispute that took %i of 1798', async (amountMinor, body, other) => {
    const copy = ORDER_EMAIL_COPY[language];
    const received = paymentEvent('payment.succeeded', 1, { amountMinor: 1_798 });
    paid();
    order = { ...order, payments: [received, paymentEvent('dispute.lost', 2, { amountMinor })] };
    await publish('order.dispute_lost', { ...PAYMENT, amountMinor });
    const notices = words(owners.sent.map(({ email }) => email));
    expect(notices).toContain(copy[body](shop.displayName));
    expect(notices).not.toContain(copy[other](shop.displayName));
  });

  it('emails owners about another dispute that is won what to do after that one, although an earlier one took a part', async () => {
    const copy = ORDER_EMAIL_COPY[language];
    const received = paymentEvent('payment.succeeded', 1, { amountMinor: 1_798 });
    paid();
    order = { ...order, payments: [received, paymentEvent('dispute.lost', 2, { amountMinor: 400 })] };
    await publish('order.dispute_won', PAYMENT);
    expect(words(owners.sent.map(({ email }) => email))).toContain(copy.disputeWonBody(shop.displayName));
  });

  it.each<
    [code: ReviewReason['code'], amountMinor: number, currency: string, reviewed: Partial<Order>, fragments: string[]]
  >([
    ['amount', 99_900, 'EUR', {}, [money('999.00'), money('17.98'), RESOLVE]],
    ['amount', 1_798, 'EUR', {}, [NUMBER, RESOLVE]],
    ['amount', 500, 'EUR', { review: { decision: 'reject' } as Order['review'] }, [money('5.00'), RESOLVE]],
    ['currency', 1_798, 'CHF', {}, ['CHF', money('17.98'), RESOLVE]],
    ['amount', 1_798, 'EUR', { paidAt: PAID_AT }, [NUMBER, RESOLVE, REFUND]],
    ['fraud_warning', 1_798, 'EUR', { paidAt: PAID_AT }, [money('17.98'), RESOLVE, REFUND]],
    ['too_many_events', 1_798, 'EUR', { paidAt: PAID_AT }, [NUMBER, RESOLVE]],
    ['paid_twice', 1_798, 'EUR', {}, [money('17.98'), REFUND]],
    ['partial_loss', 400, 'EUR', {}, [money('4.00'), money('17.98'), REFUND]],
  ])(
    'emails owners why an order needs a review, with the figures and where to act: %s of %i %s',
    async (code, amountMinor, currency, reviewed, fragments) => {
      order = { ...placed, paymentStatus: 'paid', ...reviewed };
      shop = { ...shop, ownerEmails: [] };
      await publish('order.review_needed', { reasons: [{ code, message: 'In English', amountMinor, currency }] });
      const notices = words(owners.sent.map(({ email }) => email));
      for (const fragment of [...fragments, 'Sky Realm', NUMBER]) expect(notices).toContain(fragment);
      expect(notices).not.toContain('ownerEmails');
      expect(emails.sent).toEqual([]);
    },
  );

  it('offers owners to accept or refund a paid order, which they cannot reject', async () => {
    const copy = ORDER_EMAIL_COPY[language];
    paid();
    const reason = { code: 'fraud_warning', message: 'In English', amountMinor: 1_798, currency: 'EUR' } as const;
    await publish('order.review_needed', { reasons: [reason] });
    const notices = words(owners.sent.map(({ email }) => email));
    for (const fragment of [copy.paidDecideBody(shop.displayName), copy.accept, copy.refund])
      expect(notices).toContain(fragment);
    expect(notices).not.toContain(copy.decide);
  });

  it.each([
    [null, 'underReviewBody'],
    [PAID_AT, 'paidUnderReviewBody'],
  ] as const)(
    'asks a buyer whose order is under review, and was paid at %j, not to pay again',
    async (paidAt, body) => {
      order = { ...placed, paymentStatus: 'needs_review', paidAt };
      await publish('order.review_needed', { reasons: [] });
      expect(emails.sent).toMatchObject([{ to: order.email, language }]);
      const fragments = [ORDER_EMAIL_COPY[language][body](order.nickname), LINK, NUMBER];
      for (const fragment of fragments) expect(words(emails.sent)).toContain(fragment);
    },
  );

  it('informs a buyer that the payment of a paid order is checked, and what happens next', async () => {
    const copy = ORDER_EMAIL_COPY[language];
    paid();
    await publish('order.review_resolved', { decision: 'accept', reason: 'Fraud', wasPaid: true });
    expect(emails.sent).toMatchObject([{ to: order.email, language }]);
    for (const fragment of [copy.checkedBody(order.nickname), copy.next, LINK, NUMBER])
      expect(words(emails.sent)).toContain(fragment);
    expect(words(emails.sent)).not.toContain('Fraud');
  });

  it('sends a buyer who has all items no email about the check of the payment', async () => {
    paid();
    order = { ...order, paymentStatus: 'needs_review', deliveryStatus: 'delivered' };
    await publish('order.review_needed', { reasons: [] });
    await publish('order.review_resolved', { decision: 'accept', reason: 'A friend', wasPaid: true });
    expect(emails.sent).toEqual([]);
  });

  it('informs a buyer whose payment staff rejected, without their reason, and only after a rejection', async () => {
    order = { ...placed, status: 'cancelled', paymentStatus: 'failed' };
    for (const decision of ['accept', null] as const)
      await publish('order.review_resolved', { decision, reason: 'Fraud', wasPaid: false });
    expect(emails.sent).toEqual([]);
    await publish('order.review_resolved', { decision: 'reject', reason: 'Fraud', wasPaid: false });
    expect(emails.sent).toMatchObject([{ to: order.email, language }]);
    const fragments = [ORDER_EMAIL_COPY[language].rejectedBody(order.nickname), LINK, NUMBER, money('17.98')];
    for (const fragment of fragments) expect(words(emails.sent)).toContain(fragment);
    expect(words(emails.sent)).not.toContain('Fraud');
    expect(owners.sent).toEqual([]);
  });

  it('sends the buyer the refund email for a surplus, in the currency of the payment', async () => {
    paid();
    await publish('order.surplus_refunded', { ...PAYMENT, amountMinor: 700, currency: 'USD' });
    expect(emails.sent).toMatchObject([{ to: order.email, language }]);
    const amount = language === 'en' ? '$7.00' : '7,00 $';
    expect(words(emails.sent)).toContain(ORDER_EMAIL_COPY[language].refundedBody(amount));
    expect(owners.sent).toEqual([]);
  });

  it('emails owners why a refund failed, and how to request it again', async () => {
    paid();
    await publish('refund.failed', { ...PAYMENT, amountMinor: 500, reason: 'insufficient_funds' });
    const notices = words(owners.sent.map(({ email }) => email));
    for (const fragment of [money('5.00'), 'stripe', 'pi_1', 'insufficient_funds', REFUND, NUMBER])
      expect(notices).toContain(fragment);
    await publish('refund.failed', { ...PAYMENT, reason: null });
    expect(owners.sent).toHaveLength(2);
    await publish('refund.failed', { ...PAYMENT, reason: 'not_permitted' });
    const cause = words(owners.sent.slice(2).map(({ email }) => email));
    expect(cause).toContain(ORDER_EMAIL_COPY[language].notPermitted);
    expect(cause).not.toContain('not_permitted');
  });

  it.each([
    [null, 'refundUnconfirmedBody', true],
    ['re_1', 'refundPendingBody', false],
  ] as const)(
    'emails owners to look at the provider before they repeat a refund that nobody confirmed, with the id %s',
    async (refundId, body, isRepeatable) => {
      paid();
      shop = { ...shop, ownerEmails: [] };
      await publish('refund.unconfirmed', { ...PAYMENT, amountMinor: 500, refundId });
      const notices = words(owners.sent.map(({ email }) => email));
      const fragments = [money('5.00'), 'stripe', 'pi_1', NUMBER, ORDER_EMAIL_COPY[language][body](shop.displayName)];
      for (const fragment of [...fragments, ...(refundId === null ? [] : [refundId])])
        expect(notices).toContain(fragment);
      expect(notices.includes(REFUND)).toBe(isRepeatable);
      expect(notices).not.toMatch(/null|not_confirmed/);
    },
  );

  it('sends no email about a delivery that was reported after the money went back', async () => {
    paid();
    order = { ...order, paymentStatus: 'refunded' };
    await publish('order.delivered');
    expect(emails.sent).toEqual([]);
  });

  it('promises nothing when the order had been cancelled before it was paid, and informs the owners, whatever they switched off, that the money must go back', async () => {
    const copy = ORDER_EMAIL_COPY[language];
    shop = { ...shop, ownerEmails: [] };
    order = { ...placed, status: 'cancelled', paidAt: PAID_AT };
    await publish('order.paid');
    expect(words(emails.sent)).toContain(copy.nothing);
    expect(words(emails.sent)).not.toContain(copy.next);
    const notices = words(owners.sent.map(({ email }) => email));
    for (const fragment of [money('17.98'), copy.paidLateBody(shop.displayName), NUMBER])
      expect(notices).toContain(fragment);
    for (const absent of [copy.saleBody(shop.displayName), 'ownerEmails']) expect(notices).not.toContain(absent);
  });
});

it('sends only the receipt when the order is already paid', async () => {
  paid();
  await publish('order.created');
  expect(emails.sent).toEqual([]);
});

it.each<[what: string, fields: Partial<Order>]>([
  ['was cancelled', { status: 'cancelled' }],
  ['has expired', { status: 'expired' }],
  ['can be paid no longer', { expiresAt: PAID_AT }],
  ['waits for the shop to collect the money', { paymentStatus: 'authorized' }],
])('sends no request to pay for an order that %s in the meantime', async (_, fields) => {
  order = { ...placed, ...fields };
  await publish('order.created');
  expect(emails.sent).toEqual([]);
});

it.each([
  'order.expired',
  'order.disputed',
  'order.dispute_lost',
  'refund.failed',
  'refund.unconfirmed',
  'delivery.failed',
  'delivery.uncertain',
  'member.joined',
  'server.online',
] as const)('sends the buyer no email for %s', async (type) => {
  await publish(type, PAYMENT);
  expect(emails.sent).toEqual([]);
});

it.each(['order.expired', 'member.joined', 'server.online'] as const)(
  'reads neither the order nor the shop for %s, of which nobody gets an email',
  async (type) => {
    await publish(type);
    expect(reads).toEqual([]);
  },
);

it.each([
  ['order.paid', 'sale'],
  ['order.disputed', 'dispute'],
  ['order.dispute_won', 'dispute'],
  ['order.dispute_lost', 'dispute'],
  ['delivery.failed', 'delivery_failed'],
  ['delivery.uncertain', 'delivery_failed'],
  ['server.offline', 'server_offline'],
] as const)('sends owners who switched it off no email for %s', async (type, setting) => {
  paid();
  shop = { ...shop, ownerEmails: shop.ownerEmails.filter((one) => one !== setting) };
  await publish(type, PAYMENT);
  expect(owners.sent).toEqual([]);
  expect(emails.sent).toHaveLength(type === 'order.paid' ? 1 : 0);
});

it('tells owners why the plugin of a server that is offline cannot deliver', async () => {
  problem = { text: 'The console does not answer', at: PAID_AT };
  await publish('server.offline');
  expect(words(owners.sent.map(({ email }) => email))).toContain('“The console does not answer”');
});

it('sends owners no email about a server that was deleted', async () => {
  serverName = null;
  await publish('server.offline');
  expect(owners.sent).toEqual([]);
});

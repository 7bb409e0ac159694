import { beforeEach, expect, it } from '@jest/globals';
import { type Call, FakeOwnerEmails, recording, TRANSACTION, wordsOf } from '../../../test/support/fakes.js';
import { paymentEvent } from '../../../test/support/payment-events.js';
import { UndeliveredEmails } from '../../events/mail/undelivered-emails.js';
import { type HistoryEntry, type Order } from '../../orders/order/order.types.js';
import { type OrdersService } from '../../orders/order/orders.service.js';
import { UndeliveredOrderEmailsService } from './undelivered-order-emails.service.js';

const SHOP = '655f1c2ab1e4a9d3f0c81234';
const ORDER = '655f1c2ab1e4a9d3f0c81250';
const FREE = { totalMinor: 0, paidAt: new Date(), payments: [] };
const UNPAID = { totalMinor: 999, paidAt: null, payments: [] };
const PAID = { totalMinor: 999, paidAt: new Date(), payments: [paymentEvent('payment.succeeded', 0)] };
const WRONG_AMOUNT = { ...PAID, paidAt: null };

let money: Pick<Order, 'totalMinor' | 'paidAt' | 'payments'>;
let history: HistoryEntry[];
let owners: FakeOwnerEmails;
let undelivered: UndeliveredEmails;

beforeEach(() => {
  [money, history, owners, undelivered] = [PAID, [], new FakeOwnerEmails(), new UndeliveredEmails()];
  const order = {
    id: ORDER,
    number: 1042,
    shopId: SHOP,
    email: 'tpyo@example.com',
    nickname: 'Steve_42',
    items: [],
    discount: null,
  };
  const calls: Call[] = [];
  const orders = recording<OrdersService>(calls, {
    get: () => Promise.resolve({ ...order, currency: 'EUR', ...money, history } as unknown as Order),
    addHistory: (_shopId, _orderId, entry) => Promise.resolve(void history.push(entry)),
  });
  new UndeliveredOrderEmailsService(undelivered, orders, owners.asService).onModuleInit();
});

const fail = (): Promise<void> => undelivered.report('order', SHOP, ORDER, TRANSACTION);

it('adds one entry to the history of an order and sends its owners one email, however many emails are given up', async () => {
  for (let times = 0; times < 3; times++) await fail();
  expect(history).toEqual([{ at: expect.any(Date), actor: 'system', action: 'email_undelivered', detail: null }]);
  expect(owners.sent.map(({ shopId, email }) => [shopId, wordsOf(email)])).toEqual([
    [SHOP, expect.stringContaining('tpyo@example.com')],
  ]);
});

it.each([
  ['unpaid', UNPAID, 0, []],
  ['free', FREE, 1, [['free_email_undelivered', '#1042']]],
  ['paid', PAID, 1, []],
  ['under review with money of a wrong amount', WRONG_AMOUNT, 1, []],
] as const)('adds the entry when the order is %s, and sends the right emails', async (_, state, emails, summarized) => {
  money = state;
  await fail();
  expect(history).toHaveLength(1);
  expect(owners.sent).toHaveLength(emails);
  expect(owners.summarized).toEqual(summarized);
});

it('sends the owners of a free order no email when the next summary has it', async () => {
  [money, owners.areFirst] = [FREE, false];
  await fail();
  expect([history.length, owners.sent, owners.summarized]).toEqual([1, [], [['free_email_undelivered', '#1042']]]);
});

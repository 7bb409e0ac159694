import { beforeEach, expect, it } from '@jest/globals';
import { type Call, FakeOwnerEmails, recording, TRANSACTION, wordsOf } from '../../../test/support/fakes.js';
import { UndeliveredEmails } from '../../events/mail/undelivered-emails.js';
import { type HistoryEntry, type Order } from '../../orders/order/order.types.js';
import { type OrdersService } from '../../orders/order/orders.service.js';
import { UndeliveredOrderEmailsService } from './undelivered-order-emails.service.js';

const SHOP = '655f1c2ab1e4a9d3f0c81234';
const ORDER = '655f1c2ab1e4a9d3f0c81250';

let history: HistoryEntry[];
let calls: Call[];
let owners: FakeOwnerEmails;
let undelivered: UndeliveredEmails;

beforeEach(() => {
  [history, calls, owners, undelivered] = [[], [], new FakeOwnerEmails(), new UndeliveredEmails()];
  const order = { id: ORDER, email: 'tpyo@example.com', nickname: 'Steve_42', items: [], discount: null };
  const orders = recording<OrdersService>(calls, {
    get: () => Promise.resolve({ ...order, totalMinor: 999, currency: 'EUR', history } as unknown as Order),
    addHistory: (_shopId, _orderId, entry) => Promise.resolve(void history.push(entry)),
  });
  new UndeliveredOrderEmailsService(undelivered, orders, owners.asService).onModuleInit();
});

it('adds one entry to the history of an order and sends its owners one email, however many emails are given up', async () => {
  for (let times = 0; times < 3; times++) await undelivered.report('order', SHOP, ORDER, TRANSACTION);
  expect(history).toEqual([{ at: expect.any(Date), actor: 'system', action: 'email_undelivered', detail: null }]);
  expect(owners.sent.map(({ shopId, email }) => [shopId, wordsOf(email)])).toEqual([
    [SHOP, expect.stringContaining('tpyo@example.com')],
  ]);
});

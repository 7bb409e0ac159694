// Every state of an order that its buyer can meet, and how a shop gets there: with the events of its own payment system, and with
// what its staff and its plugin do.

/**
 * What can happen to an order.
 * @param shop `tell` sends an event, `report` leases what waits for a player and reports it, `act` is an action of staff
 */
export function happenings(shop, { id, total, nickname }) {
  const tell = (type, changes = {}) => {
    const payment = { orderId: id, paymentId: `pay_${id}`, amount: total, currency: 'EUR' };
    return shop.tell({ type, ...payment, occurredAt: new Date().toISOString(), ...changes });
  };
  const pay = () => tell('payment.succeeded');
  const report = (status = 'delivered') => shop.report(nickname, status);
  return {
    tell,
    pay,
    report,
    deliver: async () => {
      await pay();
      await report();
    },
    dispute: (end, changes = {}) => tell(`dispute.${end}`, { disputeId: `dp_${id}`, ...changes }),
    act: (action, body) => shop.act(id, action, body),
    expire: () => shop.expire(id),
  };
}

/**
 * Name -> what the page says about the payment and the delivery, in English, how many emails the order causes, those to the owners
 * included, and what happens.
 */
export const STATES = {
  pending: [/^Not paid yet$/, /^Starts as soon as the order is paid$/, 1, () => {}],
  processing: [/^Your bank is confirming/, /^Starts as soon as your bank/, 1, ({ tell }) => tell('payment.processing')],
  authorized: [/^Reserved/, /^Starts as soon as the shop has collected/, 1, ({ tell }) => tell('payment.authorized')],
  failed: [/^The payment failed$/, /^Starts as soon as the order is paid$/, 1, ({ tell }) => tell('payment.failed')],
  cancelled: [/^Cancelled$/, /^Nothing is delivered$/, 1, ({ act }) => act('cancel', { reason: 'Sold out' })],
  expired: [/^Not paid in time/, /^Nothing is delivered$/, 1, ({ expire }) => expire()],
  paid: [/^Paid on /, /^Waiting for the game server/, 3, ({ pay }) => pay()],
  delivered: [/^Paid on /, /^Delivered$/, 4, ({ deliver }) => deliver()],
  'delivery-failed': [
    /^Paid on /,
    /^The delivery failed/,
    4,
    async ({ pay, report }) => {
      await pay();
      await report('failed');
    },
  ],
  'wrong-amount': [
    /^The shop is checking/,
    /^Starts as soon as the shop has checked/,
    3,
    ({ tell }) => tell('payment.succeeded', { amount: 1 }),
  ],
  rejected: [
    /^The shop did not accept/,
    /^Nothing is delivered$/,
    3,
    async ({ tell, act }) => {
      await tell('payment.succeeded', { amount: 1 });
      await act('resolve', { decision: 'reject', reason: 'Too little' });
    },
  ],
  'fraud-warning': [
    /^The shop is checking/,
    /^On hold/,
    5,
    async ({ pay, tell }) => {
      await pay();
      await tell('fraud.warning');
    },
  ],
  disputed: [
    /^Paid, and disputed/,
    /^On hold/,
    4,
    async ({ pay, dispute }) => {
      await pay();
      await dispute('opened');
    },
  ],
  'dispute-won': [
    /^Paid on /,
    /^Waiting for the game server/,
    5,
    async ({ pay, dispute }) => {
      await pay();
      await dispute('opened');
      await dispute('won');
    },
  ],
  'charged-back': [
    /^Charged back/,
    /^Not delivered$/,
    5,
    async ({ pay, dispute }) => {
      await pay();
      await dispute('opened');
      await dispute('lost');
    },
  ],
  'partial-loss': [
    /^Paid, and partly refunded$/,
    /^Delivered$/,
    7,
    async ({ deliver, dispute }) => {
      await deliver();
      await dispute('opened', { amount: 5 });
      await dispute('lost', { amount: 5 });
    },
  ],
  'paid-twice': [
    /^Paid on /,
    /^Waiting for the game server/,
    4,
    async ({ pay, tell }) => {
      await pay();
      await tell('payment.succeeded', { paymentId: 'pay_second' });
    },
  ],
  'partially-refunded': [
    /^Paid, and partly refunded$/,
    /^Waiting for the game server/,
    4,
    async ({ pay, tell }) => {
      await pay();
      await tell('refund.succeeded', { amount: 5 });
    },
  ],
  refunded: [
    /^Refunded$/,
    /^Not delivered$/,
    4,
    async ({ pay, tell }) => {
      await pay();
      await tell('refund.succeeded');
    },
  ],
  revoked: [
    /^Refunded$/,
    /^Removed from the game again/,
    5,
    async ({ deliver, tell, report }) => {
      await deliver();
      await tell('refund.succeeded');
      await report();
    },
  ],
};

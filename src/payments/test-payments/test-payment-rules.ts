import { type MinorUnits } from '../../lib/money/money.js';
import { type Order, type PaymentStatus } from '../../orders/order/order.types.js';
import { type PaymentEvent, type PaymentEventType } from '../../orders/order/payment-event.types.js';

interface Action {
  /** The label of its button. */
  readonly label: string;
  readonly event: PaymentEventType;
  /** The payment states of an order in which it is possible. */
  readonly during: readonly PaymentStatus[];
}

const UNPAID: readonly PaymentStatus[] = ['pending', 'processing', 'authorized', 'failed'];
const PAID: readonly PaymentStatus[] = ['paid', 'partially_refunded'];

/** The buttons on the page of a test payment. */
export const TEST_ACTIONS = {
  succeed: { label: 'Pay', event: 'payment.succeeded', during: UNPAID },
  authorize: { label: 'Authorise only', event: 'payment.authorized', during: UNPAID },
  process: { label: 'Pay by bank transfer, confirmed later', event: 'payment.processing', during: UNPAID },
  fail: { label: 'Fail', event: 'payment.failed', during: UNPAID },
  refund: { label: 'Refund what is left', event: 'refund.succeeded', during: PAID },
  dispute: { label: 'Open a dispute', event: 'dispute.opened', during: PAID },
  win: { label: 'The shop wins the dispute', event: 'dispute.won', during: ['disputed'] },
  lose: { label: 'The shop loses the dispute', event: 'dispute.lost', during: ['disputed'] },
} as const satisfies Readonly<Record<string, Action>>;

export type TestAction = keyof typeof TEST_ACTIONS;

export const TEST_ACTION_NAMES = Object.keys(TEST_ACTIONS) as readonly TestAction[];

/** The actions that are possible now. @param isOver whether the payment has ended, so that it cannot be paid any more */
export function possibleActions({ paymentStatus }: Pick<Order, 'paymentStatus'>, isOver: boolean): TestAction[] {
  return TEST_ACTION_NAMES.filter((name) => {
    const during: readonly PaymentStatus[] = TEST_ACTIONS[name].during;
    return during.includes(paymentStatus) && !(isOver && during === UNPAID);
  });
}

/** The amount of an event: for a refund, what is left of the payment; otherwise all of it. */
export function amountOf(
  action: TestAction,
  { totalMinor, reversals }: Pick<Order, 'totalMinor' | 'reversals'>,
): MinorUnits {
  if (action !== 'refund') return totalMinor;
  return reversals.reduce((left, { amountMinor }) => left - amountMinor, totalMinor);
}

/** The id of the dispute that an action is about: a payment can have one after the other. null for other actions. */
export function disputeOf(
  action: TestAction,
  { payments }: { readonly payments: readonly Pick<PaymentEvent, 'paymentId' | 'type'>[] },
  paymentId: string,
): string | null {
  if (!TEST_ACTIONS[action].event.startsWith('dispute.')) return null;
  const opened = payments.filter((event) => event.paymentId === paymentId && event.type === 'dispute.opened').length;
  return `dispute_${action === 'dispute' ? opened + 1 : opened}`;
}

import { expect, it } from '@jest/globals';
import { type HistoryEntry } from '../../orders/order/order.types.js';
import { EMAIL_UNDELIVERED, failedUnpaid } from './undelivered-rules.js';

const entry = (action: string): HistoryEntry => ({ at: new Date(), actor: 'system', action, detail: null });

it.each([
  ['no email failed', 999, ['payment.succeeded'], false],
  ['an email failed before the payment', 999, [EMAIL_UNDELIVERED, 'payment.succeeded'], true],
  [
    'an email failed between two attempts to pay',
    999,
    ['payment.failed', EMAIL_UNDELIVERED, 'payment.succeeded'],
    true,
  ],
  ['the receipt failed', 999, ['payment.succeeded', EMAIL_UNDELIVERED], false],
  ['there is nothing to pay', 0, [EMAIL_UNDELIVERED], false],
] as const)('knows whether an email of an order failed while it was unpaid: %s', (_, totalMinor, actions, expected) => {
  expect(failedUnpaid({ totalMinor, history: actions.map(entry) })).toBe(expected);
});

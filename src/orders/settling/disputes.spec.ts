import { expect, it } from '@jest/globals';
import { paymentEvent } from '../../../test/support/payment-events.js';
import { type PaymentEvent } from '../order/payment-event.types.js';
import { disputesOf } from './disputes.js';

const named = { disputeId: 'dp_1', amountMinor: 900 };
const another = { disputeId: 'dp_2', amountMinor: 300 };
const unnamed = { amountMinor: 900 };

it.each<[what: string, events: PaymentEvent[], isOpen: boolean, losses: number[]]>([
  ['no dispute', [paymentEvent('payment.succeeded', 1)], false, []],
  ['one that is open', [paymentEvent('dispute.opened', 1, named)], true, []],
  ['one that was won', [paymentEvent('dispute.opened', 1, named), paymentEvent('dispute.won', 2, named)], false, []],
  [
    'one that was lost',
    [paymentEvent('dispute.opened', 1, named), paymentEvent('dispute.lost', 2, named)],
    false,
    [900],
  ],
  [
    'one that was opened and won at one time',
    [paymentEvent('dispute.won', 1, named), paymentEvent('dispute.opened', 1, named)],
    false,
    [],
  ],
  [
    'two, one of them open',
    [paymentEvent('dispute.lost', 1, named), paymentEvent('dispute.opened', 2, another)],
    true,
    [900],
  ],
  [
    'one without an id before the end of one with an id',
    [paymentEvent('dispute.opened', 1, unnamed), paymentEvent('dispute.won', 2, named)],
    false,
    [],
  ],
  [
    'one without an id at the end of one with an id',
    [paymentEvent('dispute.opened', 2, unnamed), paymentEvent('dispute.won', 2, named)],
    false,
    [],
  ],
  [
    'one without an id after the end of one with an id',
    [paymentEvent('dispute.won', 1, named), paymentEvent('dispute.opened', 2, unnamed)],
    true,
    [],
  ],
  [
    'a loss without an id of the same money',
    [paymentEvent('dispute.lost', 1, named), paymentEvent('dispute.lost', 2, unnamed)],
    false,
    [900],
  ],
  [
    'a loss without an id of more money',
    [paymentEvent('dispute.lost', 1, another), paymentEvent('dispute.lost', 2, unnamed)],
    false,
    [300, 600],
  ],
])('computes the state of the disputes of a payment: %s', (_what, events, isOpen, losses) => {
  const state = disputesOf(events);
  expect({ isOpen: state.isOpen, losses: state.losses.map(({ amountMinor }) => amountMinor) }).toEqual({
    isOpen,
    losses,
  });
});

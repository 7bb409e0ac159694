import { describe, expect, it } from '@jest/globals';
import { dueWith } from './inbox-rules.js';
import { type InboxState, type InboxEvent } from './inbox.types.js';

const ORDER = '655f1c2ab1e4a9d3f0c81250';
const OTHER = '655f1c2ab1e4a9d3f0c81251';

function event(id: string, orderId: string | null, state: InboxState = 'received'): InboxEvent {
  return {
    id,
    shopId: '655f1c2ab1e4a9d3f0c81234',
    provider: 'stripe',
    eventId: `evt_${id}`,
    kind: 'charge.refunded',
    state,
    orderId,
    payment: {
      type: 'refund.succeeded',
      paymentId: 'pi_1',
      amountMinor: 1,
      currency: 'EUR',
      occurredAt: new Date(0),
      cumulative: true,
    },
  };
}

describe('what a stored event causes', () => {
  it.each<[string, InboxEvent[], { orderId: string; ids: string[] } | null]>([
    ['an event that names its order is applied to it', [event('own', ORDER)], { orderId: ORDER, ids: ['own'] }],
    [
      'an event that names no order goes to the order of its payment',
      [event('paid', ORDER, 'processed'), event('own', null)],
      { orderId: ORDER, ids: ['own'] },
    ],
    [
      'an event that is stored but not applied yet names the order too: another process may be applying it',
      [event('paid', ORDER, 'received'), event('own', null)],
      { orderId: ORDER, ids: ['own'] },
    ],
    [
      'the first event that names the order also applies those that waited, after itself',
      [event('refund', null), event('dispute', null), event('own', ORDER)],
      { orderId: ORDER, ids: ['own', 'refund', 'dispute'] },
    ],
    ['an event that failed is tried again', [event('own', ORDER, 'failed')], { orderId: ORDER, ids: ['own'] }],
    [
      'an event that names its order is never given to another one',
      [event('paid', OTHER, 'processed'), event('own', ORDER)],
      { orderId: ORDER, ids: ['own'] },
    ],
    [
      'events that name an order are not applied with another one: each is applied by itself',
      [event('paid', ORDER), event('own', ORDER)],
      { orderId: ORDER, ids: ['own'] },
    ],
    ['an event without an order waits', [event('own', null), event('other', null)], null],
    ['a failed event does not name the order for others', [event('paid', ORDER, 'failed'), event('own', null)], null],
    ['a processed event causes nothing', [event('own', ORDER, 'processed'), event('late', null)], null],
    ['a deleted event causes nothing', [], null],
  ])('%s', (_, ofPayment, expected) => {
    const due = dueWith('own', ofPayment);
    expect(due && { orderId: due.orderId, ids: due.events.map(({ id }) => id) }).toEqual(expected);
  });
});

import { describe, expect, it } from '@jest/globals';
import { difference, eventsOf, type SaleEvent, type SaleState } from './sale-events.js';

const at = (hour: number): Date => new Date(Date.UTC(2026, 10, 20, hour));
const ITEMS = [{ netMinor: 200 }, { netMinor: 100 }];
const UNPAID: SaleState = {
  ...{ createdAt: at(8), paidAt: null, isFirstPurchase: null, items: ITEMS, payments: [], reversals: [] },
};
const succeeded = (provider: string, hour: number): SaleState['payments'][number] => {
  return { provider, type: 'payment.succeeded', occurredAt: at(hour) };
};
const PAID: SaleState = { ...UNPAID, paidAt: at(9), isFirstPurchase: true, payments: [succeeded('stripe', 9)] };
const REFUND = { kind: 'refund', amountMinor: 100, at: at(10) } as const;
const event = (kind: SaleEvent['kind'], hour: number, lines: number[] = [], count = 1): SaleEvent => {
  const provider = kind === 'created' || kind === 'converted' ? null : 'stripe';
  const amountMinor = lines.reduce((sum, minor) => sum + minor, 0);
  return { kind, at: at(hour), amountMinor, lines, count, provider };
};

describe('eventsOf', () => {
  it.each<[string, SaleState, SaleEvent[]]>([
    ['unpaid', UNPAID, [event('created', 8)]],
    ['paid', { ...PAID, isFirstPurchase: false }, [event('created', 8), event('converted', 8), event('paid', 9)]],
    [
      'paid by a new buyer and refunded in part',
      { ...PAID, reversals: [REFUND] },
      [
        event('created', 8),
        event('converted', 8),
        event('paid', 9),
        event('new_buyer', 9),
        event('refund', 10, [67, 33]),
      ],
    ],
  ])('returns the events of an order that is %s', (_what, state, events) => {
    expect(eventsOf(state)).toEqual(events);
  });

  it.each<[string, SaleState['payments'], string | null]>([
    ['nobody, when it was free', [], null],
    ['nobody, when the payment failed', [{ ...succeeded('stripe', 9), type: 'payment.failed' }], null],
    ['who reported the payment of that time', [succeeded('mollie', 8), succeeded('stripe', 9)], 'stripe'],
    ['the first one, when staff said when it was paid', [succeeded('mollie', 7), succeeded('stripe', 8)], 'mollie'],
  ])('names the provider of the events: %s', (_what, payments, provider) => {
    const events = eventsOf({ ...PAID, payments, reversals: [REFUND] });
    expect(events.map((one) => one.provider)).toEqual([null, null, provider, provider, provider]);
  });
});

it('splits many small refunds as one large refund is split', () => {
  const reversals = Array.from({ length: 300 }, () => ({ ...REFUND, amountMinor: 1 }));
  const events = eventsOf({ ...PAID, reversals }).filter(({ kind }) => kind === 'refund');
  const sums = [0, 1].map((line) => events.reduce((sum, { lines }) => sum + (lines[line] ?? 0), 0));
  expect(sums).toEqual([200, 100]);
  expect(events.slice(0, 3).map(({ lines }) => lines)).toEqual([
    [1, 0],
    [0, 1],
    [1, 0],
  ]);
});

describe('difference', () => {
  it.each<[string, SaleState, SaleState, SaleEvent[]]>([
    ['the same state', PAID, PAID, []],
    ['a payment', UNPAID, PAID, [event('converted', 8), event('paid', 9), event('new_buyer', 9)]],
    [
      'a payment that turns out to be earlier',
      { ...PAID, isFirstPurchase: false },
      { ...PAID, isFirstPurchase: false, paidAt: at(7) },
      [event('paid', 9, [], -1), event('paid', 7)],
    ],
    [
      'a payment that turns out to be of another provider',
      { ...PAID, isFirstPurchase: false },
      { ...PAID, isFirstPurchase: false, payments: [succeeded('mollie', 9)] },
      [event('paid', 9, [], -1), { ...event('paid', 9), provider: 'mollie' }],
    ],
    [
      'a refund that turns out to have another one before it',
      { ...PAID, reversals: [REFUND] },
      { ...PAID, reversals: [{ ...REFUND, amountMinor: 1, at: at(9) }, REFUND] },
      [event('refund', 10, [67, 33], -1), event('refund', 9, [1, 0]), event('refund', 10, [66, 34])],
    ],
    [
      'one refund fewer of two equal refunds',
      { ...PAID, reversals: [REFUND, REFUND] },
      { ...PAID, reversals: [REFUND] },
      [event('refund', 10, [66, 34], -1)],
    ],
  ])('returns the events that lead from one state to the other: %s', (_what, before, after, events) => {
    expect(difference(eventsOf(before), eventsOf(after))).toEqual(events);
  });
});

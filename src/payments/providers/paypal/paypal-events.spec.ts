import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AppError } from '../../../domain/errors/app-error.js';
import { JsonFields, FormatError } from '../json-fields.js';
import { readPayPalOrder, toPayPalAmount } from './paypal-captures.js';
import { readPayPalEvent } from './paypal-events.js';

const ORDER_ID = '655f1c2ab1e4a9d3f0c81250';
const OTHER_ID = '655f1c2ab1e4a9d3f0c81251';
const EUR = (value: string) => ({ currency_code: 'EUR', value });
const TIMES = { create_time: '2026-11-21T11:00:00Z', update_time: '2026-11-21T12:00:00Z' };
const CAPTURE = {
  id: '3C679366HH908993F',
  status: 'COMPLETED',
  amount: EUR('19.99'),
  custom_id: ORDER_ID,
  supplementary_data: { related_ids: { order_id: '5O190127TN364715T' } },
  ...TIMES,
};
const PAID = {
  type: 'payment.succeeded',
  orderId: ORDER_ID,
  paymentId: '3C679366HH908993F',
  amountMinor: 1999,
  currency: 'EUR',
  occurredAt: new Date('2026-11-21T12:00:00Z'),
  cumulative: false,
};
const OF_ORDER = { checkoutId: '5O190127TN364715T' };
const REFUND = {
  id: '1Y107995YT783435V',
  status: 'COMPLETED',
  amount: EUR('5.00'),
  seller_payable_breakdown: { total_refunded_amount: EUR('7.50') },
  links: [
    { rel: 'self', href: 'https://api.paypal.com/v2/payments/refunds/1Y107995YT783435V' },
    { rel: 'up', href: 'https://api.paypal.com/v2/payments/captures/3C679366HH908993F' },
  ],
  ...TIMES,
};
const REFUNDED = { type: 'refund.succeeded', orderId: null, amountMinor: 500, refundId: '1Y107995YT783435V' };
const DISPUTE = {
  dispute_id: 'PP-D-27803',
  disputed_transactions: [{ seller_transaction_id: '3C679366HH908993F', custom: ORDER_ID }],
  dispute_amount: EUR('19.99'),
  ...TIMES,
};
const APPROVED = { id: '5O190127TN364715T', intent: 'CAPTURE', purchase_units: [{ custom_id: ORDER_ID }] };

function event(kind: unknown, resource: unknown, more: object = {}): Buffer {
  return Buffer.from(JSON.stringify({ id: 'WH-1-2', event_type: kind, resource, ...more }));
}
const paymentOf = (kind: string, resource: object): unknown =>
  readPayPalEvent(event(kind, resource)).events[0]?.payment;
const ended = (outcome: object) => ({ ...DISPUTE, dispute_outcome: outcome });

describe('readPayPalEvent', () => {
  it.each<[string, object, object]>([
    ['PAYMENT.CAPTURE.COMPLETED', CAPTURE, OF_ORDER],
    ['PAYMENT.CAPTURE.PENDING', { ...CAPTURE, status: 'PENDING' }, { ...OF_ORDER, type: 'payment.processing' }],
    ['PAYMENT.CAPTURE.DECLINED', CAPTURE, { ...OF_ORDER, type: 'payment.failed' }],
    ['PAYMENT.CAPTURE.DENIED', CAPTURE, { ...OF_ORDER, type: 'payment.failed' }],
    ['PAYMENT.CAPTURE.DENIED', { ...CAPTURE, supplementary_data: {} }, { type: 'payment.failed' }],
    ['PAYMENT.CAPTURE.DENIED', { ...CAPTURE, supplementary_data: null }, { type: 'payment.failed' }],
    ['PAYMENT.CAPTURE.REFUNDED', REFUND, { ...REFUNDED, amountMinor: 750, cumulative: true }],
    ['PAYMENT.CAPTURE.REFUNDED', { ...REFUND, seller_payable_breakdown: undefined }, REFUNDED],
    ['PAYMENT.CAPTURE.REFUNDED', { ...REFUND, status: 'PENDING' }, { ...REFUNDED, type: 'refund.pending' }],
    ['PAYMENT.CAPTURE.REFUNDED', { ...REFUND, status: 'FAILED' }, { ...REFUNDED, type: 'refund.failed' }],
    ['PAYMENT.CAPTURE.REFUNDED', { ...REFUND, status: 'CANCELLED' }, { ...REFUNDED, type: 'refund.failed' }],
    ['PAYMENT.CAPTURE.REFUNDED', { ...REFUND, seller_payable_breakdown: undefined, status: undefined }, REFUNDED],
    ['PAYMENT.CAPTURE.REVERSED', REFUND, { type: 'dispute.lost', orderId: null, amountMinor: 500 }],
    ['PAYMENT.CAPTURE.REVERSED', { ...CAPTURE, status: 'REVERSED' }, { type: 'dispute.lost' }],
    ['CUSTOMER.DISPUTE.CREATED', DISPUTE, { type: 'dispute.opened', disputeId: 'PP-D-27803' }],
    ...['RESOLVED_SELLER_FAVOUR', 'CANCELED_BY_BUYER', 'RESOLVED_WITH_PAYOUT', 'NONE', 'toString'].map(
      (outcome_code): [string, object, object] => [
        'CUSTOMER.DISPUTE.RESOLVED',
        ended({ outcome_code }),
        { type: 'dispute.won', disputeId: 'PP-D-27803' },
      ],
    ),
    ['CUSTOMER.DISPUTE.RESOLVED', DISPUTE, { type: 'dispute.won', disputeId: 'PP-D-27803' }],
    [
      'CUSTOMER.DISPUTE.RESOLVED',
      ended({ outcome_code: 'RESOLVED_BUYER_FAVOUR' }),
      { type: 'dispute.lost', disputeId: 'PP-D-27803' },
    ],
    [
      'CUSTOMER.DISPUTE.RESOLVED',
      ended({ outcome_code: 'ACCEPTED', amount_refunded: EUR('19.99') }),
      { type: 'dispute.lost', disputeId: 'PP-D-27803' },
    ],
    ...['ACCEPTED', 'RESOLVED_BUYER_FAVOUR'].map((outcome_code): [string, object, object] => [
      'CUSTOMER.DISPUTE.RESOLVED',
      ended({ outcome_code, amount_refunded: EUR('5.00') }),
      { type: 'dispute.lost', disputeId: 'PP-D-27803', amountMinor: 500 },
    ]),
    [
      'CUSTOMER.DISPUTE.RESOLVED',
      ended({ outcome_code: 'RESOLVED_BUYER_FAVOUR', amount_refunded: EUR('0.00') }),
      { type: 'dispute.lost', disputeId: 'PP-D-27803' },
    ],
    [
      'CUSTOMER.DISPUTE.RESOLVED',
      ended({ outcome_code: 'DENIED', amount_refunded: EUR('0.00') }),
      { type: 'dispute.won', disputeId: 'PP-D-27803' },
    ],
  ])('reads %s %j', (kind, resource, expected) => {
    const read = readPayPalEvent(event(kind, resource));
    expect(read).toEqual({
      events: [{ eventId: 'WH-1-2', kind, payment: { ...PAID, ...expected } }],
      approvedOrder: null,
    });
  });

  it.each<[string, string, unknown]>([
    ['a refund in a new state', 'PAYMENT.CAPTURE.REFUNDED', { ...REFUND, status: 'PAUSED' }],
    ['a dispute about no transaction', 'CUSTOMER.DISPUTE.CREATED', { ...DISPUTE, disputed_transactions: [] }],
    ['a dispute about an unknown one', 'CUSTOMER.DISPUTE.CREATED', { ...DISPUTE, disputed_transactions: [{}] }],
    ['an unknown kind', 'BILLING.PLAN.CREATED', {}],
    ['a kind named like a method of objects', 'constructor', {}],
    ['a kind without a resource', 'BILLING.PLAN.CREATED', undefined],
  ])('reads no payment from %s', (_, kind, resource) => {
    expect(readPayPalEvent(event(kind, resource)).events).toEqual([{ eventId: 'WH-1-2', kind, payment: null }]);
  });

  it('reads a dispute about several payments as an event for each, with its share of the amount', () => {
    const transaction = (seller_transaction_id: string, custom: string, gross?: string) => ({
      seller_transaction_id,
      custom,
      ...(gross === undefined ? {} : { gross_amount: EUR(gross) }),
    });
    const read = (first: string | undefined, outcome: object | undefined): unknown =>
      readPayPalEvent(
        event(outcome === undefined ? 'CUSTOMER.DISPUTE.CREATED' : 'CUSTOMER.DISPUTE.RESOLVED', {
          ...DISPUTE,
          disputed_transactions: [
            transaction('CAPTURE1', ORDER_ID, first),
            {},
            transaction('CAPTURE2', OTHER_ID, '30.00'),
          ],
          dispute_amount: EUR('40.00'),
          dispute_outcome: outcome,
        }),
      ).events.map(({ eventId, payment }) => [eventId, payment?.type, payment?.orderId, payment?.amountMinor]);
    expect(read('10.00', undefined)).toEqual([
      ['WH-1-2-CAPTURE1', 'dispute.opened', ORDER_ID, 1_000],
      ['WH-1-2-CAPTURE2', 'dispute.opened', OTHER_ID, 3_000],
    ]);
    expect(read('10.00', { outcome_code: 'RESOLVED_BUYER_FAVOUR', amount_refunded: EUR('0.03') })).toEqual([
      ['WH-1-2-CAPTURE1', 'dispute.lost', ORDER_ID, 0],
      ['WH-1-2-CAPTURE2', 'dispute.lost', OTHER_ID, 3],
    ]);
    // Without the amount of each, an order counts no more than what it received.
    expect(read(undefined, undefined)).toEqual([
      ['WH-1-2-CAPTURE1', 'dispute.opened', ORDER_ID, 4_000],
      ['WH-1-2-CAPTURE2', 'dispute.opened', OTHER_ID, 4_000],
    ]);
  });

  it.each([
    'https://api.paypal.com/v2/payments/authorizations/3C679366HH908993F',
    'https://api.paypal.com/v2/payments/captures/3C679366HH908993F/refund',
    { toString: 1 },
  ])('reads a refund as its own payment when the link to its capture is %j', (href) => {
    const refund = { ...REFUND, links: [{ rel: 'up', href }] };
    expect(paymentOf('PAYMENT.CAPTURE.REFUNDED', refund)).toMatchObject({ paymentId: REFUND.id });
  });

  it('reads the creation time of an unchanged object, and no reference of another system', () => {
    expect(
      paymentOf('PAYMENT.CAPTURE.COMPLETED', { ...CAPTURE, update_time: undefined, custom_id: 'order-7' }),
    ).toMatchObject({ orderId: null, occurredAt: new Date('2026-11-21T11:00:00Z') });
  });

  it('names an approved order of ours to capture, and none of another system', () => {
    const approved = (changes: object) =>
      readPayPalEvent(event('CHECKOUT.ORDER.APPROVED', { ...APPROVED, ...changes })).approvedOrder;
    expect(approved({})).toEqual({ id: '5O190127TN364715T', orderId: ORDER_ID });
    expect(approved({ intent: 'AUTHORIZE' })).toBeNull();
    expect(approved({ purchase_units: [{ custom_id: 'order-7' }] })).toBeNull();
    expect(approved({ purchase_units: [] })).toBeNull();
  });

  it.each<[string, Buffer]>([
    ['no JSON', Buffer.from('{')],
    ['a list', Buffer.from('[]')],
    ['no id', event('BILLING.PLAN.CREATED', {}, { id: undefined })],
    ['an id that is an operator', event('BILLING.PLAN.CREATED', {}, { id: { $ne: 1 } })],
    ['a type that is a list', event(['X'], {})],
    ['no resource', event('PAYMENT.CAPTURE.COMPLETED', null)],
    ['no amount', event('PAYMENT.CAPTURE.COMPLETED', { ...CAPTURE, amount: null })],
    ['a negative amount', event('PAYMENT.CAPTURE.COMPLETED', { ...CAPTURE, amount: EUR('-1.00') })],
    ['a fraction of a cent', event('PAYMENT.CAPTURE.COMPLETED', { ...CAPTURE, amount: EUR('1.001') })],
    ['an id that is a path', event('PAYMENT.CAPTURE.COMPLETED', { ...CAPTURE, id: '../../x' })],
    ['no time', event('PAYMENT.CAPTURE.COMPLETED', { ...CAPTURE, create_time: null, update_time: null })],
    ['an approved order with a path as its id', event('CHECKOUT.ORDER.APPROVED', { ...APPROVED, id: 'A/../B' })],
  ])('rejects %s', (_, body) => {
    expect(() => readPayPalEvent(body)).toThrow(expect.objectContaining({ code: 'webhook_rejected' }));
  });

  it('returns an event or rejects the body for any JSON, and never fails otherwise (1,000 cases)', () => {
    const hostile = fc.oneof(fc.jsonValue(), fc.constant({ toString: 1, valueOf: 1 }), fc.constant({ __proto__: 1 }));
    const objects: [string, Readonly<Record<string, unknown>>][] = [
      ['PAYMENT.CAPTURE.DENIED', CAPTURE],
      ['PAYMENT.CAPTURE.REFUNDED', REFUND],
      ['PAYMENT.CAPTURE.REFUNDED', { ...REFUND, links: [{ rel: 'up', href: { toString: 1 } }] }],
      ['CUSTOMER.DISPUTE.RESOLVED', ended({ outcome_code: { toString: 1 } })],
      ['CHECKOUT.ORDER.APPROVED', APPROVED],
    ];
    const cases = fc.constantFrom(...objects).chain(([kind, object]) =>
      fc.record({
        kind: fc.constant(kind),
        resource: fc.oneof(
          hostile,
          fc.tuple(fc.constantFrom(...Object.keys(object)), hostile).map(([name, value]) => ({
            ...object,
            [name]: value,
          })),
        ),
      }),
    );
    fc.assert(
      fc.property(cases, ({ kind, resource }) => {
        try {
          readPayPalEvent(event(kind, resource));
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('readPayPalOrder', () => {
  const read = (captures: unknown): unknown =>
    readPayPalOrder(
      JsonFields.parse(Buffer.from(JSON.stringify({ purchase_units: [{}, { payments: { captures } }] }))),
      { id: '5O190127TN364715T', orderId: ORDER_ID },
    );

  it.each([
    ['COMPLETED', 'payment.succeeded'],
    ['PARTIALLY_REFUNDED', 'payment.succeeded'],
    ['REFUNDED', 'payment.succeeded'],
    ['PENDING', 'payment.processing'],
    ['DECLINED', 'payment.failed'],
    ['DENIED', 'payment.failed'],
    ['FAILED', 'payment.failed'],
  ])('reads a capture in the state %s as %s, with the order of the request', (status, type) => {
    const kind = `PAYMENT.CAPTURE.${status}`;
    const capture = { ...CAPTURE, status, custom_id: undefined, supplementary_data: undefined };
    expect(read([capture])).toEqual([
      { eventId: `3C679366HH908993F-${status}`, kind, payment: { ...PAID, ...OF_ORDER, type } },
    ]);
  });

  it.each(['completed', 'aCOMPLETED', 'COMPLETED ', '', 7])('rejects a capture in the state %j', (status) => {
    expect(() => read([{ ...CAPTURE, status }])).toThrow(
      new FormatError('purchase_units[1].payments.captures[0].status must be a state'),
    );
  });

  it('reads no payment from a capture in an unknown state', () => {
    expect(read([{ ...CAPTURE, status: 'NEW_STATE' }])).toMatchObject([{ payment: null }]);
    expect(read(undefined)).toEqual([]);
  });
});

it.each([
  [1999, 'EUR', '19.99'],
  [500, 'JPY', '500'],
  [500_000, 'HUF', '5000'],
  [500_001, 'HUF', null],
  [100, 'TWD', '1'],
  [150, 'TWD', null],
])('writes %d minor units of %s as the PayPal amount %s', (minor, currency, text) => {
  expect(toPayPalAmount(minor, currency)).toBe(text);
});

describe('A payee that is not the account of the shop', () => {
  const OWN = 'Z9J8K7H6G5F4D';
  const FOREIGN = { payee: { merchant_id: 'A2B3C4D5E6F7G' } };
  const problem = `The money went to another PayPal account than ${OWN}, the one of the shop`;

  it.each<[string, string | undefined, object, boolean]>([
    ['of the shop', OWN, { payee: { merchant_id: OWN } }, true],
    ['that PayPal does not name', OWN, {}, true],
    ['of somebody else', OWN, FOREIGN, false],
    ['without a merchant id', OWN, { payee: { email_address: 'x@example.com' } }, false],
    ['of somebody, while the service does not know that of the shop', undefined, FOREIGN, true],
  ])('reads a capture for a payee %s', (_, merchantId, payee, isPayment) => {
    const { events } = readPayPalEvent(event('PAYMENT.CAPTURE.COMPLETED', { ...CAPTURE, ...payee }), merchantId);
    expect(events[0]).toMatchObject(isPayment ? { payment: OF_ORDER } : { payment: null, problem });
  });

  const AT = { create_time: '2026-11-21T12:00:00Z' };
  const EUR = { currency_code: 'EUR', value: '5.00' };
  const MONEY_BACK: readonly [string, (merchant: object) => object][] = [
    ['PAYMENT.CAPTURE.REFUNDED', (payer) => ({ id: 'R1', status: 'COMPLETED', amount: EUR, ...AT, payer })],
    ['PAYMENT.CAPTURE.REVERSED', (payer) => ({ id: 'R1', status: 'COMPLETED', amount: EUR, ...AT, payer })],
    [
      'CUSTOMER.DISPUTE.CREATED',
      (seller) => ({
        ...{ dispute_id: 'PP-D-1', dispute_amount: EUR, ...AT },
        disputed_transactions: [{ seller_transaction_id: 'C1', seller }],
      }),
    ],
  ];

  it.each(MONEY_BACK)(
    'ignores %s of another account, and none of the shop or without a merchant id',
    (kind, resource) => {
      const read = (merchant: object) => readPayPalEvent(event(kind, resource(merchant)), OWN).events;
      expect(read(FOREIGN.payee)).toMatchObject([{ payment: null, problem }]);
      expect(read({ merchant_id: OWN })[0]?.payment).not.toBeNull();
      expect(read({ email_address: 'x@example.com' })[0]?.payment).not.toBeNull();
    },
  );

  it('prevents that an approved order is captured', () => {
    const [unit] = APPROVED.purchase_units;
    const order = { ...APPROVED, purchase_units: [{ ...unit, ...FOREIGN }] };
    expect(readPayPalEvent(event('CHECKOUT.ORDER.APPROVED', order), OWN).approvedOrder).toBeNull();
    expect(readPayPalEvent(event('CHECKOUT.ORDER.APPROVED', APPROVED), OWN).approvedOrder).not.toBeNull();
  });
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { JsonFields, FormatError } from '../json-fields.js';
import { readMolliePayment } from './mollie-events.js';
import { type ProviderEvent } from '../provider.js';

const ORDER_ID = '655f1c2ab1e4a9d3f0c81250';
const ID = 'tr_5B8cwPMGnU6qLbRvo7qEZo';
const EUR = (value: string) => ({ currency: 'EUR', value });
const CREATED = '2024-03-20T09:13:37+00:00';

/** The fields of https://docs.mollie.com/reference/get-payment that are read, and some that are not. */
const PAYMENT = {
  resource: 'payment',
  id: ID,
  mode: 'live',
  amount: EUR('10.00'),
  settlementAmount: EUR('9.50'),
  amountRefunded: EUR('0.00'),
  status: 'open',
  metadata: { orderId: ORDER_ID },
  createdAt: CREATED,
};
/** https://docs.mollie.com/reference/refunds-api-webhooks */
const REFUND = {
  resource: 'refund',
  id: 're_4qqhO89gsT',
  mode: 'live',
  amount: EUR('5.95'),
  description: 'Order #12345',
  metadata: null,
  status: 'refunded',
  paymentId: ID,
  createdAt: CREATED,
};
/** https://docs.mollie.com/reference/chargebacks-api-webhooks */
const CHARGEBACK = {
  resource: 'chargeback',
  id: 'chb_xFzwUN4ci8HAmSGUACS4J',
  amount: EUR('10.00'),
  reason: null,
  paymentId: ID,
  createdAt: CREATED,
  reversedAt: null,
};

/** A day after the chargeback. */
const SOON = new Date(Date.parse(CREATED) + 86_400_000);
const read = (fields: object, now = SOON): ProviderEvent[] =>
  readMolliePayment(JsonFields.parse(Buffer.from(JSON.stringify({ ...PAYMENT, ...fields }))), ID, now);
const embedded = (refunds: unknown, chargebacks: unknown = [], now = SOON): ProviderEvent[] =>
  read({ status: 'paid', _embedded: { refunds, chargebacks } }, now).slice(1);

const DETAILS = { orderId: ORDER_ID, paymentId: ID, currency: 'EUR', cumulative: false };
const LATER = '2024-03-21T09:13:37+00:00';

describe('A payment of Mollie', () => {
  it.each([
    ['open', 'payment.pending', null],
    ['pending', 'payment.processing', null],
    ['authorized', 'payment.authorized', 'authorizedAt'],
    ['paid', 'payment.succeeded', 'paidAt'],
    ['failed', 'payment.failed', 'failedAt'],
    ['canceled', 'payment.canceled', 'canceledAt'],
    ['expired', 'payment.expired', 'expiredAt'],
  ])('reads a payment in the state %s as %s, at the time in %s', (status, type, since) => {
    const payment = { ...DETAILS, type, amountMinor: 1000, occurredAt: new Date(since === null ? CREATED : LATER) };
    expect(read({ status, ...(since === null ? {} : { [since]: LATER }) })).toEqual([
      { eventId: `${ID}-${status}`, kind: `payment.${status}`, payment },
    ]);
  });

  it.each(['constructor', 'settled'])('changes nothing in the unknown state %s', (status) => {
    expect(read({ status })).toEqual([{ eventId: `${ID}-${status}`, kind: `payment.${status}`, payment: null }]);
  });

  it('reads a payment of another system without an order', () => {
    expect(read({ metadata: { order_id: 1234 } })[0]?.payment?.orderId).toBeNull();
    expect(read({ metadata: 'a text' })[0]?.payment?.orderId).toBeNull();
  });

  it('reads the exact amount in currencies with zero and three decimals', () => {
    expect(read({ amount: { currency: 'JPY', value: '1250' } })[0]?.payment?.amountMinor).toBe(1250);
    expect(read({ amount: { currency: 'KWD', value: '1.234' } })[0]?.payment?.amountMinor).toBe(1234);
  });
});

describe('readMolliePayment', () => {
  it.each(['processing', 'refunded'])('reads a refund in the state %s once, with its own amount', (status) => {
    expect(embedded([{ ...REFUND, status }])).toEqual([
      {
        eventId: 're_4qqhO89gsT-refunded',
        kind: `refund.${status}`,
        payment: {
          ...DETAILS,
          type: 'refund.succeeded',
          refundId: 're_4qqhO89gsT',
          amountMinor: 595,
          occurredAt: new Date(CREATED),
        },
      },
    ]);
  });

  it.each([
    ['queued', 'pending'],
    ['pending', 'pending'],
    ['failed', 'failed'],
    ['canceled', 'failed'],
  ])('reads a refund in the state %s as %s', (status, state) => {
    expect(embedded([{ ...REFUND, status }])).toMatchObject([
      {
        eventId: `re_4qqhO89gsT-${state}`,
        kind: `refund.${status}`,
        payment: { type: `refund.${state}`, refundId: 're_4qqhO89gsT', amountMinor: 595 },
      },
    ]);
  });

  it.each(['paused', 'constructor'])('reads no payment from a refund in the unknown state %s', (status) => {
    expect(embedded([{ ...REFUND, status }])).toEqual([
      { eventId: `re_4qqhO89gsT-${status}`, kind: `refund.${status}`, payment: null },
    ]);
  });

  it('reads a chargeback as lost when it was not reversed within 120 days, in every repetition the same', () => {
    const lostAt = new Date(Date.parse(CREATED) + 120 * 86_400_000);
    const typesAt = (now: Date, reversedAt: string | null = null): unknown[] =>
      embedded([], [{ ...CHARGEBACK, reversedAt }], now).map(({ payment }) => payment?.type);
    expect(typesAt(new Date(lostAt.getTime() - 1))).toEqual(['dispute.opened']);
    expect(typesAt(lostAt, LATER)).toEqual(['dispute.opened', 'dispute.won']);
    for (const now of [lostAt, new Date(lostAt.getTime() + 86_400_000)]) {
      expect(embedded([], [CHARGEBACK], now)[1]).toEqual({
        eventId: `${CHARGEBACK.id}-lost`,
        kind: 'chargeback.lost',
        payment: {
          ...DETAILS,
          type: 'dispute.lost',
          disputeId: CHARGEBACK.id,
          amountMinor: 1000,
          occurredAt: lostAt,
        },
      });
    }
  });

  it('reads a chargeback as an opened dispute, and its reversal as a won one', () => {
    const opened = {
      eventId: 'chb_xFzwUN4ci8HAmSGUACS4J-received',
      kind: 'chargeback.received',
      payment: {
        ...DETAILS,
        type: 'dispute.opened',
        disputeId: CHARGEBACK.id,
        amountMinor: 1000,
        occurredAt: new Date(CREATED),
      },
    };
    const reversed = {
      eventId: 'chb_xFzwUN4ci8HAmSGUACS4J-reversed',
      kind: 'chargeback.reversed',
      payment: {
        ...DETAILS,
        type: 'dispute.won',
        disputeId: CHARGEBACK.id,
        amountMinor: 1000,
        occurredAt: new Date(LATER),
      },
    };
    expect(embedded([], [CHARGEBACK])).toEqual([opened]);
    expect(embedded([], [{ ...CHARGEBACK, reversedAt: LATER }])).toEqual([opened, reversed]);
  });

  it('returns the payment with all refunds and chargebacks, each with its own id', () => {
    const ids = embedded([REFUND, { ...REFUND, id: 're_2' }], [CHARGEBACK]).map(({ eventId }) => eventId);
    expect(ids).toEqual(['re_4qqhO89gsT-refunded', 're_2-refunded', 'chb_xFzwUN4ci8HAmSGUACS4J-received']);
  });
});

describe('A malformed response of Mollie', () => {
  it.each<[string, object, string]>([
    ['no status', { status: undefined }, 'status must be 1 to 255 printable characters without spaces'],
    ['an amount that is a number', { amount: { currency: 'EUR', value: 10 } }, 'amount.value must be a decimal string'],
    ['a negative amount', { amount: EUR('-10.00') }, 'amount.value must be a decimal string'],
    ['half a cent', { amount: EUR('10.005') }, 'amount.value must be exact in EUR'],
    [
      'an unknown currency',
      { amount: { currency: 'ZZZ', value: '1.00' } },
      'amount.currency must be a currency code of three letters such as EUR',
    ],
    ['no time', { createdAt: undefined }, 'createdAt must be a date-time with an offset such as 2026-11-21T12:00:00Z'],
    ['refunds that are no list', { _embedded: { refunds: {} } }, '_embedded.refunds must be a list of objects'],
    [
      'a refund without an id',
      { _embedded: { refunds: [{ ...REFUND, id: undefined }] } },
      '_embedded.refunds[0].id must be 1 to 255 printable characters without spaces',
    ],
    [
      'a chargeback without a time',
      { _embedded: { chargebacks: [{ ...CHARGEBACK, createdAt: 7 }] } },
      '_embedded.chargebacks[0].createdAt must be a date-time with an offset such as 2026-11-21T12:00:00Z',
    ],
  ])('rejects a response with %s', (_, fields, sentence) => {
    expect(() => read(fields)).toThrow(new FormatError(sentence));
  });

  it('rejects or reads any JSON, and fails in no other way (1,000 cases)', () => {
    const status = fc.constantFrom('paid', 'open', 'constructor');
    fc.assert(
      fc.property(status, fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (state, amount, metadata, refunds) => {
        try {
          read({ status: state, amount, metadata, _embedded: { refunds } });
        } catch (error) {
          expect(error).toMatchObject({ name: 'AppError' });
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readCoinbaseCheckout, readCoinbaseEvent } from './coinbase-events.js';
import { JsonFields, FormatError } from '../json-fields.js';
import { type ProviderEvent } from '../provider.js';

const ORDER_ID = '655f1c2ab1e4a9d3f0c81250';
const ID = '69163c762331ed43dc64a6ef';
const UPDATED = '2025-11-13T20:16:55.097Z';

/** https://docs.cdp.coinbase.com/coinbase-business/checkout-apis/webhooks, "Checkout payment success event", with our order. */
const SUCCESS = {
  id: ID,
  url: 'https://payments.coinbase.com/payment-links/pl_01k9zdrbdeezj98vaqaxrfare0',
  amount: '100.00',
  currency: 'USDC',
  network: 'base',
  address: '0x742d35Cc6634C0532925a3b844Bc454e4438f44e',
  description: 'Payment for order #12345',
  eventType: 'checkout.payment.success',
  expiresAt: '2026-12-31T23:59:59Z',
  metadata: { customerId: 'cust_abc123', orderId: ORDER_ID },
  settlement: { totalAmount: '100.00', feeAmount: '1.25', netAmount: '98.75', currency: 'USDC' },
  status: 'COMPLETED',
  transactionHash: '0x3a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6e7f8a9b0c1d2e3f4a5b6c7d8e9f0a1b',
  createdAt: '2025-11-13T20:15:49.329Z',
  updatedAt: UPDATED,
};
/** The same page, "Checkout refund success event". */
const REFUND = {
  id: '69163c762331ed43dc64b7fg',
  checkoutId: ID,
  amount: '100.00',
  currency: 'USDC',
  status: 'COMPLETED',
  reason: 'Customer requested refund',
  transactionHash: '0xabcdef1234567890abcdef1234567890abcdef1234567890abcdef1234567890',
  createdAt: '2025-11-14T10:00:00.000Z',
  completedAt: '2025-11-14T10:05:00.000Z',
};

const fieldsOf = (object: object): JsonFields => JsonFields.parse(Buffer.from(JSON.stringify(object)));
const read = (fields: object): ProviderEvent[] =>
  readCoinbaseEvent(Buffer.from(JSON.stringify({ ...SUCCESS, ...fields })));
const readFetched = (fields: object): ProviderEvent[] => readCoinbaseCheckout(fieldsOf({ ...SUCCESS, ...fields }));
const refundsOf = (...refunds: object[]): ProviderEvent[] =>
  read({ eventType: 'checkout.refund.success', status: 'REFUNDED', refunds }).slice(1);

const DETAILS = { orderId: ORDER_ID, paymentId: ID, amountMinor: 10_000, currency: 'USD', cumulative: false };
const SUCCEEDED = { ...DETAILS, type: 'payment.succeeded', occurredAt: new Date(UPDATED) };

describe('readCoinbaseCheckout', () => {
  it.each([
    ['PROCESSING', 'payment.processing', 'PROCESSING'],
    ['COMPLETED', 'payment.succeeded', 'COMPLETED'],
    ['PARTIALLY_REFUNDED', 'payment.succeeded', 'COMPLETED'],
    ['REFUNDED', 'payment.succeeded', 'COMPLETED'],
    ['FAILED', 'payment.failed', 'FAILED'],
    ['EXPIRED', 'payment.expired', 'EXPIRED'],
    ['DEACTIVATED', 'payment.canceled', 'DEACTIVATED'],
  ])(
    'reads a checkout in the state %s as %s with the event id ...-%s, fetched and in a webhook',
    (status, type, id) => {
      const event = { eventId: `${ID}-${id}`, payment: { ...DETAILS, type, occurredAt: new Date(UPDATED) } };
      expect(readFetched({ status })).toEqual([{ ...event, kind: `checkout.${status}` }]);
      const eventType = 'checkout.payment.failed';
      expect(read({ status, eventType })).toEqual([{ ...event, kind: eventType }]);
    },
  );

  it.each(['ACTIVE', 'constructor'])('reads no payment from a checkout in the state %s', (status) => {
    expect(readFetched({ status })).toEqual([
      { eventId: `${ID}-${status}`, kind: `checkout.${status}`, payment: null },
    ]);
  });

  it('reads checkout.payment.success as paid, also when the state does not show it yet', () => {
    const event = { eventId: `${ID}-COMPLETED`, kind: 'checkout.payment.success', payment: SUCCEEDED };
    for (const status of ['COMPLETED', 'ACTIVE', 'PROCESSING']) expect(read({ status })).toEqual([event]);
  });

  it('reads no payment from a webhook about something else, with the same id in a repetition', () => {
    const [event, ...more] = read({ eventType: 'onramp.transaction.success' });
    const eventId = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect([event, more]).toEqual([{ eventId, kind: 'onramp.transaction.success', payment: null }, []]);
    expect(read({ eventType: 'onramp.transaction.success' })).toEqual([event]);
    expect(read({ eventType: 'onramp.transaction.failed' })[0]?.eventId).not.toBe(event?.eventId);
  });

  it('reads no order from a checkout of another system', () => {
    expect(read({ metadata: { orderId: '12345' } })[0]?.payment?.orderId).toBeNull();
    expect(read({ metadata: undefined })[0]?.payment?.orderId).toBeNull();
  });

  it.each([
    ['100.00', 'USDC', 10_000, 'USD'],
    ['12.340000', 'USDC', 1234, 'USD'],
    ['5', 'USDC', 500, 'USD'],
    ['9.99', 'EUR', 999, 'EUR'],
  ])('reads the amount %s %s exactly, as %s minor units of %s', (amount, currency, amountMinor, ours) => {
    expect(read({ amount, currency })[0]?.payment).toMatchObject({ amountMinor, currency: ours });
  });
});

describe('The refunds of a Coinbase checkout', () => {
  it.each([
    ['PENDING', 'refund.pending'],
    ['COMPLETED', 'refund.succeeded'],
    ['FAILED', 'refund.failed'],
  ])('reads a refund in the state %s as %s, with its own id and amount', (status, type) => {
    const events = refundsOf({ ...REFUND, status }, { ...REFUND, status, id: '2', amount: '0.50' });
    expect(events).toEqual(
      [
        { refundId: REFUND.id, amountMinor: 10_000 },
        { refundId: '2', amountMinor: 50 },
      ].map((own) => ({
        eventId: `refund-${own.refundId}-${status}`,
        kind: 'checkout.refund.success',
        payment: { ...DETAILS, type, occurredAt: new Date(REFUND.completedAt), ...own },
      })),
    );
  });

  it('takes the time of completion, then of creation, then of the change of the checkout', () => {
    const times = [{}, { completedAt: null }, { completedAt: undefined, createdAt: undefined }];
    const occurred = times.map((time) => refundsOf({ ...REFUND, ...time })[0]?.payment?.occurredAt.toISOString());
    expect(occurred).toEqual([REFUND.completedAt, REFUND.createdAt, UPDATED]);
  });

  it('reads no payment from a refund in an unknown state', () => {
    expect(refundsOf({ ...REFUND, status: 'constructor' })[0]?.payment).toBeNull();
  });

  it('names the kind by the state when the checkout was fetched', () => {
    const kinds = readFetched({ refunds: [REFUND] }).map(({ kind }) => kind);
    expect(kinds).toEqual(['checkout.COMPLETED', 'refund.COMPLETED']);
  });
});

describe('readCoinbaseEvent, malformed input', () => {
  it.each<[string, object, string]>([
    ['no kind of event', { eventType: undefined }, 'eventType must be 1 to 255 printable characters without spaces'],
    ['no id', { id: undefined }, 'id must be the id of a checkout'],
    ['an id that is none', { id: '../x' }, 'id must be the id of a checkout'],
    ['no status', { status: undefined }, 'status must be 1 to 255 printable characters without spaces'],
    ['an amount that is a number', { amount: 100 }, 'amount must be a decimal string'],
    ['a negative amount', { amount: '-100.00' }, 'amount must be a decimal string'],
    ['a part of a cent', { amount: '100.001' }, 'amount must be exact in USD'],
    ['a part of a fils after zeros', { amount: '5.0001', currency: 'KWD' }, 'amount must be exact in KWD'],
    ['an amount with a tail', { amount: '100.00 USDC' }, 'amount must be a decimal string'],
    ['an id with a tail', { id: 'a1/x' }, 'id must be the id of a checkout'],
    ['another coin', { currency: 'ETHX' }, 'currency must be USDC or a currency code such as EUR'],
    ['an unknown currency', { currency: 'ZZZ' }, 'currency must be USDC or a currency code such as EUR'],
    ['no time', { updatedAt: undefined }, 'updatedAt must be a date-time with an offset such as 2026-11-21T12:00:00Z'],
    ['refunds that are no list', { refunds: {} }, 'refunds must be a list of objects'],
    [
      'a refund without an id',
      { refunds: [{ ...REFUND, id: undefined }] },
      'refunds[0].id must be 1 to 255 printable characters without spaces',
    ],
  ])('rejects %s', (_, fields, sentence) => {
    expect(() => read(fields)).toThrow(new FormatError(sentence));
  });

  it('returns events or rejects the body for any JSON, and never fails otherwise (1,000 cases)', () => {
    const value = fc.jsonValue();
    fc.assert(
      fc.property(fc.constantFrom('COMPLETED', 'x'), value, value, value, (status, amount, metadata, refunds) => {
        try {
          read({ status, amount, metadata, refunds });
        } catch (error) {
          expect(error).toMatchObject({ name: 'AppError' });
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

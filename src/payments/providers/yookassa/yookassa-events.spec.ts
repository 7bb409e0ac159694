import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { JsonFields, FormatError } from '../json-fields.js';
import { type ProviderEvent } from '../provider.js';
import { readYookassaPayment, readYookassaRefund } from './yookassa-events.js';

const ORDER_ID = '655f1c2ab1e4a9d3f0c81250';
const RECEIVED_AT = new Date('2026-11-21T12:00:00.000Z');
const RUB = (value: string) => ({ value, currency: 'RUB' });

/** yoomoney/yookassa-sdk-php, tests/Client/fixtures/paymentInfoFixtures.json, with our reference. */
const PAYMENT = {
  id: '1da5c87d-0984-50e8-a7f3-8de646dd9ec9',
  status: 'succeeded',
  error: { code: 'insufficient_funds', description: 'Съешь еще этих мягких французских булок' },
  recipient: { account_id: '123', gateway_id: '456' },
  amount: RUB('10.00'),
  payment_method: {
    id: '1da5c87d-0984-50e8-a7f3-8de646dd9ec9',
    saved: true,
    title: 'Основная карта',
    type: 'qiwi',
  },
  created_at: '2015-11-19T17:05:07+03:00',
  captured_at: '2015-11-19T17:05:31+03:00',
  confirmation: { type: 'external' },
  refunded_amount: RUB('10.00'),
  paid: true,
  refundable: true,
  test: true,
  receipt_registration: 'succeeded',
  metadata: { orderId: ORDER_ID },
};
/** The same, tests/Client/fixtures/refundInfoFixtures.json */
const REFUND = {
  id: '1ddd77af-0bd7-500d-895b-c475c55fdefc',
  payment_id: '1da5c87d-0984-50e8-a7f3-8de646dd9ec9',
  status: 'succeeded',
  error: { code: 'authorization_rejected', description: 'Съешь еще этих мягких французских булок' },
  created_at: '2015-11-19T17:05:07+03:00',
  authorized_at: '2015-11-19T17:05:31+03:00',
  amount: RUB('10.00'),
  receipt_registered: 'succeeded',
  description: 'string',
};

const fieldsOf = (object: object): JsonFields => JsonFields.parse(Buffer.from(JSON.stringify(object)));
const readPayment = (fields: object): ProviderEvent =>
  readYookassaPayment(fieldsOf({ ...PAYMENT, ...fields }), PAYMENT.id, RECEIVED_AT);
const readRefund = (fields: object): ProviderEvent => readYookassaRefund(fieldsOf({ ...REFUND, ...fields }), REFUND.id);

const CREATED = new Date('2015-11-19T14:05:07.000Z');
const DETAILS = {
  orderId: ORDER_ID,
  paymentId: PAYMENT.id,
  amountMinor: 1000,
  currency: 'RUB',
  cumulative: false,
};

describe('A payment of YooKassa', () => {
  it.each<[string, object, string, Date]>([
    ['waiting_for_capture', { captured_at: undefined }, 'payment.authorized', CREATED],
    ['succeeded', {}, 'payment.succeeded', new Date('2015-11-19T14:05:31.000Z')],
    ['succeeded', { captured_at: null }, 'payment.succeeded', CREATED],
    ['canceled', { cancellation_details: { reason: 'expired_on_confirmation' } }, 'payment.expired', RECEIVED_AT],
    ['canceled', { cancellation_details: { reason: 'expired_on_capture' } }, 'payment.expired', RECEIVED_AT],
    ['canceled', { cancellation_details: { reason: 'canceled_by_merchant' } }, 'payment.canceled', RECEIVED_AT],
    ['canceled', { cancellation_details: { reason: 'insufficient_funds' } }, 'payment.failed', RECEIVED_AT],
    ['canceled', { cancellation_details: { reason: 'constructor' } }, 'payment.failed', RECEIVED_AT],
    ['canceled', {}, 'payment.failed', RECEIVED_AT],
  ])('reads a payment in the state %s with %j as %s', (status, fields, type, occurredAt) => {
    expect(readPayment({ status, ...fields })).toEqual({
      eventId: `${PAYMENT.id}-${status}`,
      kind: `payment.${status}`,
      payment: { ...DETAILS, type, occurredAt },
    });
  });

  it.each(['pending', 'constructor'])('changes nothing in the state %s', (status) => {
    expect(readPayment({ status })).toEqual({
      eventId: `${PAYMENT.id}-${status}`,
      kind: `payment.${status}`,
      payment: null,
    });
  });

  it('reads a payment of another system without an order', () => {
    expect(readPayment({ metadata: { order_id: '37' } }).payment?.orderId).toBeNull();
    expect(readPayment({ metadata: undefined }).payment?.orderId).toBeNull();
  });
});

describe('A refund of YooKassa', () => {
  it('reads why a refund failed', () => {
    const cancellation_details = { party: 'yoo_money', reason: 'insufficient_funds' };
    expect(readRefund({ status: 'canceled', cancellation_details }).payment).toMatchObject({
      type: 'refund.failed',
      failure: 'insufficient_funds',
    });
  });

  it('reads a refund with its own amount, and names its payment but no order', () => {
    expect(readRefund({ amount: RUB('2.50') })).toEqual({
      eventId: `${REFUND.id}-succeeded`,
      kind: 'refund.succeeded',
      payment: {
        ...DETAILS,
        type: 'refund.succeeded',
        refundId: REFUND.id,
        orderId: null,
        amountMinor: 250,
        occurredAt: CREATED,
      },
    });
  });

  it.each([
    ['pending', 'pending'],
    ['canceled', 'failed'],
  ])('reads a refund in the state %s as %s', (status, state) => {
    expect(readRefund({ status })).toMatchObject({
      eventId: `${REFUND.id}-${status}`,
      kind: `refund.${status}`,
      payment: { type: `refund.${state}`, refundId: REFUND.id },
    });
  });

  it('changes nothing in an unknown state', () => {
    expect(readRefund({ status: 'paused' }).payment).toBeNull();
  });
});

describe('A malformed response of YooKassa', () => {
  it.each<[string, () => ProviderEvent, string]>([
    [
      'no status',
      () => readPayment({ status: undefined }),
      'status must be 1 to 255 printable characters without spaces',
    ],
    [
      'an amount that is a number',
      () => readPayment({ amount: { value: 10, currency: 'RUB' } }),
      'amount.value must be a decimal string',
    ],
    ['a negative amount', () => readRefund({ amount: RUB('-10.00') }), 'amount.value must be a decimal string'],
    ['half a kopeck', () => readPayment({ amount: RUB('10.005') }), 'amount.value must be exact in RUB'],
    [
      'an unknown currency',
      () => readPayment({ amount: { value: '1.00', currency: 'RUR' } }),
      'amount.currency must be a currency code of three letters such as EUR',
    ],
    [
      'a time without an offset',
      () => readPayment({ captured_at: '2015-11-19T17:05:31' }),
      'captured_at must be a date-time with an offset such as 2026-11-21T12:00:00Z',
    ],
    [
      'a refund of no payment',
      () => readRefund({ payment_id: { $ne: 1 } }),
      'payment_id must be an id of YooKassa: 36 lower-case hexadecimal digits and hyphens',
    ],
    [
      'a reason in a list',
      () => readPayment({ status: 'canceled', cancellation_details: ['x'] }),
      'cancellation_details must be an object',
    ],
  ])('rejects a malformed response with %s', (_, read, sentence) => {
    expect(read).toThrow(new FormatError(sentence));
  });

  it('rejects or reads any JSON as a response, and fails in no other way (1,000 cases)', () => {
    const statuses = fc.constantFrom('succeeded', 'canceled', 'waiting_for_capture', 'constructor');
    fc.assert(
      fc.property(statuses, fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (status, amount, metadata, details) => {
        try {
          readPayment({ status, amount, metadata, cancellation_details: details });
          readRefund({ status, amount, payment_id: details });
        } catch (error) {
          expect(error).toMatchObject({ name: 'AppError' });
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

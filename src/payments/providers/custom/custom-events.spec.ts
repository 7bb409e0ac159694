import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BODY, ID, NOW, PAYMENT } from '../../../../test/support/custom-payment.js';
import { AppError } from '../../../domain/errors/app-error.js';
import { readCustomEvent } from './custom-events.js';

describe('readCustomEvent', () => {
  const parse = (value: unknown): unknown =>
    readCustomEvent(ID, Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)), NOW);

  it.each([
    'payment.pending',
    'payment.authorized',
    'payment.succeeded',
    'payment.failed',
    'payment.canceled',
    'payment.expired',
    'refund.pending',
    'refund.succeeded',
    'refund.failed',
    'dispute.opened',
    'dispute.won',
    'dispute.lost',
    'fraud.warning',
  ])('reads an event of the type %s', (type) => {
    expect(parse({ ...PAYMENT, type })).toMatchObject({ kind: type, payment: { type, amountMinor: 1999 } });
  });

  it.each([
    [{ amount: 0 }, { amountMinor: 0 }],
    [{ amount: 1_000_000_000 }, { amountMinor: 100_000_000_000 }],
    [{ occurredAt: '2000-01-01T00:00:00Z' }, { occurredAt: new Date('2000-01-01T00:00:00Z') }],
    [{ occurredAt: '2026-11-21T12:05:00Z' }, { occurredAt: new Date('2026-11-21T12:05:00Z') }],
  ])('reads %j, the largest allowed value', (fields, payment) => {
    expect(parse({ ...PAYMENT, ...fields })).toMatchObject({ payment });
  });

  it('reads the id of a refund if the event has one', () => {
    expect(parse({ ...PAYMENT, type: 'refund.pending', refundId: 're_1' })).toMatchObject({
      payment: { refundId: 're_1' },
    });
    expect(parse({ ...PAYMENT, type: 'refund.failed' })).not.toHaveProperty('payment.refundId');
  });

  it('rejects bytes that are not UTF-8', () => {
    expect(() => readCustomEvent(ID, Buffer.from('{"type":"\xff"}', 'latin1'), NOW)).toThrow(
      'The webhook request cannot be read: the body must be JSON in UTF-8',
    );
  });

  it('reads no payment from an unknown kind of event, with any fields', () => {
    expect(parse({ type: 'customer.created', data: [] })).toEqual({
      eventId: ID,
      kind: 'customer.created',
      payment: null,
    });
  });

  it.each<[string, object | string, string]>([
    ['no JSON', '{"type":', 'the body must be JSON in UTF-8'],
    ['a list', '[]', 'the body must be a JSON object'],
    ['no type', { ...PAYMENT, type: undefined }, 'type must be 1 to 255 printable characters without spaces'],
    ['a field too many', { ...PAYMENT, amont: 1 }, 'amont is not a known field'],
    ['a refund in a payment', { ...PAYMENT, refundId: 're_1' }, 'refundId is not a known field'],
    [
      'a dispute in a refund',
      { ...PAYMENT, type: 'refund.succeeded', disputeId: 'dp_1' },
      'disputeId is not a known field',
    ],
    [
      'a refund with a space in its id',
      { ...PAYMENT, type: 'refund.succeeded', refundId: 're 1' },
      'refundId must be 1 to 255 printable characters without spaces',
    ],
    ['a field that shadows the prototype', `${BODY.slice(0, -1)},"__proto__":{}}`, '__proto__ is not a known field'],
    ['no order', { ...PAYMENT, orderId: undefined }, 'orderId must be an ObjectId'],
    ['an operator for the order', { ...PAYMENT, orderId: { $ne: 1 } }, 'orderId must be an ObjectId'],
    ['an order that is no id', { ...PAYMENT, orderId: 'order-1' }, 'orderId must be an ObjectId'],
    ['an endless field name', { ...PAYMENT, ['x'.repeat(101)]: 1 }, `${'x'.repeat(100)} is not a known field`],
    [
      'no time',
      { ...PAYMENT, occurredAt: undefined },
      'occurredAt must be a date-time with an offset such as 2026-11-21T12:00:00Z',
    ],
    [
      'a time before the year 2000',
      { ...PAYMENT, occurredAt: '1999-12-31T23:59:59.999Z' },
      'occurredAt must not be in the future, nor before the year 2000',
    ],
    [
      'an amount above the largest one',
      { ...PAYMENT, amount: 1_000_000_000.01 },
      'amount must be from 0 to 1000000000, with no more decimals than EUR has',
    ],
    ['no payment', { ...PAYMENT, paymentId: '' }, 'paymentId must be 1 to 255 printable characters without spaces'],
    ['an amount in a text', { ...PAYMENT, amount: '19.99' }, 'amount must be a number'],
    [
      'a negative amount',
      { ...PAYMENT, amount: -1 },
      'amount must be from 0 to 1000000000, with no more decimals than EUR has',
    ],
    [
      'a fraction of a cent',
      { ...PAYMENT, amount: 1.001 },
      'amount must be from 0 to 1000000000, with no more decimals than EUR has',
    ],
    [
      'an endless amount',
      BODY.replace('19.99', '1e999'),
      'amount must be from 0 to 1000000000, with no more decimals than EUR has',
    ],
    [
      'decimals that the currency lacks',
      { ...PAYMENT, currency: 'JPY' },
      'amount must be from 0 to 1000000000, with no more decimals than JPY has',
    ],
    [
      'a currency that does not exist',
      { ...PAYMENT, currency: 'ZZZ' },
      'currency must be a currency code of three letters such as EUR',
    ],
    [
      'a currency in lower case',
      { ...PAYMENT, currency: 'eur' },
      'currency must be a currency code of three letters such as EUR',
    ],
    [
      'a date without a time',
      { ...PAYMENT, occurredAt: '2026-11-21' },
      'occurredAt must be a date-time with an offset such as 2026-11-21T12:00:00Z',
    ],
    [
      'a date that no calendar has',
      { ...PAYMENT, occurredAt: '2026-02-30T00:00:00Z' },
      'occurredAt must be a date-time with an offset such as 2026-11-21T12:00:00Z',
    ],
    [
      'a date to come',
      { ...PAYMENT, occurredAt: '2026-11-21T12:05:01Z' },
      'occurredAt must not be in the future, nor before the year 2000',
    ],
  ])('rejects %s and names the field', (_, value, problem) => {
    expect(() => parse(value)).toThrow(
      new AppError('webhook_rejected', { message: `The webhook request cannot be read: ${problem}` }),
    );
  });

  it('reads an unknown type, however many keys the event has and however deep it nests', () => {
    const large = `{${'"a":1,'.repeat(2_000)}"b":${'['.repeat(5_000)}${']'.repeat(5_000)},"type":"large"}`;
    expect(parse(large)).toEqual({ eventId: ID, kind: 'large', payment: null });
  });

  it('returns an event or rejects the body for any JSON, and never fails otherwise (1,000 cases)', () => {
    const fields = fc.record(
      Object.fromEntries(
        Object.entries(PAYMENT).map(([name, value]) => [name, fc.oneof(fc.constant(value), fc.jsonValue())]),
      ),
    );
    fc.assert(
      fc.property(fc.oneof(fields, fc.jsonValue()), (value) => {
        try {
          parse(JSON.stringify(value));
        } catch (error) {
          expect(error).toMatchObject({ name: 'AppError' });
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

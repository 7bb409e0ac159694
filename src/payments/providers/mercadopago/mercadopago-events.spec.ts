import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { JsonFields, FormatError } from '../json-fields.js';
import { readMercadoPagoChargeback, readMercadoPagoPayment, readMercadoPagoWarning } from './mercadopago-events.js';
import { type ProviderEvent } from '../provider.js';

const ORDER_ID = '655f1c2ab1e4a9d3f0c81250';
const ID = '20359978';
const CREATED = '2026-11-21T08:00:00.000-04:00';
const LATER = '2026-11-21T08:01:30.000-04:00';

/** Fields of https://www.mercadopago.com.br/developers/en/reference/online-payments/checkout-pro/get-payment/get */
const PAYMENT = {
  id: 20359978,
  date_created: CREATED,
  date_approved: null,
  date_last_updated: null,
  status: 'pending',
  status_detail: 'pending_waiting_payment',
  currency_id: 'BRL',
  external_reference: ORDER_ID,
  transaction_amount: 58.9,
  transaction_amount_refunded: 0,
  live_mode: true,
  refunds: [],
};
/** The type RefundResponse of https://github.com/mercadopago/sdk-nodejs (src/clients/paymentRefund/commonTypes.ts). */
const REFUND = { id: 3269585727, payment_id: 20359978, amount: 10.01, status: 'approved', date_created: LATER };
/** https://github.com/mercadopago/devsite-docs, "Chargebacks": the example, with a currency. */
const CHARGEBACK = {
  id: '43589345903450',
  payments: [345345345],
  currency: 'BRL',
  amount: 100.2,
  reason: 'fraud',
  coverage_applied: null,
  coverage_elegible: true,
  documentation_required: true,
  documentation_status: 'valid',
  date_created: '2018-09-14T16:20:54.000-04:00',
  date_last_updated: '2018-11-28T10:48:48.000-04:00',
  live_mode: true,
};

const fieldsOf = (object: object): JsonFields => JsonFields.parse(Buffer.from(JSON.stringify(object)));
const read = (fields: object): ProviderEvent[] => readMercadoPagoPayment(fieldsOf({ ...PAYMENT, ...fields }), ID);
const readChargeback = (fields: object): ProviderEvent[] =>
  readMercadoPagoChargeback(fieldsOf({ ...CHARGEBACK, ...fields }), CHARGEBACK.id);

const DETAILS = { orderId: ORDER_ID, paymentId: ID, amountMinor: 5890, currency: 'BRL', cumulative: false };

describe('A payment of Mercado Pago', () => {
  it.each([
    ['pending', 'payment.processing', 'pending'],
    ['in_process', 'payment.processing', 'in_process'],
    ['authorized', 'payment.authorized', 'authorized'],
    ['approved', 'payment.succeeded', 'approved'],
    ['in_mediation', 'payment.succeeded', 'approved'],
    ['refunded', 'payment.succeeded', 'approved'],
    ['rejected', 'payment.failed', 'rejected'],
    ['cancelled', 'payment.canceled', 'cancelled'],
  ])('reads a payment in the state %s as %s with the event id ...-%s', (status, type, id) => {
    const events = [
      {
        eventId: `${ID}-${id}`,
        kind: `payment.${status}`,
        payment: { ...DETAILS, type, occurredAt: new Date(LATER) },
      },
    ];
    const since = id === 'approved' ? 'date_approved' : 'date_last_updated';
    expect(read({ status, [since]: LATER })).toEqual(events);
    const [first] = read({ status });
    expect(first?.payment?.occurredAt).toEqual(new Date(CREATED));
  });

  it('opens a dispute when it is charged_back, at a time before every end of the dispute', () => {
    const occurredAt = new Date(LATER);
    expect(read({ status: 'charged_back', date_approved: LATER })).toEqual([
      {
        eventId: `${ID}-approved`,
        kind: 'payment.charged_back',
        payment: { ...DETAILS, type: 'payment.succeeded', occurredAt },
      },
      {
        eventId: `${ID}-charged_back`,
        kind: 'payment.charged_back',
        payment: { ...DETAILS, type: 'dispute.opened', occurredAt },
      },
    ]);
  });

  it.each(['constructor', 'settled'])('changes nothing in the unknown state %s', (status) => {
    expect(read({ status })).toEqual([{ eventId: `${ID}-${status}`, kind: `payment.${status}`, payment: null }]);
  });

  it.each([null, undefined, 'order-71', 71, { id: ORDER_ID }])(
    'reads a payment without an order for the reference of another system: %j',
    (external_reference) => {
      expect(read({ external_reference })[0]?.payment?.orderId).toBeNull();
    },
  );

  it.each([
    [1250, 'CLP', 1250],
    [0.1, 'BRL', 10],
    [1999.99, 'MXN', 199_999],
    [0.29, 'ARS', 29],
  ])('reads the exact amount of a payment: %d %s', (transaction_amount, currency_id, amountMinor) => {
    expect(read({ transaction_amount, currency_id })[0]?.payment).toMatchObject({ amountMinor, currency: currency_id });
  });
});

describe('A refund of Mercado Pago', () => {
  it.each([
    ['approved', 'refund.succeeded'],
    [undefined, 'refund.succeeded'],
    ['in_process', 'refund.pending'],
    ['rejected', 'refund.failed'],
    ['cancelled', 'refund.failed'],
  ])('reads a refund in the state %s as %s, with its own id and amount', (status, type) => {
    const events = read({
      status: 'approved',
      refunds: [
        { ...REFUND, status },
        { ...REFUND, id: 7, status },
      ],
    });
    expect(events.slice(1)).toEqual(
      ['3269585727', '7'].map((refundId) => ({
        eventId: `refund-${refundId}-${status ?? 'approved'}`,
        kind: `refund.${status ?? 'approved'}`,
        payment: { ...DETAILS, type, refundId, amountMinor: 1001, occurredAt: new Date(LATER) },
      })),
    );
  });

  it('changes nothing in an unknown state', () => {
    expect(read({ status: 'approved', refunds: [{ ...REFUND, status: 'constructor' }] }).slice(1)).toEqual([
      { eventId: 'refund-3269585727-constructor', kind: 'refund.constructor', payment: null },
    ]);
  });
});

describe('A fraud alert of Mercado Pago', () => {
  const warn = (fields: object): ProviderEvent[] => readMercadoPagoWarning(fieldsOf({ ...PAYMENT, ...fields }), ID);

  it('adds a warning after the events of the payment', () => {
    const payment = { ...DETAILS, type: 'fraud.warning', occurredAt: new Date(CREATED) };
    const warning = { eventId: `${ID}-stop_delivery`, kind: 'stop_delivery_op_wh', payment };
    expect(warn({ status: 'approved' })).toEqual([...read({ status: 'approved' }), warning]);
  });

  it('changes nothing for a payment in an unknown state', () => {
    expect(warn({ status: 'settled' })).toEqual(read({ status: 'settled' }));
  });
});

describe('A chargeback of Mercado Pago', () => {
  const event = (state: string, at: string) => ({
    eventId: `chargeback-43589345903450-345345345-${state}`,
    kind: `chargeback.${state}`,
    payment: {
      type: `dispute.${state}`,
      orderId: null,
      paymentId: '345345345',
      disputeId: '43589345903450',
      amountMinor: 10_020,
      currency: 'BRL',
      occurredAt: new Date(at),
      cumulative: false,
    },
  });
  const opened = event('opened', CHARGEBACK.date_created);

  it.each([
    ['open while Mercado Pago has not decided', null, [opened]],
    ['open while the decision has no known form', 'true', [opened]],
    ['won when Mercado Pago covers it', true, [opened, event('won', CHARGEBACK.date_last_updated)]],
    ['lost when it does not', false, [opened, event('lost', CHARGEBACK.date_last_updated)]],
  ])('reads a chargeback as a dispute that is %s', (_, coverage_applied, events) => {
    expect(readChargeback({ coverage_applied })).toEqual(events);
  });

  it('reads a chargeback of a payment with the amount 0', () => {
    expect(readChargeback({ amount: 0 })[0]?.payment?.amountMinor).toBe(0);
  });

  it('disputes each of its payments', () => {
    expect(readChargeback({ payments: [1, 2] }).map(({ payment }) => payment?.paymentId)).toEqual(['1', '2']);
  });

  it('names the order of each of several payments, with its share of the amount', () => {
    const shares = (fields: object, ...received: [id: number, payment: object][]): unknown =>
      readMercadoPagoChargeback(
        fieldsOf({ ...CHARGEBACK, payments: [1, 2], ...fields }),
        CHARGEBACK.id,
        new Map(received.map(([id, payment]) => [String(id), fieldsOf({ ...PAYMENT, ...payment, id })])),
      ).map(({ payment }) => [payment?.paymentId, payment?.orderId, payment?.amountMinor]);
    const [first, second] = [{ transaction_amount: 10 }, { transaction_amount: 30, external_reference: 'other' }];
    expect(shares({ amount: 40 }, [1, first], [2, second])).toEqual([
      ['1', ORDER_ID, 1_000],
      ['2', null, 3_000],
    ]);
    expect(shares({ amount: 20, coverage_applied: false }, [1, first], [2, second])).toEqual([
      ...Array<unknown>(2).fill(['1', ORDER_ID, 500]),
      ...Array<unknown>(2).fill(['2', null, 1_500]),
    ]);
    // Without the amount of each, an order counts no more than what it received.
    expect(shares({ amount: 40 }, [1, first])).toEqual([
      ['1', ORDER_ID, 4_000],
      ['2', null, 4_000],
    ]);
    expect(shares({ amount: 40 }, [1, first], [2, { ...second, currency_id: 'USD' }])).toMatchObject([
      { 2: 4_000 },
      { 2: 4_000 },
    ]);
  });
});

describe('A malformed response of Mercado Pago', () => {
  it.each<[string, object, string]>([
    ['no status', { status: undefined }, 'status must be 1 to 255 printable characters without spaces'],
    ['an amount that is a text', { transaction_amount: '58.90' }, 'transaction_amount must be a number'],
    ['a negative amount', { transaction_amount: -58.9 }, 'transaction_amount must be an exact amount in BRL'],
    ['half a cent', { transaction_amount: 58.905 }, 'transaction_amount must be an exact amount in BRL'],
    [
      'an amount beyond exact numbers',
      { transaction_amount: 1e21 },
      'transaction_amount must be an exact amount in BRL',
    ],
    ['an unknown currency', { currency_id: 'ZZZ' }, 'currency_id must be a currency code of three letters such as EUR'],
    [
      'no time',
      { date_created: undefined },
      'date_created must be a date-time with an offset such as 2026-11-21T12:00:00Z',
    ],
    ['refunds that are no list', { refunds: {} }, 'refunds must be a list of objects'],
    [
      'a refund without an id',
      { refunds: [{ ...REFUND, id: undefined }] },
      'refunds[0].id must be an id of Mercado Pago',
    ],
  ])('rejects a response with %s', (_, fields, sentence) => {
    expect(() => read(fields)).toThrow(new FormatError(sentence));
  });

  it.each<[string, object, string]>([
    ['payments that are no list', { payments: 345345345 }, 'payments must be ids'],
    ['payments that are objects', { payments: [{ id: 345345345 }] }, 'payments must be ids'],
    ['a payment among others that is none', { payments: [345345345, '../x'] }, 'payments must be ids'],
    ['no amount', { amount: null }, 'amount must be a number'],
    ['no time', { date_created: 7 }, 'date_created must be a date-time with an offset such as 2026-11-21T12:00:00Z'],
  ])('rejects a chargeback with %s', (_, fields, sentence) => {
    expect(() => readChargeback(fields)).toThrow(new FormatError(sentence));
  });

  it('rejects or reads any JSON, and fails in no other way (1,000 cases)', () => {
    const status = fc.constantFrom('approved', 'charged_back', 'pending', 'constructor');
    const value = fc.jsonValue();
    fc.assert(
      fc.property(status, value, value, value, value, (state, amount, refunds, reference, payments) => {
        const readers = [
          () => read({ status: state, transaction_amount: amount, refunds, external_reference: reference }),
          () => readChargeback({ payments, coverage_applied: reference, date_last_updated: amount }),
        ];
        for (const reader of readers) {
          try {
            reader();
          } catch (error) {
            expect(error).toMatchObject({ name: 'AppError' });
          }
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AppError } from '../../../domain/errors/app-error.js';
import { type ProviderEvent } from '../provider.js';
import { fromStripeAmount, readStripeEvent, readStripeRefunds, readStripeSession } from './stripe-events.js';

const ORDER_ID = '655f1c2ab1e4a9d3f0c81250';
const CREATED = 1_795_262_400;

function event(type: string, object: unknown, more: object = {}): Buffer {
  return Buffer.from(
    JSON.stringify({ id: 'evt_1', object: 'event', type, created: CREATED, data: { object }, ...more }),
  );
}

const SESSION = {
  id: 'cs_test_1',
  amount_total: 1999,
  currency: 'eur',
  payment_intent: 'pi_1',
  payment_status: 'paid',
  client_reference_id: ORDER_ID,
  metadata: {},
};
const INTENT = {
  id: 'pi_1',
  amount: 1999,
  amount_received: 1998,
  amount_capturable: 1997,
  currency: 'eur',
  metadata: { orderId: ORDER_ID },
};
const CHARGE = { id: 'ch_1', payment_intent: 'pi_1', amount_refunded: 500, currency: 'eur', metadata: {} };
const DISPUTE = { id: 'dp_1', charge: 'ch_1', payment_intent: 'pi_1', amount: 1999, currency: 'eur', metadata: {} };
const DISPUTED = { orderId: null, disputeId: 'dp_1' };
/** A lost dispute with what Stripe moved because of it. */
const lost = (...movements: [currency: string, amount: unknown][]) => ({
  ...DISPUTE,
  status: 'lost',
  balance_transactions: movements.map(([currency, amount], index) => ({
    id: `txn_${index}`,
    amount,
    currency,
    fee: 1500,
  })),
});

/** Reads an event as an account with a test key gets it. */
const readTestEvent = (body: Buffer): ProviderEvent => readStripeEvent(body, false);

const PAID = {
  orderId: ORDER_ID,
  paymentId: 'pi_1',
  amountMinor: 1999,
  currency: 'EUR',
  occurredAt: new Date(CREATED * 1000),
  cumulative: false,
};

const REFUND = { id: 're_1', status: 'pending', payment_intent: 'pi_1', charge: 'ch_1', amount: 300, currency: 'eur' };
const REFUNDED = { type: 'refund.succeeded', orderId: null, refundId: 're_1', amountMinor: 300 };
const WARNING = { id: 'issfr_1', charge: 'ch_1', payment_intent: 'pi_1', fraud_type: 'card_never_received' };
const WITHOUT_AMOUNT = { orderId: null, amountMinor: 0, currency: 'XXX' };

describe('readStripeSession', () => {
  const fetched = { ...SESSION, status: 'open', payment_status: 'unpaid', expires_at: CREATED + 9, created: 1 };
  const intent = (status: string): object => ({ id: 'pi_1', status, created: CREATED });
  const typeOf = (fields: object): unknown =>
    readStripeSession({ ...fetched, payment_intent: intent('requires_action'), ...fields }, SESSION.id)?.payment?.type;

  it('reads a paid session as its payment, with the same ids as in its events', () => {
    const session = { ...fetched, status: 'complete', payment_status: 'paid', payment_intent: intent('succeeded') };
    expect(readStripeSession(session, SESSION.id)).toEqual({
      eventId: 'pi_1-payment.succeeded',
      kind: 'session.payment.succeeded',
      payment: { ...PAID, type: 'payment.succeeded', checkoutId: SESSION.id },
    });
  });

  it.each<[unknown, object]>([
    ['payment.authorized', { payment_intent: intent('requires_capture') }],
    ['payment.processing', { status: 'complete', payment_intent: intent('processing') }],
    ['payment.canceled', { payment_intent: intent('canceled') }],
    ['payment.failed', { status: 'complete', payment_intent: intent('requires_payment_method') }],
    ['payment.expired', { status: 'expired' }],
    [undefined, { payment_intent: intent('requires_payment_method') }],
    [undefined, { payment_intent: intent('requires_action') }],
    [undefined, { payment_intent: null }],
    [undefined, { amount_total: null, status: 'expired' }],
  ])('reads %s from %j', (type, fields) => {
    expect(typeOf(fields)).toBe(type);
  });

  it.each([{}, { error: {} }])('rejects %j', (other) => {
    expect(() => readStripeSession(other, SESSION.id)).toThrow(AppError);
    expect(() => readStripeRefunds(other)).toThrow(AppError);
  });

  it('reads the time of the end of a session', () => {
    const { payment } = readStripeSession({ ...fetched, status: 'expired', payment_intent: null }, SESSION.id) ?? {};
    expect(payment).toMatchObject({ paymentId: 'cs_test_1', occurredAt: new Date((CREATED + 9) * 1000) });
  });

  it('reads refunds, each with its state', () => {
    const data = ['succeeded', 'toString'].map((status) => ({ ...REFUND, status, created: CREATED }));
    expect(readStripeRefunds({ object: 'list', data })).toEqual([
      { eventId: 're_1-succeeded', kind: 'refund.succeeded', payment: { ...PAID, ...REFUNDED } },
      { eventId: 're_1-toString', kind: 'refund.toString', payment: null },
    ]);
  });

  it('reads as many refunds as one list contains', () => {
    const metadata = Object.fromEntries(Array.from({ length: 20 }, (_, key) => [`key_${key}`, 'value']));
    const data = Array.from({ length: 100 }, (_, n) => ({ ...REFUND, id: `re_${n}`, created: CREATED, metadata }));
    expect(readStripeRefunds({ object: 'list', data })).toHaveLength(100);
  });
});

describe('readStripeEvent', () => {
  it.each([
    [true, false, null],
    [true, true, 'payment.succeeded'],
    [false, false, 'payment.succeeded'],
    [false, true, 'payment.succeeded'],
  ])('reads, for an account with a live key: %s, an event with livemode: %s as %s', (isLive, livemode, type) => {
    const { payment, problem } = readStripeEvent(event('payment_intent.succeeded', INTENT, { livemode }), isLive);
    expect([payment?.type ?? null, problem !== undefined]).toEqual([type, type === null]);
  });

  it.each<[string, object, object]>([
    ['checkout.session.completed', SESSION, { type: 'payment.succeeded', checkoutId: SESSION.id }],
    [
      'checkout.session.completed',
      { ...SESSION, payment_status: 'unpaid' },
      { type: 'payment.processing', checkoutId: SESSION.id },
    ],
    ['checkout.session.async_payment_succeeded', SESSION, { type: 'payment.succeeded', checkoutId: SESSION.id }],
    ['checkout.session.async_payment_failed', SESSION, { type: 'payment.failed', checkoutId: SESSION.id }],
    [
      'checkout.session.expired',
      { ...SESSION, payment_intent: null },
      { type: 'payment.expired', paymentId: 'cs_test_1', checkoutId: 'cs_test_1' },
    ],
    ['payment_intent.succeeded', INTENT, { type: 'payment.succeeded', amountMinor: 1998 }],
    ['payment_intent.payment_failed', INTENT, { type: 'payment.failed' }],
    ['payment_intent.processing', INTENT, { type: 'payment.processing' }],
    ['payment_intent.canceled', INTENT, { type: 'payment.canceled' }],
    ['payment_intent.amount_capturable_updated', INTENT, { type: 'payment.authorized', amountMinor: 1997 }],
    ['charge.refunded', CHARGE, { type: 'refund.succeeded', orderId: null, amountMinor: 500, cumulative: true }],
    ['refund.created', REFUND, { ...REFUNDED, type: 'refund.pending' }],
    ['refund.updated', { ...REFUND, status: 'requires_action' }, { ...REFUNDED, type: 'refund.pending' }],
    ['refund.updated', { ...REFUND, status: 'succeeded' }, REFUNDED],
    ['refund.updated', { ...REFUND, status: 'canceled' }, { ...REFUNDED, type: 'refund.failed', cumulative: true }],
    [
      'refund.failed',
      { ...REFUND, status: 'failed', failure_reason: 'insufficient_funds' },
      { ...REFUNDED, type: 'refund.failed', cumulative: true, failure: 'insufficient_funds' },
    ],
    [
      'refund.failed',
      { ...REFUND, status: 'failed', failure_reason: ['x'] },
      { ...REFUNDED, type: 'refund.failed', cumulative: true },
    ],
    ['radar.early_fraud_warning.created', WARNING, { type: 'fraud.warning', ...WITHOUT_AMOUNT }],
    ['charge.dispute.created', DISPUTE, { type: 'dispute.opened', ...DISPUTED }],
    ['charge.dispute.closed', { ...DISPUTE, status: 'won' }, { type: 'dispute.won', ...DISPUTED }],
    ['charge.dispute.closed', { ...DISPUTE, status: 'warning_closed' }, { type: 'dispute.won', ...DISPUTED }],
    ['charge.dispute.closed', { ...DISPUTE, status: 'prevented' }, { type: 'dispute.won', ...DISPUTED }],
    ['charge.dispute.closed', { ...DISPUTE, status: 'lost' }, { type: 'dispute.lost', ...DISPUTED }],
    ['charge.dispute.closed', lost(['eur', -1999]), { type: 'dispute.lost', ...DISPUTED }],
    [
      'charge.dispute.closed',
      lost(['eur', -1999], ['eur', 999]),
      { type: 'dispute.lost', ...DISPUTED, amountMinor: 1_000 },
    ],
    [
      'charge.dispute.closed',
      lost(['eur', -1999], ['eur', 1999]),
      { type: 'dispute.lost', ...DISPUTED, amountMinor: 0 },
    ],
    // The account has another currency than the payment.
    ['charge.dispute.closed', lost(['usd', -2300], ['usd', 1150]), { type: 'dispute.lost', ...DISPUTED }],
    [
      'charge.dispute.closed',
      { ...DISPUTE, status: 'lost', balance_transactions: ['txn_1'] },
      { type: 'dispute.lost', ...DISPUTED },
    ],
    ['charge.dispute.closed', lost(['eur', -999], ['eur', null]), { type: 'dispute.lost', ...DISPUTED }],
  ])('reads %s', (kind, object, expected) => {
    expect(readTestEvent(event(kind, object))).toEqual({ eventId: 'evt_1', kind, payment: { ...PAID, ...expected } });
  });

  it.each<[string, string, unknown]>([
    [
      'a session that costs nothing',
      'checkout.session.completed',
      { ...SESSION, payment_status: 'no_payment_required' },
    ],
    [
      'a session that only saved a card',
      'checkout.session.expired',
      { ...SESSION, amount_total: null, currency: null },
    ],
    ['a refund in a state we do not know', 'refund.updated', { ...REFUND, status: 'toString' }],
    ['a refund whose state is a list', 'refund.updated', { ...REFUND, status: ['succeeded'] }],
    ['a refund of no payment', 'refund.created', { ...REFUND, payment_intent: null, charge: null }],
    ['a dispute that ended in a way we do not know', 'charge.dispute.closed', { ...DISPUTE, status: 'toString' }],
    ['an unknown kind', 'invoice.paid', {}],
    ['a kind named like a method of objects', 'constructor', {}],
    ['a kind without an object', 'v2.core.event_destination.ping', undefined],
  ])('reads no payment from %s', (_, kind, object) => {
    expect(readTestEvent(event(kind, object))).toEqual({ eventId: 'evt_1', kind, payment: null });
  });

  it.each<[string, object, string | null]>([
    ['metadata before client_reference_id', { metadata: { orderId: 'A'.repeat(24) } }, 'a'.repeat(24)],
    ['client_reference_id where metadata is null', { metadata: null }, ORDER_ID],
    ["client_reference_id where metadata holds another system's id", { metadata: { orderId: '1234' } }, ORDER_ID],
    ['nothing where neither is one of ours', { metadata: { orderId: { $ne: 1 } }, client_reference_id: 'c-7' }, null],
  ])('reads the order from %s', (_, references, orderId) => {
    const { payment } = readTestEvent(event('checkout.session.completed', { ...SESSION, ...references }));
    expect(payment?.orderId).toBe(orderId);
  });

  it('uses the charge as the payment when there is no intent', () => {
    const { payment } = readTestEvent(event('charge.dispute.created', { ...DISPUTE, payment_intent: null }));
    expect(payment?.paymentId).toBe('ch_1');
  });

  it.each<[string, Buffer]>([
    ['no JSON', Buffer.from('{')],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
    ['a list', Buffer.from('[]')],
    ['null', Buffer.from('null')],
    ['no id', event('invoice.paid', {}, { id: undefined })],
    ['an id with a control character', event('invoice.paid', {}, { id: 'evt_\u0000' })],
    ['an id that is an operator', event('invoice.paid', {}, { id: { $ne: 1 } })],
    ['an endless id', event('invoice.paid', {}, { id: 'e'.repeat(256) })],
    ['a type that is a list', event('invoice.paid', {}, { type: ['invoice.paid'] })],
    ['no object', event('payment_intent.succeeded', null)],
    ['no amount', event('payment_intent.succeeded', { ...INTENT, amount_received: undefined })],
    ['a negative amount', event('payment_intent.succeeded', { ...INTENT, amount_received: -1 })],
    ['half a cent', event('payment_intent.succeeded', { ...INTENT, amount_received: 0.5 })],
    ['an amount in a text', event('payment_intent.succeeded', { ...INTENT, amount_received: '1999' })],
    ['an amount beyond the exact numbers', event('payment_intent.succeeded', { ...INTENT, amount_received: 1e300 })],
    ['a currency that does not exist', event('payment_intent.succeeded', { ...INTENT, currency: 'zzz' })],
    ['an endless time', event('payment_intent.succeeded', INTENT, { created: Number.MAX_SAFE_INTEGER })],
    ['metadata that is a text', event('payment_intent.succeeded', { ...INTENT, metadata: 'orderId' })],
    ['an expanded intent', event('charge.refunded', { ...CHARGE, payment_intent: { id: 'pi_1' } })],
  ])('rejects %s', (_, body) => {
    expect(() => readTestEvent(body)).toThrow(
      expect.objectContaining({
        code: 'webhook_rejected',
        message: expect.stringMatching(/^The webhook request cannot be read: /),
      }),
    );
  });

  it('names a wrong currency or time', () => {
    const ofCurrency = (currency: unknown): Buffer => event('payment_intent.succeeded', { ...INTENT, currency });
    for (const currency of ['zzz', 'eu', 7]) {
      expect(() => readTestEvent(ofCurrency(currency))).toThrow(
        'currency must be a currency code of three letters such as EUR',
      );
    }
    const late = event('payment_intent.succeeded', INTENT, { created: Number.MAX_SAFE_INTEGER });
    expect(() => readTestEvent(late)).toThrow('created must be seconds since 1970');
  });

  it('uses the charge as the payment of a refund when there is no intent', () => {
    const { payment } = readTestEvent(event('charge.refunded', { ...CHARGE, payment_intent: null, id: 'ch_9' }));
    expect(payment?.paymentId).toBe('ch_9');
    const refund = readTestEvent(event('refund.created', { ...REFUND, payment_intent: null }));
    expect(refund.payment?.paymentId).toBe('ch_1');
    const warned = readTestEvent(event('radar.early_fraud_warning.created', { ...WARNING, payment_intent: null }));
    expect(warned.payment?.paymentId).toBe('ch_1');
  });

  it('uses the intent as the payment of a refund without a charge', () => {
    const { payment } = readTestEvent(event('refund.created', { ...REFUND, charge: null }));
    expect(payment?.paymentId).toBe('pi_1');
  });

  it('names what an event refers to that cannot be read', () => {
    const refund = { id: 're_1', charge: 'ch_1', payment_intent: { id: 'pi_1' }, status: 'pending', currency: 'zzz' };
    for (const reference of [{ metadata: { orderId: ORDER_ID } }, { client_reference_id: ORDER_ID }]) {
      expect(() => readTestEvent(event('refund.created', { ...refund, ...reference }))).toThrow(
        expect.objectContaining({
          event: { eventId: 'evt_1', kind: 'refund.created' },
          orderId: ORDER_ID,
          paymentIds: ['ch_1', 're_1'],
        }),
      );
    }
    expect(() => readTestEvent(event('refund.created', null))).toThrow(
      expect.objectContaining({ orderId: null, paymentIds: [] }),
    );
  });

  it('returns an event or rejects the body for any JSON, and never fails otherwise (1,000 cases)', () => {
    const kinds = fc.constantFrom('payment_intent.succeeded', 'charge.refunded', 'checkout.session.expired', 'x');
    fc.assert(
      fc.property(kinds, fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (type, created, object, metadata) => {
        const fields =
          typeof object === 'object' && !Array.isArray(object) ? { ...INTENT, ...object, metadata } : object;
        try {
          readTestEvent(event(type, fields, { created }));
        } catch (error) {
          expect(error).toMatchObject({ name: 'AppError' });
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('fromStripeAmount', () => {
  it.each([
    [1999, 'EUR', 1999],
    [500, 'JPY', 500],
    [12_340, 'KWD', 12_340],
    [500_000, 'ISK', 5_000],
    [500, 'MGA', 50_000],
    [500_000, 'UGX', 5_000],
    [0, 'USD', 0],
  ])('reads %d of %s as %d of our minor units', (amount, currency, minor) => {
    expect(fromStripeAmount(amount, currency)).toBe(minor);
  });

  it('rounds a fraction of our smallest unit down', () => {
    expect(fromStripeAmount(500_099, 'ISK')).toBe(5_000);
  });
});

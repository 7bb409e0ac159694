import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ApiResponse, type ApiRequest, type LocalApi, startLocalApi } from '../../../test/payments/local-api.js';
import { accountWith } from '../../../test/support/provider-accounts.js';
import { mollieProvider } from './mollie/mollie.provider.js';
import { paypalProvider } from './paypal/paypal.provider.js';
import { type PaymentProvider, type NewRefund, type StartedRefund } from './provider.js';
import { stripeProvider } from './stripe/stripe.provider.js';
import { yookassaProvider } from './yookassa/yookassa.provider.js';

const ORDER_ID = '655f1c2ab1e4a9d3f0c81250';
const UUID = '1da5c87d-0984-50e8-a7f3-8de646dd9ec9';
const EUR = { value: '5.00', currency: 'EUR' };

/** The request to a provider, and its response. */
interface Case {
  readonly provider: PaymentProvider;
  readonly paymentId: string;
  /** Method, path, idempotency key and body. */
  readonly request: readonly [string, string, string];
  readonly body: unknown;
  readonly made: object;
  readonly refundId: string;
  readonly states: Readonly<Record<string, StartedRefund['state']>>;
  /** The word for the reason when the refund failed. */
  readonly failure: string;
  readonly rejection: object;
  /** The provider's word in the rejection. */
  readonly word: string;
}

const CASES: readonly Case[] = [
  {
    provider: stripeProvider,
    paymentId: 'pi_1',
    request: ['POST /v1/refunds', 'idempotency-key', 'application/x-www-form-urlencoded'],
    body: { payment_intent: 'pi_1', amount: '500', 'metadata[orderId]': ORDER_ID },
    made: { id: 're_1', object: 'refund' },
    refundId: 're_1',
    states: { pending: 'pending', requires_action: 'pending', succeeded: 'succeeded', canceled: 'failed' },
    failure: 'failed',
    rejection: { error: { type: 'invalid_request_error', code: 'charge_already_refunded', message: 'No' } },
    word: 'charge_already_refunded',
  },
  {
    provider: paypalProvider,
    paymentId: '3C679366HH908993F',
    request: ['POST /v2/payments/captures/3C679366HH908993F/refund', 'paypal-request-id', 'application/json'],
    body: { amount: { currency_code: 'EUR', value: '5.00' }, custom_id: ORDER_ID },
    made: { id: '1Y107995YT783435V' },
    refundId: '1Y107995YT783435V',
    failure: 'FAILED',
    states: { COMPLETED: 'succeeded', PENDING: 'pending', FAILED: 'failed', NEW_STATE: 'pending' },
    rejection: { name: 'UNPROCESSABLE_ENTITY', details: [{ issue: 'REFUND_TIME_LIMIT_EXCEEDED' }] },
    word: 'REFUND_TIME_LIMIT_EXCEEDED',
  },
  {
    provider: mollieProvider,
    paymentId: 'tr_1',
    request: ['POST /v2/payments/tr_1/refunds', 'idempotency-key', 'application/json'],
    body: { amount: EUR, description: `Order ${ORDER_ID}`, metadata: { refundId: 'a'.repeat(24) } },
    made: { id: 're_4qqhO89gsT' },
    refundId: 're_4qqhO89gsT',
    failure: 'canceled',
    states: { queued: 'pending', pending: 'pending', processing: 'succeeded', failed: 'failed', new: 'pending' },
    rejection: { title: 'Unprocessable Entity', detail: 'The amount is higher than the maximum' },
    word: 'status_422',
  },
  {
    provider: yookassaProvider,
    paymentId: UUID,
    request: ['POST /v3/refunds', 'idempotence-key', 'application/json'],
    body: { payment_id: UUID, amount: EUR, description: `Order ${ORDER_ID}` },
    made: { id: UUID, cancellation_details: { reason: 'insufficient_funds' } },
    refundId: UUID,
    failure: 'insufficient_funds',
    states: { pending: 'pending', succeeded: 'succeeded', canceled: 'failed', new: 'pending' },
    rejection: { type: 'error', code: 'invalid_request', description: 'No' },
    word: 'invalid_request',
  },
];

let api: LocalApi;
let response: ApiResponse;
/** Every request except those for a token. */
let requests: ApiRequest[];

beforeAll(async () => {
  api = await startLocalApi((request) => {
    if (request.path === '/v1/oauth2/token') {
      return { status: 200, body: { access_token: 'token', expires_in: 9_000 } };
    }
    requests.push(request);
    return response;
  });
});
beforeEach(() => {
  requests = [];
});
afterAll(() => api.close());

const account = () =>
  accountWith(
    { secretKey: 'secret', apiKey: 'secret', clientId: 'id', clientSecret: 'secret', shopId: '1' },
    { apiUrl: api.url },
  );
const refund = async ({ provider, paymentId }: Case, fields: Partial<NewRefund> = {}): Promise<StartedRefund> => {
  const value = { id: 'a'.repeat(24), orderId: ORDER_ID, paymentId, amountMinor: 500, currency: 'EUR', ...fields };
  const started = await provider.refund?.(value, account());
  if (started === undefined) throw new Error('the provider takes no refunds');
  return started;
};

describe.each(CASES.map((one) => [one.provider.name, one] as const))('refund of %s', (_, one) => {
  it('sends the id as idempotency key, and the same bytes in each repetition', async () => {
    const [status] = Object.keys(one.states);
    response = { status: 201, body: { ...one.made, status } };
    await refund(one);
    await refund(one);
    const [first, again] = requests;
    const [call, keyHeader, type] = one.request;
    expect(`${first?.method ?? ''} ${first?.path ?? ''}`).toBe(call);
    expect(first?.headers[keyHeader]).toBe('a'.repeat(24));
    expect(first?.headers['content-type']).toMatch(type);
    const sent = first?.body ?? '';
    expect(type.endsWith('json') ? JSON.parse(sent) : Object.fromEntries(new URLSearchParams(sent))).toEqual(one.body);
    expect(again?.body).toBe(sent);
  });

  it.each(Object.entries(one.states))('reads a refund in the state %s as %s', async (status, state) => {
    response = { status: 200, body: { ...one.made, status } };
    const started = await refund(one);
    expect(started).toEqual({ refundId: one.refundId, state, failure: state === 'failed' ? one.failure : null });
  });

  it("returns a failed refund with the provider's own word for a rejection", async () => {
    response = { status: 422, body: one.rejection };
    expect(await refund(one)).toEqual({ refundId: null, state: 'failed', failure: one.word });
  });

  it.each([401, 403])('throws provider_credentials_rejected for status %d', async (status) => {
    response = { status, body: one.rejection };
    const rejected = { code: 'provider_credentials_rejected', status };
    // PayPal rejects its token with 401, and the credentials where it makes one.
    const isToken = one.provider === paypalProvider && status === 401;
    await expect(refund(one)).rejects.toMatchObject(isToken ? { code: 'provider_unavailable' } : rejected);
  });

  it.each<[string, ApiResponse]>([
    ['is overloaded', { status: 503, body: {} }],
    ['asks us to wait', { status: 429, body: one.rejection }],
    ['still works on the same request', { status: 409, body: one.rejection }],
    ['returns no JSON', { status: 200, body: '<html>' }],
    ['returns nothing that can be read', { status: 200, body: { id: 7 } }],
  ])('throws provider_unavailable when the provider %s', async (_name, given) => {
    response = given;
    const { name } = one.provider;
    const reason = given.status >= 400 && given.status < 500 ? `status ${given.status}$` : '.';
    const cause = expect.objectContaining({ message: expect.stringMatching(`^${name}: ${reason}`) });
    await expect(refund(one)).rejects.toMatchObject({ code: 'provider_unavailable', cause });
  });
});

it('rejects a fraction of a forint for PayPal without a request', async () => {
  const paypal = CASES.find(({ provider }) => provider === paypalProvider) as Case;
  const started = await refund(paypal, { amountMinor: 150, currency: 'HUF' });
  expect(started).toEqual({ refundId: null, state: 'failed', failure: 'DECIMAL_PRECISION' });
  expect(requests).toEqual([]);
});

describe('fetch of a provider', () => {
  const known = (paymentId: string) => ({
    ...{ id: 'b'.repeat(24), orderId: ORDER_ID, paymentId, amountMinor: 500, currency: 'EUR' },
    createdAt: new Date('2026-11-21T12:00:00.000Z'),
  });
  const typesOf = async (provider: PaymentProvider, paymentId: string): Promise<unknown> => {
    const events = (await provider.fetch?.(known(paymentId), account())) ?? [];
    return events.map(({ eventId, payment }) => [eventId, payment?.type, payment?.refundId]);
  };
  const CREATED = { create_time: '2026-11-21T12:00:00Z' };
  const PAYPAL_EUR = { value: '5.00', currency_code: 'EUR' };
  const capture = { id: 'CAP1', status: 'COMPLETED', amount: PAYPAL_EUR, custom_id: ORDER_ID, ...CREATED };
  const refunded = { id: 'REF1', status: 'PENDING', amount: PAYPAL_EUR, ...CREATED };

  it.each<[string, PaymentProvider, string, object, unknown]>([
    [
      'its captures and refunds at PayPal',
      paypalProvider,
      'ORD1',
      { status: 'COMPLETED', purchase_units: [{ payments: { captures: [capture], refunds: [refunded] } }] },
      [
        ['CAP1-COMPLETED', 'payment.succeeded', undefined],
        ['REF1-PENDING', 'refund.pending', 'REF1'],
      ],
    ],
    ['nothing of an order at PayPal that nobody approved', paypalProvider, 'ORD1', { status: 'CREATED' }, []],
    [
      'its state and refunds at Mollie',
      mollieProvider,
      'tr_1',
      {
        ...{ id: 'tr_1', status: 'paid', amount: EUR, paidAt: '2026-11-21T12:00:00Z' },
        _embedded: { refunds: [{ id: 're_1', status: 'queued', amount: EUR, createdAt: '2026-11-21T12:00:00Z' }] },
      },
      [
        ['tr_1-paid', 'payment.succeeded', undefined],
        ['re_1-pending', 'refund.pending', 're_1'],
      ],
    ],
    [
      'its state at YooKassa',
      yookassaProvider,
      UUID,
      { id: UUID, status: 'succeeded', amount: EUR, created_at: '2026-11-21T12:00:00.000Z' },
      [[`${UUID}-succeeded`, 'payment.succeeded', undefined]],
    ],
    [
      'the end of a session at Stripe that nobody paid',
      stripeProvider,
      'cs_1',
      { id: 'cs_1', status: 'expired', amount_total: 500, currency: 'eur', expires_at: 1 },
      [['cs_1-payment.expired', 'payment.expired', undefined]],
    ],
  ])('returns %s', async (_, provider, paymentId, body, events) => {
    response = { status: 200, body };
    expect(await typesOf(provider, paymentId)).toEqual(events);
  });

  it.each(CASES.map(({ provider, paymentId }) => [provider.name, provider, paymentId] as const))(
    'returns no events of %s for an unknown payment, and throws provider_unavailable without a response',
    async (_, provider, paymentId) => {
      response = { status: 404, body: { error: { type: 'invalid_request_error' } } };
      expect(await typesOf(provider, paymentId)).toEqual([]);
      response = { status: 503, body: {} };
      await expect(typesOf(provider, paymentId)).rejects.toMatchObject({ code: 'provider_unavailable' });
    },
  );

  it('captures an approved PayPal order that was not captured yet', async () => {
    response = { status: 200, body: { status: 'APPROVED', purchase_units: [{ payments: { captures: [capture] } }] } };
    expect(await typesOf(paypalProvider, 'ORD1')).toEqual([['CAP1-COMPLETED', 'payment.succeeded', undefined]]);
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /v2/checkout/orders/ORD1',
      'POST /v2/checkout/orders/ORD1/capture',
    ]);
  });
});

import { once } from 'node:events';
import { missingForPayments } from '../../accounts/credentials/credential-rules.js';
import { ClientRequest } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  type ApiResponse,
  type ApiRequest,
  type LocalApi,
  startLocalApi,
} from '../../../../test/payments/local-api.js';
import { eventually } from '../../../../test/support/eventually.js';
import { accountWith, newPayment, unavailable, failureOf } from '../../../../test/support/provider-accounts.js';
import { type KnownPayment, type NewPayment, type NewRefund } from '../provider.js';
import { createStripeSession, fetchStripeSession, refundStripePayment } from './stripe-api.js';
import { stripeProvider } from './stripe.provider.js';

const KEY = 'sk_test_4eC39HqLyjWDarjtT1zdp7dc';
const ORDER_ID = '655f1c2ab1e4a9d3f0c81250';
const PAYMENT = newPayment({ amountMinor: 1999, expiresAt: new Date('2026-11-21T14:00:00.999Z') });
const END = Date.parse('2026-11-21T14:00:00.000Z') / 1000;
const SESSION = { id: 'cs_test_1', url: 'https://checkout.stripe.com/c/1', expires_at: END };

let api: LocalApi;
/** The responses by method and path without the query; null: none. */
let responses: Record<string, ApiResponse | null>;
let requests: ApiRequest[];

beforeAll(async () => {
  api = await startLocalApi((request) => {
    requests.push(request);
    const call = `${request.method} ${request.path.split('?')[0] ?? ''}`;
    const response = responses[call];
    return response !== undefined ? response : { status: 404, body: { error: { type: 'invalid_request_error' } } };
  });
});
beforeEach(() => {
  requests = [];
  responses = {};
});
afterAll(() => api.close());

const account = (apiUrl = api.url) => accountWith({ secretKey: KEY }, { apiUrl });
const sent = (): Record<string, string> => Object.fromEntries(new URLSearchParams(requests[0]?.body));
const errorOf = (status: number, fields: object): ApiResponse => ({
  status,
  // Stripe repeats the key in part.
  body: { error: { message: `Invalid API Key provided: ${KEY}`, ...fields } },
});

/** Responses that say nothing about the request, and the reason in the log. It never repeats what Stripe wrote. */
const FAILURES: readonly [string, ApiResponse, string][] = [
  ['is overloaded', errorOf(503, { type: 'api_error' }), 'stripe: StripeAPIError 503'],
  ['limits us', errorOf(429, { code: 'rate_limit' }), 'stripe: StripeRateLimitError rate_limit 429'],
  ['rejects the key', errorOf(401, { type: 'invalid_request_error' }), 'stripe: status 401'],
  // What a proxy in between could make of it.
  ['fails with a good status', errorOf(200, { type: 'api_error' }), 'stripe: StripeAPIError 200'],
  ['is broken', errorOf(500, { type: 'api_error' }), 'stripe: StripeAPIError 500'],
  ['returns no JSON', { status: 200, body: '<html>' }, 'stripe: StripeAPIError'],
];

describe('createStripeSession', () => {
  const create = (changes: Partial<NewPayment> = {}) => createStripeSession({ ...PAYMENT, ...changes }, account());
  const answerWith = (fields: object, status = 200): void => {
    responses = { 'POST /v1/checkout/sessions': { status, body: { ...SESSION, ...fields } } };
  };

  it('sends the order as one line, with our reference on the session and on its payment', async () => {
    answerWith({});
    const expiresAt = new Date('2026-11-21T14:00:00.000Z');
    expect(await create()).toEqual({ paymentId: SESSION.id, url: SESSION.url, expiresAt });
    expect(requests).toMatchObject([
      {
        method: 'POST',
        path: '/v1/checkout/sessions',
        headers: { authorization: `Bearer ${KEY}`, 'idempotency-key': PAYMENT.id },
      },
    ]);
    expect(sent()).toEqual({
      mode: 'payment',
      client_reference_id: ORDER_ID,
      'metadata[orderId]': ORDER_ID,
      'payment_intent_data[metadata][orderId]': ORDER_ID,
      success_url: PAYMENT.successUrl,
      cancel_url: PAYMENT.cancelUrl,
      expires_at: String(END),
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': 'eur',
      'line_items[0][price_data][unit_amount]': '1999',
      'line_items[0][price_data][product_data][name]': 'Order #1042',
    });
  });

  it.each([
    [1250, 'JPY', '1250'],
    // Stripe counts in hundredths of these, and in whole ones of the last.
    [12, 'ISK', '1200'],
    [150_000, 'MGA', '1500'],
    [1234, 'KWD', '1234'],
  ])('converts %d of our units of %s to %s of those of Stripe', async (amountMinor, currency, amount) => {
    answerWith({});
    await create({ amountMinor, currency });
    expect(sent()['line_items[0][price_data][unit_amount]']).toBe(amount);
  });

  it('sends no request when Stripe cannot charge the exact amount', async () => {
    const reason = 'stripe: cannot charge the amount in MGA';
    await expect(create({ amountMinor: 150_050, currency: 'MGA' })).rejects.toEqual(failureOf(reason));
    expect(requests).toEqual([]);
  });

  it('requests at least an hour, also when the order ends before, because Stripe rejects less', async () => {
    answerWith({});
    await create({ expiresAt: new Date('2026-11-21T12:10:00.000Z') });
    expect(sent()['expires_at']).toBe(String(Date.parse('2026-11-21T13:00:00.000Z') / 1000));
  });

  it('accepts an address without https, such as that of a local server', async () => {
    answerWith({ url: 'http://localhost:12111/c/1' });
    expect(await create()).toMatchObject({ url: 'http://localhost:12111/c/1' });
  });

  const UNUSABLE = 'stripe: returned a session without an address';
  it.each<[string, object]>([
    ['no id', { id: undefined }],
    ['an id that is a number', { id: 1 }],
    ['no address', { url: null }],
    ['a list as address', { url: [SESSION.url] }],
    ['an address that buyers cannot open', { url: 'javascript:location="https://x"' }],
    ['no end', { expires_at: undefined }],
    ['a string as end', { expires_at: String(END) }],
  ])('rejects a session with %s', async (_, fields) => {
    answerWith(fields);
    await expect(create()).rejects.toEqual(unavailable(UNUSABLE));
  });

  it.each(FAILURES)(
    'returns provider_unavailable without a part of the key when Stripe %s',
    async (_, response, reason) => {
      responses = { 'POST /v1/checkout/sessions': response };
      await expect(create()).rejects.toEqual(failureOf(reason));
      expect(requests).toHaveLength(1);
    },
  );

  it('uses TLS for an address with https, so that the key is never sent in plain text', async () => {
    let start: number | undefined;
    const server = createServer((socket) => {
      socket.once('data', (bytes: Buffer) => {
        [start] = bytes;
        socket.destroy();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const failure = createStripeSession(
      PAYMENT,
      account(`https://127.0.0.1:${(server.address() as AddressInfo).port}`),
    );
    await expect(failure).rejects.toEqual(unavailable('stripe: StripeConnectionError'));
    server.close();
    // The first byte of a TLS handshake: RFC 8446, section 5.1.
    expect(start).toBe(22);
  });

  it('sends no request without a key', async () => {
    const missing = 'Neither apiKey nor config.authenticator provided';
    await expect(createStripeSession(PAYMENT, accountWith({}, { apiUrl: api.url }))).rejects.toThrow(missing);
    await expect(createStripeSession(PAYMENT, accountWith({}))).rejects.toThrow(missing);
    expect(requests).toEqual([]);
  });

  it('returns provider_unavailable when Stripe cannot be reached', async () => {
    const gone = await startLocalApi(() => null);
    await gone.close();
    const failure = createStripeSession(PAYMENT, account(gone.url));
    await expect(failure).rejects.toEqual(unavailable('stripe: StripeConnectionError'));
  });
});

describe('refundStripePayment', () => {
  const REFUND: NewRefund = {
    id: '655f1c2ab1e4a9d3f0c81288',
    orderId: ORDER_ID,
    paymentId: 'pi_1',
    amountMinor: 500,
    currency: 'EUR',
  };
  const refund = (changes: Partial<NewRefund> = {}) => refundStripePayment({ ...REFUND, ...changes }, account());
  const answerWith = (body: object, status = 200): void => {
    responses = { 'POST /v1/refunds': { status, body } };
  };

  it.each([
    ['pi_1', { payment_intent: 'pi_1' }],
    ['ch_1', { charge: 'ch_1' }],
  ])('names the payment %s as Stripe does', async (paymentId, named) => {
    answerWith({ id: 're_1', status: 'succeeded' });
    expect(await refund({ paymentId })).toEqual({ refundId: 're_1', state: 'succeeded', failure: null });
    expect(sent()).toEqual({ ...named, amount: '500', 'metadata[orderId]': ORDER_ID });
    expect(requests[0]?.headers['idempotency-key']).toBe(REFUND.id);
  });

  it.each([
    ['lost_or_stolen_card', 'lost_or_stolen_card'],
    [undefined, 'failed'],
    [7, 'failed'],
  ])('returns a failed refund for the reason %s', async (failure_reason, failure) => {
    answerWith({ id: 're_1', status: 'failed', failure_reason });
    expect(await refund()).toEqual({ refundId: 're_1', state: 'failed', failure });
  });

  it("returns a failed refund with Stripe's own word for a rejection", async () => {
    responses = { 'POST /v1/refunds': errorOf(400, { type: 'invalid_request_error', code: 'charge_disputed' }) };
    expect(await refund()).toEqual({ refundId: null, state: 'failed', failure: 'charge_disputed' });
  });

  it('rejects a fraction that Stripe does not know without a request', async () => {
    const failed = { refundId: null, state: 'failed', failure: 'amount_too_precise' };
    expect(await refund({ amountMinor: 150_050, currency: 'MGA' })).toEqual(failed);
    expect(requests).toEqual([]);
  });

  it.each([{ status: 'succeeded' }, { id: 're 1', status: 'succeeded' }, { id: 're_1', status: 'new' }])(
    'throws provider_unavailable for the unreadable response %j',
    async (body) => {
      answerWith(body);
      await expect(refund()).rejects.toEqual(unavailable('stripe: returned a refund that cannot be read'));
    },
  );

  it.each(FAILURES)('throws provider_unavailable when Stripe %s', async (_, response, reason) => {
    responses = { 'POST /v1/refunds': response };
    // For a rejection, the status alone tells whether the same refund is possible later.
    const { status } = response;
    const isRejection = status >= 400 && status < 500;
    await expect(refund()).rejects.toEqual(failureOf(isRejection ? `stripe: status ${status}` : reason));
  });
});

it('waits six seconds for a response of Stripe, and does not repeat the request', async () => {
  responses = { 'POST /v1/checkout/sessions': null };
  const waits: number[] = [];
  const setTimeout = jest.spyOn(ClientRequest.prototype, 'setTimeout');
  setTimeout.mockImplementation(function (this: ClientRequest, timeoutMs, callback) {
    waits.push(timeoutMs);
    if (callback !== undefined) void eventually(() => Promise.resolve(requests[0])).then(callback);
    return this;
  });
  const creating = createStripeSession(PAYMENT, account());
  await expect(creating).rejects.toEqual(unavailable('stripe: StripeConnectionError'));
  expect([waits, requests.length]).toEqual([[6_000], 1]);
  setTimeout.mockRestore();
});

describe('fetchStripeSession', () => {
  const KNOWN: KnownPayment = { ...PAYMENT, paymentId: 'cs_test_1' };
  const SESSION_CALL = 'GET /v1/checkout/sessions/cs_test_1';
  const OPEN = { id: 'cs_test_1', status: 'open', payment_status: 'unpaid', amount_total: 1999, currency: 'eur' };
  const PAID = {
    ...OPEN,
    ...{ status: 'complete', payment_status: 'paid', client_reference_id: ORDER_ID },
    payment_intent: { id: 'pi_1', status: 'succeeded', created: END },
  };
  const REFUND = { id: 're_1', status: 'pending', payment_intent: 'pi_1', amount: 500, currency: 'eur', created: END };
  const fetch = async () =>
    (await fetchStripeSession(KNOWN, account())).map(({ eventId, payment }) => [eventId, payment?.type]);

  it('returns the payment and its refunds, which are requested by the payment', async () => {
    responses = {
      // The SDK measures requests that have an id.
      [SESSION_CALL]: { status: 200, body: PAID, headers: { 'request-id': 'req_1' } },
      'GET /v1/refunds': { status: 200, body: { object: 'list', data: [REFUND] } },
    };
    expect(await fetch()).toEqual([
      ['pi_1-payment.succeeded', 'payment.succeeded'],
      ['re_1-pending', 'refund.pending'],
    ]);
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `${SESSION_CALL}?expand[0]=payment_intent`,
      'GET /v1/refunds?payment_intent=pi_1&limit=100',
    ]);
    // The SDK reports no durations of our requests.
    expect(requests[1]?.headers).not.toHaveProperty('x-stripe-client-telemetry');
  });

  it.each<[string, object, unknown]>([
    ['nothing while its buyer can still pay', {}, []],
    ['its end', { status: 'expired', expires_at: END }, [['cs_test_1-payment.expired', 'payment.expired']]],
  ])('returns %s without a request for refunds', async (_, fields, events) => {
    responses = { [SESSION_CALL]: { status: 200, body: { ...OPEN, ...fields } } };
    expect(await fetch()).toEqual(events);
    expect(requests).toHaveLength(1);
  });

  it('returns no events for an unknown session', async () => {
    expect(await fetch()).toEqual([]);
  });

  const READ = 'stripe: its response cannot be read:';
  it.each([
    ...FAILURES.map(([name, response, reason]) => [name, response, undefined, reason] as const),
    [
      'returns another session',
      { status: 200, body: { ...PAID, id: 'cs_test_2' } },
      undefined,
      `${READ} id must be that of the requested session`,
    ] as const,
    [
      'returns no list of refunds',
      { status: 200, body: PAID },
      { status: 200, body: { object: 'refund', data: [] } },
      `${READ} object must be list`,
    ] as const,
    [
      'fails to return the refunds',
      { status: 200, body: PAID },
      errorOf(503, { type: 'api_error' }),
      'stripe: StripeAPIError 503',
    ] as const,
  ])('returns provider_unavailable when Stripe %s', async (_, session, refunds, reason) => {
    responses = { [SESSION_CALL]: session, ...(refunds && { 'GET /v1/refunds': refunds }) };
    await expect(fetch()).rejects.toEqual(failureOf(reason));
  });
});

it('requires a secret key and the signing secret to create payments at Stripe', () => {
  expect(missingForPayments(stripeProvider, {})).toEqual(['signingSecret', 'secretKey']);
  expect(missingForPayments(stripeProvider, { signingSecret: 'whsec_1', secretKey: KEY })).toEqual([]);
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type ApiResponse,
  type ApiRequest,
  type LocalApi,
  startLocalApi,
} from '../../../../test/payments/local-api.js';
import { accountWith, newPayment, unavailable, failureOf } from '../../../../test/support/provider-accounts.js';
import { capturePayPalOrder, createPayPalOrder, fetchPayPalOrder, refundPayPalCapture } from './paypal-api.js';
import { type NewPayment } from '../provider.js';

const ORDER_ID = '655f1c2ab1e4a9d3f0c81250';
const PAYMENT = newPayment({ id: '655f1c2ab1e4a9d3f0c81251', amountMinor: 1999 });
const TOKEN: ApiResponse = { status: 200, body: { access_token: 'A21AA', expires_in: 9_000 } };
const READ = 'paypal: its response cannot be read:';

let api: LocalApi;
/** The responses by method and path. */
let responses: Record<string, ApiResponse>;
let requests: ApiRequest[];
let accounts = 0;

beforeAll(async () => {
  api = await startLocalApi((request) => {
    requests.push(request);
    return responses[`${request.method} ${request.path}`] ?? { status: 404, body: {} };
  });
});
beforeEach(() => {
  requests = [];
  responses = { 'POST /v1/oauth2/token': TOKEN };
  // The tokens of another test's account are remembered.
  accounts += 1;
});
afterAll(() => api.close());

const account = () => accountWith({ clientId: `client-${accounts}`, clientSecret: 'secret' }, { apiUrl: api.url });
const calls = (): string[] => requests.slice(1).map(({ method, path }) => `${method} ${path}`);
/** An error as PayPal describes it. */
const error = (status: number, issue?: string): ApiResponse => ({
  status,
  body: { name: 'UNPROCESSABLE_ENTITY', ...(issue === undefined ? {} : { details: [{ issue }] }) },
});

describe('createPayPalOrder', () => {
  const CREATE = 'POST /v2/checkout/orders';
  const ADDRESS = 'https://www.paypal.com/checkoutnow?token=5O190127TN364715T';
  const made = (fields: object = {}): ApiResponse => ({
    status: 201,
    body: { id: '5O190127TN364715T', links: [{ rel: 'self' }, { rel: 'payer-action', href: ADDRESS }], ...fields },
  });
  const create = (changes: Partial<NewPayment> = {}) => createPayPalOrder({ ...PAYMENT, ...changes }, account());

  it('sends a token, our reference and the intent to capture', async () => {
    responses[CREATE] = made();
    expect(await create()).toEqual({ paymentId: '5O190127TN364715T', url: ADDRESS, expiresAt: PAYMENT.expiresAt });
    const basic = Buffer.from(`client-${accounts}:secret`).toString('base64');
    expect(requests).toMatchObject([
      {
        ...{ method: 'POST', path: '/v1/oauth2/token', body: 'grant_type=client_credentials' },
        headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
      },
      {
        ...{ method: 'POST', path: '/v2/checkout/orders' },
        headers: {
          authorization: 'Bearer A21AA',
          'content-type': 'application/json',
          'paypal-request-id': PAYMENT.id,
          prefer: 'return=representation',
        },
      },
    ]);
    const amount = { currency_code: 'EUR', value: '19.99' };
    expect(JSON.parse(requests[1]?.body ?? '')).toEqual({
      intent: 'CAPTURE',
      purchase_units: [{ custom_id: ORDER_ID, description: 'Order #1042', amount }],
      payment_source: {
        paypal: {
          experience_context: {
            return_url: PAYMENT.successUrl,
            cancel_url: PAYMENT.cancelUrl,
            user_action: 'PAY_NOW',
            shipping_preference: 'NO_SHIPPING',
            payment_method_preference: 'IMMEDIATE_PAYMENT_REQUIRED',
          },
        },
      },
    });
  });

  it('returns the older approve link when there is no payer-action link', async () => {
    responses[CREATE] = made({
      links: [
        { rel: 'self', href: 'https://x' },
        { rel: 'approve', href: ADDRESS },
      ],
    });
    expect(await create()).toMatchObject({ url: ADDRESS });
  });

  it('sends no request when PayPal cannot charge the exact amount', async () => {
    const reason = 'paypal: cannot charge the amount in HUF';
    await expect(create({ amountMinor: 150, currency: 'HUF' })).rejects.toEqual(failureOf(reason));
    expect(requests).toEqual([]);
  });

  it.each<[string, ApiResponse, string]>([
    ['is overloaded', error(503), 'paypal: status 503'],
    ['returns no links', made({ links: null }), `${READ} links must have the address of the buyer`],
    [
      'returns another link only',
      made({ links: [{ rel: '', href: ADDRESS }] }),
      `${READ} links must have the address of the buyer`,
    ],
    ['returns no id', made({ id: 7 }), `${READ} id must be an id of PayPal`],
    [
      'returns an address without https',
      made({ links: [{ rel: 'payer-action', href: 'http://x' }] }),
      `${READ} links[0].href must be an https address`,
    ],
  ])('returns provider_unavailable when PayPal %s', async (_, response, reason) => {
    responses[CREATE] = response;
    await expect(create()).rejects.toEqual(failureOf(reason));
  });

  it.each<[string, ApiResponse, string]>([
    ['rejects the credentials', { ...TOKEN, status: 401 }, 'paypal: status 401'],
    ['is overloaded', error(503), 'paypal: status 503'],
    ['returns none', { status: 200, body: { expires_in: 1 } }, `${READ} access_token must be a token`],
    [
      'returns one that is no header',
      { status: 200, body: { access_token: 'A21AA B', expires_in: 1 } },
      `${READ} access_token must be a token`,
    ],
    [
      'returns one that begins with a space',
      { status: 200, body: { access_token: ' A21AA', expires_in: 1 } },
      `${READ} access_token must be a token`,
    ],
    ['names no end', { status: 200, body: { access_token: 'A21AA' } }, `${READ} expires_in must be a whole number`],
  ])('sends no order without a token, when PayPal %s', async (_, token, reason) => {
    responses['POST /v1/oauth2/token'] = token;
    await expect(create()).rejects.toEqual(failureOf(reason));
    expect(calls()).toEqual([]);
  });

  it('repeats the request with a new token when PayPal rejects the old one', async () => {
    responses[CREATE] = error(401);
    await expect(create()).rejects.toEqual(unavailable('paypal: status 401'));
    responses[CREATE] = made();
    await create();
    expect(requests.map(({ path }) => path)).toEqual([
      ...['/v1/oauth2/token', '/v2/checkout/orders'],
      ...['/v1/oauth2/token', '/v2/checkout/orders'],
    ]);
  });
});

describe('capturePayPalOrder', () => {
  const ORDER = { id: 'ORD1', orderId: ORDER_ID };
  const SHOW = 'GET /v2/checkout/orders/ORD1';
  const CAPTURE = 'POST /v2/checkout/orders/ORD1/capture';
  const PAID = {
    status: 'COMPLETED',
    purchase_units: [
      {
        payments: {
          captures: [
            {
              ...{ id: 'CAP1', status: 'COMPLETED', amount: { value: '5.00', currency_code: 'EUR' } },
              create_time: '2026-11-21T12:00:00Z',
            },
          ],
          refunds: [
            {
              ...{ id: 'REF1', status: 'PENDING', amount: { value: '1.00', currency_code: 'EUR' } },
              ...{ create_time: '2026-11-21T12:00:00Z', custom_id: ORDER_ID },
            },
          ],
        },
      },
    ],
  };
  const EVENTS = [
    ['CAP1-COMPLETED', 'PAYMENT.CAPTURE.COMPLETED', 'payment.succeeded', ORDER_ID],
    ['REF1-PENDING', 'PAYMENT.REFUND.PENDING', 'refund.pending', ORDER_ID],
  ];
  const capture = async () =>
    (await capturePayPalOrder(ORDER, account())).map(({ eventId, kind, payment }) => [
      ...[eventId, kind, payment?.type, payment?.orderId],
    ]);

  it('sends the same request id in each repetition, so that PayPal captures once', async () => {
    responses[CAPTURE] = { status: 201, body: PAID };
    expect(await capture()).toEqual(EVENTS);
    expect(requests[1]?.headers['paypal-request-id']).toBe('capture-ORD1');
    expect(requests[1]?.body).toBe('{}');
  });

  it('reads the capture of another request, and sends no request id for the read', async () => {
    responses[CAPTURE] = error(422, 'ORDER_ALREADY_CAPTURED');
    responses[SHOW] = { status: 200, body: PAID };
    expect(await capture()).toEqual(EVENTS);
    expect(calls()).toEqual([CAPTURE, SHOW]);
    expect(requests[2]?.headers).not.toHaveProperty('paypal-request-id');
  });

  it('captures nothing for an order that awaits no money, but reads an earlier capture', async () => {
    const queried: string[] = [];
    const unwanted = {
      ...account(),
      awaitsMoney: (orderId: string) => {
        queried.push(orderId);
        return Promise.resolve(false);
      },
    };
    responses[SHOW] = { status: 200, body: { status: 'APPROVED' } };
    expect(await capturePayPalOrder(ORDER, unwanted)).toEqual([]);
    expect(await fetchPayPalOrder({ ...PAYMENT, paymentId: 'ORD1' }, unwanted)).toEqual([]);
    responses[SHOW] = { status: 200, body: PAID };
    expect((await capturePayPalOrder(ORDER, unwanted)).map(({ eventId }) => eventId)).toEqual([
      ...['CAP1-COMPLETED', 'REF1-PENDING'],
    ]);
    expect(new Set(calls())).toEqual(new Set([SHOW]));
    expect(new Set(queried)).toEqual(new Set([ORDER_ID]));
  });

  it.each<[string, ApiResponse]>([
    ['the order does not exist any more', error(404)],
    ['PayPal refused the card', error(422, 'INSTRUMENT_DECLINED')],
    ['the account of the buyer is restricted', error(422, 'PAYER_ACCOUNT_RESTRICTED')],
    ['PayPal refused this payment', error(422, 'TRANSACTION_REFUSED')],
  ])('returns no events when %s', async (_, response) => {
    responses[CAPTURE] = response;
    expect(await capture()).toEqual([]);
  });

  it.each<[string, ApiResponse, string]>([
    ['it is not approved', error(422, 'ORDER_NOT_APPROVED'), 'paypal: status 422'],
    ['a rejection comes with a known problem', error(403, 'ORDER_ALREADY_CAPTURED'), 'paypal: status 403'],
    [
      'the problem cannot be read',
      { status: 422, body: { details: 'x' } },
      `${READ} details must be a list of objects`,
    ],
    [
      'the order cannot be read',
      { status: 200, body: { purchase_units: 'x' } },
      `${READ} purchase_units must be a list of objects`,
    ],
  ])('returns provider_unavailable when %s', async (_, response, reason) => {
    responses[CAPTURE] = response;
    await expect(capture()).rejects.toEqual(failureOf(reason));
    expect(calls()).toEqual([CAPTURE]);
  });

  it.each<[string, ApiResponse, string | null]>([
    [
      'restricts the account of the shop',
      {
        status: 422,
        body: { details: [{ issue: 'PAYEE_ACCOUNT_RESTRICTED', description: 'The account is restricted.' }] },
      },
      'The account is restricted',
    ],
    ['says nothing', error(422), null],
    ['returns another status with a known problem', error(400, 'INSTRUMENT_DECLINED'), null],
  ])('returns provider_refused when PayPal %s after the buyer has approved', async (_, response, reason) => {
    responses[CAPTURE] = response;
    await expect(capture()).rejects.toMatchObject({ code: 'provider_refused', reason });
    expect(calls()).toEqual([CAPTURE]);
  });

  const fetch = () => fetchPayPalOrder({ ...PAYMENT, paymentId: 'ORD1' }, account());

  it('captures no order that is not approved, or is captured already', async () => {
    responses[SHOW] = { status: 200, body: { status: 'PAYER_ACTION_REQUIRED' } };
    expect(await fetch()).toEqual([]);
    responses[SHOW] = { status: 200, body: PAID };
    expect(await fetch()).toHaveLength(2);
    expect(calls()).toEqual([SHOW, SHOW]);
  });

  it.each<[string, ApiResponse, string]>([
    ['rejects the request', { status: 403, body: PAID }, 'paypal: status 403'],
    [
      'returns something else',
      { status: 200, body: { purchase_units: 'x' } },
      `${READ} purchase_units must be a list of objects`,
    ],
  ])('returns provider_unavailable when PayPal %s', async (_, response, reason) => {
    responses[SHOW] = response;
    await expect(fetch()).rejects.toEqual(failureOf(reason));
  });
});

describe('refundPayPalCapture', () => {
  const CALL = 'POST /v2/payments/captures/CAP1/refund';
  const refund = () =>
    refundPayPalCapture({ ...PAYMENT, id: '655f1c2ab1e4a9d3f0c81288', paymentId: 'CAP1' }, account());

  it.each<[string, ApiResponse, string]>([
    ['the first problem', error(422, 'CAPTURE_FULLY_REFUNDED'), 'CAPTURE_FULLY_REFUNDED'],
    ['the general word without one', error(422), 'UNPROCESSABLE_ENTITY'],
    ['the status without any word', { status: 400, body: {} }, 'status_400'],
  ])('returns a failed refund with %s as the reason', async (_, response, failure) => {
    responses[CALL] = response;
    expect(await refund()).toEqual({ refundId: null, state: 'failed', failure });
  });

  it.each<[string, ApiResponse, string]>([
    ['forbids it', error(403, 'NOT_AUTHORIZED'), 'paypal: status 403'],
    [
      'describes a problem that cannot be read',
      { status: 422, body: { details: 'x' } },
      `${READ} details must be a list of objects`,
    ],
    ['returns no state', { status: 201, body: { id: 'REF1' } }, `${READ} status must be a state`],
    [
      'returns a list of states',
      { status: 201, body: { id: 'REF1', status: 'A B' } },
      `${READ} status must be a state`,
    ],
    ['returns no id', { status: 201, body: { status: 'COMPLETED' } }, `${READ} id must be an id of PayPal`],
  ])('returns provider_unavailable when PayPal %s', async (_, response, reason) => {
    responses[CALL] = response;
    await expect(refund()).rejects.toEqual(failureOf(reason));
  });
});

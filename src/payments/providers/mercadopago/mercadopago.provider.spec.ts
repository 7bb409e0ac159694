import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { missingForPayments } from '../../accounts/credentials/credential-rules.js';
import fc from 'fast-check';
import {
  MERCADO_PAGO_ACCOUNT,
  mercadoPagoHeaders,
  type MercadoPagoApi,
  startMercadoPagoApi,
} from '../../../../test/payments/mercadopago-api.js';
import { accountWith, newPayment, failureOf } from '../../../../test/support/provider-accounts.js';
import { AppError } from '../../../domain/errors/app-error.js';
import { mercadopagoProvider } from './mercadopago.provider.js';
import { type CreatedPayment, type NewPayment, type ProviderAccount, type ProviderEvent } from '../provider.js';

const ORDER_ID = '655f1c2ab1e4a9d3f0c81250';
const PAYMENT = newPayment({ currency: 'BRL' });

/** The example of https://www.mercadopago.com.br/developers/en/docs/your-integrations/notifications/webhooks */
const BODY =
  '{"id":12345,"live_mode":true,"type":"payment","date_created":"2015-03-25T10:04:58.396-04:00","user_id":44444,' +
  '"api_version":"v1","action":"payment.created","data":{"id":"999999999"}}';

const READ = 'mercadopago: its response cannot be read:';

let api: MercadoPagoApi;

const account = (credentials: Readonly<Record<string, string>> = MERCADO_PAGO_ACCOUNT): ProviderAccount =>
  accountWith(credentials, { apiUrl: api.url });
const create = async (payment: Partial<NewPayment> = {}): Promise<CreatedPayment> =>
  mercadopagoProvider.create({ ...PAYMENT, ...payment }, account());
/** A webhook that Mercado Pago sends now, signed with the id in its address. */
const send = async (id: string | undefined, body: string | Buffer, to = account()): Promise<readonly ProviderEvent[]> =>
  mercadopagoProvider.read(
    { body: Buffer.from(body), headers: mercadoPagoHeaders(id), query: { 'data.id': id }, receivedAt: new Date() },
    to,
  );
const notify = (type: string, id: string): Promise<readonly ProviderEvent[]> =>
  send(id, JSON.stringify({ type, data: { id } }));
/** The example of https://github.com/mercadopago/devsite-docs for a fraud alert. Its address has no id. */
const warn = (payment_id: number): Promise<readonly ProviderEvent[]> =>
  send(undefined, JSON.stringify({ type: 'stop_delivery_op_wh', data: { description: 'desc', payment_id } }));

const CREATED = { date_created: '2026-11-21T08:00:00.000-04:00' };
const paidPayment = (id: number) => ({ id, status: 'approved', transaction_amount: 5, currency_id: 'BRL', ...CREATED });

const REJECTED = expect.objectContaining({ code: 'webhook_rejected' });

beforeAll(async () => {
  api = await startMercadoPagoApi();
});
beforeEach(() => {
  api.mood = 'well';
  api.creations.length = 0;
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => api.close());

describe('mercadopagoProvider.credentials', () => {
  it.each(Object.entries(MERCADO_PAGO_ACCOUNT))(
    'accepts %s only as a whole, with nothing before or after it',
    (name, value) => {
      const pattern = mercadopagoProvider.credentials.find((one) => one.name === name)?.pattern;
      expect(pattern?.test(value)).toBe(true);
      for (const other of [` ${value}`, `${value}\n`, `${value} `, 'short']) expect(pattern?.test(other)).toBe(false);
    },
  );

  it('allows payments only with the secret of the webhook, without which no webhook is accepted', async () => {
    const { accessToken } = MERCADO_PAGO_ACCOUNT;
    expect(missingForPayments(mercadopagoProvider, { accessToken })).toEqual(['webhookSecret']);
    expect(missingForPayments(mercadopagoProvider, MERCADO_PAGO_ACCOUNT)).toEqual([]);
    await expect(send('1', BODY, account({ accessToken }))).rejects.toEqual(REJECTED);
  });
});

describe('mercadopagoProvider.create', () => {
  it('sends the total, our reference and the end of the order, and returns where the buyer pays', async () => {
    const { paymentId, url, expiresAt } = await create();
    expect(url).toBe(`https://www.mercadopago.com.br/checkout/v1/redirect?pref_id=${paymentId}`);
    expect(expiresAt).toEqual(PAYMENT.expiresAt);
    expect(api.creations).toEqual([
      {
        idempotencyKey: PAYMENT.id,
        body: JSON.stringify({
          items: [{ id: ORDER_ID, title: 'Order #1042', quantity: 1, currency_id: 'BRL', unit_price: 19.9 }],
          external_reference: ORDER_ID,
          back_urls: {
            success: 'https://shop.example.com/thanks',
            pending: 'https://shop.example.com/thanks',
            failure: 'https://shop.example.com/',
          },
          auto_return: 'approved',
          expires: true,
          expiration_date_to: '2026-11-21T13:00:00.000Z',
        }),
      },
    ]);
  });

  it.each([
    [1250, 'CLP', '1250'],
    [29, 'BRL', '0.29'],
    [123_456_789, 'ARS', '1234567.89'],
  ])('writes %d minor units of %s as the number %s', async (amountMinor, currency, price) => {
    await create({ id: `${currency}${amountMinor}`, amountMinor, currency });
    expect(api.creations[0]?.body).toContain(`"unit_price":${price}}`);
  });

  it('sends the same bytes in a repetition, and returns the same payment', async () => {
    const first = await create();
    expect(await create()).toEqual(first);
    expect(api.creations[1]).toEqual(api.creations[0]);
  });

  it.each<[string, MercadoPagoApi['mood'], string]>([
    ['rejects the token', { status: 401, body: { id: '1-a', init_point: 'https://x' } }, 'mercadopago: status 401'],
    ['is overloaded', { status: 503, body: {} }, 'mercadopago: status 503'],
    ['returns no address', { status: 201, body: { id: '1-a' } }, `${READ} init_point must be an https address`],
    [
      'returns an address without https',
      { status: 201, body: { id: '1-a', init_point: 'http://x' } },
      `${READ} init_point must be an https address`,
    ],
    [
      'returns an id with a tail',
      { status: 201, body: { id: '1-a/x', init_point: 'https://x' } },
      `${READ} id must be the id of a preference`,
    ],
    [
      'returns an id that is none',
      { status: 201, body: { id: '../x', init_point: 'https://x' } },
      `${READ} id must be the id of a preference`,
    ],
  ])('returns provider_unavailable when Mercado Pago %s', async (_, mood, reason) => {
    api.mood = mood;
    await expect(create()).rejects.toEqual(failureOf(reason));
  });
});

describe('mercadopagoProvider.refund', () => {
  const refund = (paymentId: string, id = '655f1c2ab1e4a9d3f0c81288') =>
    mercadopagoProvider.refund?.({ id, orderId: ORDER_ID, paymentId, amountMinor: 500, currency: 'BRL' }, account());

  it('sends the amount, and returns the same refund in a repetition', async () => {
    const paymentId = api.pay(ORDER_ID);
    const first = await refund(paymentId);
    expect(first).toEqual({ refundId: expect.stringMatching(/^\d+$/), state: 'succeeded', failure: null });
    expect(await refund(paymentId)).toEqual(first);
    expect(api.refunds).toEqual([api.refunds[0], api.refunds[0]]);
    expect(api.refunds[0]).toEqual({
      call: `payments/${paymentId}/refunds`,
      idempotencyKey: '655f1c2ab1e4a9d3f0c81288',
      inProcess: 'true',
      body: '{"amount":5}',
    });
    expect((await notify('payment', paymentId)).at(-1)?.payment).toMatchObject({ refundId: first?.refundId });
  });

  it.each([
    ['in_process', 'pending', null],
    ['approved', 'succeeded', null],
    ['rejected', 'failed', 'rejected'],
    ['cancelled', 'failed', 'cancelled'],
    ['something_new', 'pending', null],
  ])('reads a refund in the state %s as %s', async (status, state, failure) => {
    api.mood = { status: 201, body: { id: 3269585727, status } };
    expect(await refund('1')).toEqual({ refundId: '3269585727', state, failure });
  });

  it.each<[string, number, object, string]>([
    ['the cause', 400, { error: 'bad_request', cause: [{ code: 2063, description: 'x' }] }, '2063'],
    ['the error', 404, { error: 'not_found', cause: [] }, 'not_found'],
    ['the status', 400, { error: 'two words' }, 'status_400'],
  ])('returns a failed refund with %s as the reason', async (_, status, body, failure) => {
    api.mood = { status, body };
    expect(await refund('1')).toEqual({ refundId: null, state: 'failed', failure });
  });

  it.each<[string, MercadoPagoApi['mood'], string]>([
    ['does not respond', { status: 500, body: {} }, 'mercadopago: status 500'],
    ['rejects the token', { status: 401, body: { error: 'unauthorized' } }, 'mercadopago: status 401'],
    ['returns no id', { status: 201, body: { status: 'approved' } }, `${READ} id must be an id of Mercado Pago`],
    [
      'returns an error that cannot be read',
      { status: 400, body: { cause: 'x' } },
      `${READ} cause must be a list of objects`,
    ],
  ])('returns provider_unavailable when Mercado Pago %s, so that it is repeated', async (_, mood, reason) => {
    api.mood = mood;
    await expect(refund('1')).rejects.toEqual(failureOf(reason));
  });
});

describe('mercadopagoProvider.fetch', () => {
  const known = { ...PAYMENT, paymentId: 'preference' };
  const fetchOf = (orderId: string) => mercadopagoProvider.fetch?.({ ...known, orderId }, account());

  it('returns each payment with the reference of the order, as in its webhook', async () => {
    const orderId = '655f1c2ab1e4a9d3f0c81299';
    expect(await fetchOf(orderId)).toEqual([]);
    const [rejected, paid] = [api.pay(orderId, { status: 'rejected' }), api.pay(orderId)];
    api.pay(ORDER_ID);
    expect(await fetchOf(orderId)).toEqual([
      ...(await notify('payment', rejected)),
      ...(await notify('payment', paid)),
    ]);
  });

  it.each<[string, MercadoPagoApi['mood'], string]>([
    ['does not respond', { status: 500, body: {} }, 'mercadopago: status 500'],
    ['rejects the token', { status: 401, body: { results: [] } }, 'mercadopago: status 401'],
    ['returns no list', { status: 200, body: { results: 7 } }, `${READ} results must be a list of objects`],
  ])('returns provider_unavailable when Mercado Pago %s', async (_, mood, reason) => {
    api.mood = mood;
    await expect(fetchOf(ORDER_ID)).rejects.toEqual(failureOf(reason));
  });
});

describe('mercadopagoProvider.read', () => {
  it('returns the payment as Mercado Pago returns it, the same each time', async () => {
    const id = api.pay(ORDER_ID, { status: 'in_process' });
    expect(await notify('payment', id)).toMatchObject([{ eventId: `${id}-in_process` }]);
    api.change(id, { status: 'approved' });
    const [paid] = await notify('payment', id);
    expect(paid?.payment).toMatchObject({ type: 'payment.succeeded', amountMinor: 1999, orderId: ORDER_ID });
    expect(await notify('payment', id)).toEqual([paid]);
  });

  it('returns a chargeback as Mercado Pago returns it', async () => {
    api.chargeBack('217000061680860', '123', true);
    expect((await notify('topic_chargebacks_wh', '217000061680860')).map(({ payment }) => payment?.type)).toEqual([
      'dispute.opened',
      'dispute.won',
    ]);
  });

  it('returns a fraud alert with the payment as Mercado Pago returns it', async () => {
    const id = api.pay(ORDER_ID);
    expect((await warn(Number(id))).map(({ eventId, payment }) => [eventId, payment?.type, payment?.orderId])).toEqual([
      [`${id}-approved`, 'payment.succeeded', ORDER_ID],
      [`${id}-stop_delivery`, 'fraud.warning', ORDER_ID],
    ]);
    expect(await warn(1)).toEqual([]);
  });

  it.each(['payment', 'topic_chargebacks_wh'])(
    'takes the id of a %s from the query, where it is signed',
    async (type) => {
      const body = JSON.stringify({ type, data: { id: api.pay(ORDER_ID) } });
      const says = 'The webhook request cannot be read: the address must have data.id';
      await expect(send(undefined, body)).rejects.toEqual(new AppError('webhook_rejected', { message: says }));
    },
  );

  it.each(['merchant_order', 'mp-connect', 'topic_claims_integration_wh'])(
    'accepts a webhook about %s without a request to Mercado Pago',
    async (type) => {
      api.mood = { status: 503, body: {} };
      expect(await notify(type, '1')).toEqual([{ eventId: `${type}-1`, kind: type, payment: null }]);
    },
  );

  it('returns no events for an unknown object', async () => {
    expect(await notify('payment', '123456')).toEqual([]);
    expect(await notify('topic_chargebacks_wh', '123456')).toEqual([]);
  });

  it.each<[string, MercadoPagoApi['mood'], string]>([
    ['does not respond', { status: 502, body: '<html>' }, 'mercadopago: status 502'],
    ['rejects the token', { status: 401, body: paidPayment(1) }, 'mercadopago: status 401'],
    ['returns another payment', { status: 200, body: paidPayment(2) }, 'mercadopago: returned another object'],
  ])('returns provider_unavailable when Mercado Pago %s, so that the webhook is repeated', async (_, mood, reason) => {
    api.mood = mood;
    await expect(notify('payment', '1')).rejects.toEqual(failureOf(reason));
  });

  it('reads the response of Mercado Pago, whatever byte of the unsigned body is changed (1,000 cases)', async () => {
    const payment = JSON.stringify(paidPayment(999999999));
    const fetched = jest.spyOn(globalThis, 'fetch').mockImplementation(() => Promise.resolve(new Response(payment)));
    const events = await send('999999999', BODY);
    expect(events).toMatchObject([{ eventId: '999999999-approved', payment: { amountMinor: 500 } }]);
    await fc.assert(
      fc.asyncProperty(fc.nat(BODY.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const body = Buffer.from(BODY);
        body[at] = (body[at] ?? 0) ^ change;
        const result = await send('999999999', body).catch((error: unknown) => error);
        if (result instanceof AppError) expect(result.code).toBe('webhook_rejected');
        else expect([events, [expect.objectContaining({ payment: null })]]).toContainEqual(result);
      }),
      { numRuns: 1_000 },
    );
    expect(new Set(fetched.mock.calls.map(([url]) => url))).toEqual(new Set([`${api.url}/v1/payments/999999999`]));
  });
});

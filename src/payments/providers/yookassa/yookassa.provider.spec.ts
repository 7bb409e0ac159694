import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { missingForPayments } from '../../accounts/credentials/credential-rules.js';
import fc from 'fast-check';
import {
  startYookassaApi,
  YOOKASSA_ACCOUNT,
  type YookassaApi,
  type YookassaRecord,
} from '../../../../test/payments/yookassa-api.js';
import { accountWith, newPayment, unavailable, failureOf } from '../../../../test/support/provider-accounts.js';
import { type CreatedPayment, type NewPayment, type ProviderEvent } from '../provider.js';
import { YOOKASSA_ID } from './yookassa-api.js';
import { yookassaProvider } from './yookassa.provider.js';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const UNKNOWN_ID = '2e8dd95a-000f-5000-a000-1e3515f51c18';
const PAYMENT = newPayment({ amountMinor: 125_000, currency: 'RUB' });

const READ = 'yookassa: its response cannot be read:';

let api: YookassaApi;

const account = () => accountWith(YOOKASSA_ACCOUNT, { apiUrl: api.url });
const create = async (payment: Partial<NewPayment> = {}): Promise<CreatedPayment> =>
  yookassaProvider.create({ ...PAYMENT, ...payment }, account());
const readBytes = async (body: string | Buffer): Promise<readonly ProviderEvent[]> =>
  yookassaProvider.read({ body: Buffer.from(body), headers: {}, query: {}, receivedAt: NOW }, account());
const read = (event: unknown, object: unknown): Promise<readonly ProviderEvent[]> =>
  readBytes(JSON.stringify({ type: 'notification', event, object }));

const REJECTED = expect.objectContaining({ code: 'webhook_rejected' });

beforeAll(async () => {
  api = await startYookassaApi();
});
beforeEach(() => {
  api.mood = 'well';
  api.creations.length = 0;
});
afterAll(() => api.close());

describe('yookassaProvider.credentials', () => {
  it.each(['shopId', 'secretKey'] as const)('accepts %s only as a whole, with nothing before or after it', (name) => {
    const pattern = yookassaProvider.credentials.find((one) => one.name === name)?.pattern;
    const value = YOOKASSA_ACCOUNT[name];
    expect(pattern?.test(value)).toBe(true);
    // A colon would end the user name of the authorization.
    for (const other of [` ${value}`, `${value}\n`, `x${value}`, `${value}:`]) expect(pattern?.test(other)).toBe(false);
  });
});

it('creates payments for every account', () => {
  expect(missingForPayments(yookassaProvider, YOOKASSA_ACCOUNT)).toEqual([]);
});

describe('yookassaProvider.create', () => {
  it('sends the total and our reference, and returns where the buyer pays', async () => {
    const { paymentId, url, expiresAt } = await create();
    expect(url).toBe(`https://yoomoney.ru/checkout/payments/v2/contract?orderId=${paymentId}`);
    expect(expiresAt).toEqual(PAYMENT.expiresAt);
    expect(api.creations.map(({ idempotenceKey, body }) => [idempotenceKey, JSON.parse(body) as unknown])).toEqual([
      [
        PAYMENT.id,
        {
          amount: { value: '1250.00', currency: 'RUB' },
          capture: true,
          confirmation: { type: 'redirect', return_url: 'https://shop.example.com/thanks' },
          description: 'Order #1042',
          metadata: { orderId: '655f1c2ab1e4a9d3f0c81250' },
        },
      ],
    ]);
  });

  it('sends the same bytes in a repetition, and returns the same payment', async () => {
    const first = await create();
    expect(await create()).toEqual(first);
    expect(api.creations[1]).toEqual(api.creations[0]);
  });

  it.each<[string, YookassaApi['mood'], string]>([
    // The result is not known: https://yookassa.ru/developers/using-api/interaction-format
    ['does not know yet', { status: 202, body: { type: 'processing', retry_after: 1800 } }, 'yookassa: status 202'],
    ['fails', { status: 500, body: {} }, 'yookassa: status 500'],
    [
      'returns no address',
      { status: 200, body: { id: UNKNOWN_ID, confirmation: { type: 'external' } } },
      `${READ} confirmation.confirmation_url must be an https address`,
    ],
    [
      'returns no https',
      { status: 200, body: { id: UNKNOWN_ID, confirmation: { confirmation_url: 'http://x' } } },
      `${READ} confirmation.confirmation_url must be an https address`,
    ],
    [
      'returns an id that is none',
      { status: 200, body: { id: '../x', confirmation: { confirmation_url: 'https://x' } } },
      `${READ} id must be an id of YooKassa: 36 lower-case hexadecimal digits and hyphens`,
    ],
  ])('returns provider_unavailable when YooKassa %s', async (_, mood, reason) => {
    api.mood = mood;
    await expect(create()).rejects.toEqual(failureOf(reason));
  });
});

describe('yookassaProvider.read', () => {
  it('returns the payment as YooKassa returns it, not as the body has it', async () => {
    const { paymentId: id } = await create({ id: 'read' });
    const forged = { id, status: 'succeeded', paid: true, amount: { value: '1250.00', currency: 'RUB' } };
    expect(await read('payment.succeeded', forged)).toEqual([
      { eventId: `${id}-pending`, kind: 'payment.pending', payment: null },
    ]);
    api.change(id, { status: 'succeeded', captured_at: '2026-11-21T08:01:00.000Z' });
    const [paid] = await read('payment.canceled', { id, status: 'canceled' });
    expect(paid).toMatchObject({
      eventId: `${id}-succeeded`,
      payment: { type: 'payment.succeeded', amountMinor: 125_000, orderId: PAYMENT.orderId },
    });
    expect(await read('payment.succeeded', { id })).toEqual([paid]);
  });

  it('returns the refund that the webhook names', async () => {
    const { paymentId } = await create({ id: 'refunded' });
    const id = api.refund(paymentId, '5.00');
    expect(await read('refund.succeeded', { id, payment_id: UNKNOWN_ID, amount: { value: '9.00' } })).toMatchObject([
      { eventId: `${id}-succeeded`, payment: { type: 'refund.succeeded', paymentId, amountMinor: 500 } },
    ]);
    expect(await read('payment.succeeded', { id })).toEqual([]);
  });

  it('returns no events for an unknown payment', async () => {
    expect(await read('payment.succeeded', { id: UNKNOWN_ID })).toEqual([]);
  });

  it('accepts other kinds of events without a request to YooKassa', async () => {
    api.mood = { status: 503, body: {} };
    for (const event of ['payout.succeeded', 'deal.closed', 'payment_method.active', 'constructor']) {
      expect(await read(event, { id: UNKNOWN_ID })).toEqual([]);
    }
  });

  it.each<[string, YookassaApi['mood'], string]>([
    ['does not respond', { status: 502, body: '<html>' }, 'yookassa: status 502'],
    [
      'rejects the key',
      { status: 401, body: { id: UNKNOWN_ID, status: 'pending', created_at: '2026-11-21T08:00:00.000Z' } },
      'yookassa: status 401',
    ],
    [
      'returns another payment',
      { status: 200, body: { id: 'other', status: 'pending' } },
      'yookassa: returned another object',
    ],
  ])('returns provider_unavailable when YooKassa %s, so that the webhook is repeated', async (_, mood, reason) => {
    api.mood = mood;
    await expect(read('payment.succeeded', { id: UNKNOWN_ID })).rejects.toEqual(failureOf(reason));
  });

  it.each<[string, unknown]>([
    ['no object', null],
    ['an id that is a list', { id: [UNKNOWN_ID] }],
    ['a path', { id: '../me' }],
    ['an id with a tail', { id: `${UNKNOWN_ID}/cancel` }],
    ['an id with a line', { id: `${UNKNOWN_ID}\n` }],
    ['an id with a start', { id: `x${UNKNOWN_ID}` }],
    ['an id in upper case', { id: UNKNOWN_ID.toUpperCase() }],
  ])('rejects %s before a request to YooKassa', async (_, object) => {
    await expect(read('payment.succeeded', object)).rejects.toEqual(REJECTED);
    await expect(read('refund.succeeded', object)).rejects.toEqual(REJECTED);
  });

  it('rejects any JSON without a known object, and never fails otherwise (1,000 cases)', async () => {
    await expect(readBytes('id=1')).rejects.toEqual(REJECTED);
    const events = fc.oneof(fc.constantFrom('payment.succeeded', 'refund.succeeded'), fc.jsonValue());
    await fc.assert(
      fc.asyncProperty(events, fc.jsonValue(), async (event, object) => {
        const result = await read(event, object).catch((error: unknown) => error);
        expect(Array.isArray(result) || (result as Error).name === 'AppError').toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('yookassaProvider.fetch', () => {
  const fetchOf = (paymentId: string) => yookassaProvider.fetch?.({ ...PAYMENT, paymentId }, account());
  /** A payment of which a part went back, and the path of its refunds. */
  const refunded = async (id: string): Promise<readonly [string, string]> => {
    const { paymentId } = await create({ id });
    const state = { status: 'succeeded', captured_at: '2026-11-21T08:01:00.000Z' };
    api.change(paymentId, { ...state, refunded_amount: { value: '5.00', currency: 'RUB' } });
    return [paymentId, `refunds?payment_id=${paymentId}&limit=100`];
  };

  it('returns the payment without refunds, and no events for an unknown payment', async () => {
    const { paymentId } = await create({ id: 'fetched' });
    expect(await fetchOf(paymentId)).toEqual([
      { eventId: `${paymentId}-pending`, kind: 'payment.pending', payment: null },
    ]);
    expect(await fetchOf(UNKNOWN_ID)).toEqual([]);
  });

  it('returns the payment with its refunds, each as in its webhook', async () => {
    const [paymentId, path] = await refunded('fetched with refunds');
    const ids = [api.refund(paymentId, '2.00'), api.refund(paymentId, '3.00', 'canceled')];
    api.records.set(path, { type: 'list', items: ids.map((id) => api.records.get(`refunds/${id}`)) });
    const events = await fetchOf(paymentId);
    expect(events?.map(({ payment }) => payment?.type)).toEqual([
      'payment.succeeded',
      'refund.succeeded',
      'refund.failed',
    ]);
    const webhooks = await Promise.all(ids.map((id) => read('refund.succeeded', { id })));
    expect(events?.slice(1)).toEqual(webhooks.flat());
  });

  it('returns a refund that is pending, which the payment does not count yet', async () => {
    const [paymentId, path] = await refunded('fetched with a pending refund');
    api.change(paymentId, { refunded_amount: null });
    const id = api.refund(paymentId, '2.00', 'pending');
    api.records.set(path, { type: 'list', items: [api.records.get(`refunds/${id}`)] });
    const events = await fetchOf(paymentId);
    expect(events?.map(({ payment }) => payment?.type)).toEqual(['payment.succeeded', 'refund.pending']);
  });

  it.each<[string, YookassaRecord | null, string]>([
    ['does not list the refunds', null, 'yookassa: status 404'],
    ['returns no list', { items: 'x' }, `${READ} items must be a list of objects`],
    ['returns a refund without an id', { items: [{}] }, `${READ} items[0].id ${YOOKASSA_ID.says}`],
  ])('returns provider_unavailable when YooKassa %s', async (name, list, reason) => {
    const [paymentId, path] = await refunded(name);
    if (list !== null) api.records.set(path, list);
    await expect(fetchOf(paymentId)).rejects.toEqual(failureOf(reason));
  });
});

describe('A canceled refund of YooKassa', () => {
  const id = UNKNOWN_ID;
  const refund = () =>
    yookassaProvider.refund?.(
      { id: 'a', orderId: PAYMENT.orderId, paymentId: id, amountMinor: 500, currency: 'RUB' },
      account(),
    );

  it.each([
    [
      'the reason',
      { cancellation_details: { party: 'yoo_money', reason: 'insufficient_funds' } },
      'insufficient_funds',
    ],
    ['a word of ours without details', { cancellation_details: null }, 'canceled'],
    ['a word of ours without a reason', { cancellation_details: {} }, 'canceled'],
  ])('names as the failure of a canceled refund %s', async (_, fields, failure) => {
    api.mood = { status: 200, body: { id, status: 'canceled', ...fields } };
    expect(await refund()).toEqual({ refundId: id, state: 'failed', failure });
  });

  it('throws provider_unavailable when the details of a canceled refund cannot be read', async () => {
    api.mood = { status: 200, body: { id, status: 'canceled', cancellation_details: 'x' } };
    await expect(refund()).rejects.toEqual(unavailable(`${READ} cancellation_details must be an object`));
  });
});

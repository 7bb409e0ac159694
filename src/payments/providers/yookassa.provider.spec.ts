import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { startYookassaApi, YOOKASSA_ACCOUNT, type YookassaApi } from '../../../test/payments/yookassa-api.js';
import { accountWith } from '../../../test/support/provider-accounts.js';
import { type CreatedPayment, type NewPayment, type ProviderEvent } from './provider.js';
import { yookassaProvider } from './yookassa.provider.js';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const UNKNOWN_ID = '2e8dd95a-000f-5000-a000-1e3515f51c18';
const PAYMENT: NewPayment = {
  id: '655f1c2ab1e4a9d3f0c81277',
  orderId: '655f1c2ab1e4a9d3f0c81250',
  amountMinor: 125_000,
  currency: 'RUB',
  successUrl: 'https://shop.example.com/thanks',
  cancelUrl: 'https://shop.example.com/',
  createdAt: NOW,
  expiresAt: new Date('2026-11-21T13:00:00.000Z'),
};

let api: YookassaApi;

const create = async (payment: Partial<NewPayment> = {}): Promise<CreatedPayment> =>
  yookassaProvider.create({ ...PAYMENT, ...payment }, accountWith(YOOKASSA_ACCOUNT, { apiUrl: api.url }));
const readBytes = async (body: string | Buffer): Promise<readonly ProviderEvent[]> =>
  yookassaProvider.read(
    { body: Buffer.from(body), headers: {}, query: {}, receivedAt: NOW },
    accountWith(YOOKASSA_ACCOUNT, { apiUrl: api.url }),
  );
const read = (event: unknown, object: unknown): Promise<readonly ProviderEvent[]> =>
  readBytes(JSON.stringify({ type: 'notification', event, object }));

const UNAVAILABLE = expect.objectContaining({ code: 'provider_unavailable' });
const REJECTED = expect.objectContaining({ code: 'webhook_rejected' });

beforeAll(async () => {
  api = await startYookassaApi();
});
beforeEach(() => {
  api.mood = 'well';
  api.creations.length = 0;
});
afterAll(() => api.close());

describe('the credentials of YooKassa', () => {
  it.each(['shopId', 'secretKey'] as const)('%s is the whole text, with nothing before or after it', (name) => {
    const pattern = yookassaProvider.credentials.find((one) => one.name === name)?.pattern;
    const value = YOOKASSA_ACCOUNT[name];
    expect(pattern?.test(value)).toBe(true);
    // A colon would end the user name of the authorization.
    for (const other of [` ${value}`, `${value}\n`, `x${value}`, `${value}:`]) expect(pattern?.test(other)).toBe(false);
  });
});

describe('creating a payment at YooKassa', () => {
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
          description: 'Order 655f1c2ab1e4a9d3f0c81250',
          metadata: { orderId: '655f1c2ab1e4a9d3f0c81250' },
        },
      ],
    ]);
  });

  it('repeats a payment byte for byte, and gets the same one', async () => {
    const first = await create();
    expect(await create()).toEqual(first);
    expect(api.creations[1]).toEqual(api.creations[0]);
  });

  it.each<[string, YookassaApi['mood']]>([
    ['rejects it', { status: 400, body: { id: UNKNOWN_ID, confirmation: { confirmation_url: 'https://x' } } }],
    // The result is not known: https://yookassa.ru/developers/using-api/interaction-format
    ['does not know yet', { status: 202, body: { type: 'processing', retry_after: 1800 } }],
    ['fails', { status: 500, body: {} }],
    ['returns no address', { status: 200, body: { id: UNKNOWN_ID, confirmation: { type: 'external' } } }],
    ['returns no https', { status: 200, body: { id: UNKNOWN_ID, confirmation: { confirmation_url: 'http://x' } } }],
    [
      'returns an id that is none',
      { status: 200, body: { id: '../x', confirmation: { confirmation_url: 'https://x' } } },
    ],
  ])('fails when YooKassa %s', async (_, mood) => {
    api.mood = mood;
    await expect(create()).rejects.toEqual(UNAVAILABLE);
  });
});

describe('a webhook of YooKassa', () => {
  it('returns what YooKassa says about the payment, not what the body says', async () => {
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

  it('returns the refund that it names', async () => {
    const { paymentId } = await create({ id: 'refunded' });
    const id = api.refund(paymentId, '5.00');
    expect(await read('refund.succeeded', { id, payment_id: UNKNOWN_ID, amount: { value: '9.00' } })).toMatchObject([
      { eventId: `${id}-succeeded`, payment: { type: 'refund.succeeded', paymentId, amountMinor: 500 } },
    ]);
    expect(await read('payment.succeeded', { id })).toEqual([]);
  });

  it('has no events when YooKassa does not know the payment, and for what is no payment', async () => {
    expect(await read('payment.succeeded', { id: UNKNOWN_ID })).toEqual([]);
    for (const event of ['payout.succeeded', 'deal.closed', 'payment_method.active', 'constructor']) {
      expect(await read(event, { id: UNKNOWN_ID })).toEqual([]);
    }
  });

  it.each<[string, YookassaApi['mood']]>([
    ['does not answer', { status: 502, body: '<html>' }],
    [
      'rejects the key',
      { status: 401, body: { id: UNKNOWN_ID, status: 'pending', created_at: '2026-11-21T08:00:00.000Z' } },
    ],
    ['returns another payment', { status: 200, body: { id: 'other', status: 'pending' } }],
  ])('is not lost when YooKassa %s: the request must be repeated', async (_, mood) => {
    api.mood = mood;
    await expect(read('payment.succeeded', { id: UNKNOWN_ID })).rejects.toEqual(UNAVAILABLE);
  });

  it.each<[string, unknown]>([
    ['no object', null],
    ['an id that is a list', { id: [UNKNOWN_ID] }],
    ['a path', { id: '../me' }],
    ['an id with a tail', { id: `${UNKNOWN_ID}/cancel` }],
    ['an id with a line', { id: `${UNKNOWN_ID}\n` }],
    ['an id in upper case', { id: UNKNOWN_ID.toUpperCase() }],
  ])('is rejected before YooKassa is asked: %s', async (_, object) => {
    await expect(read('payment.succeeded', object)).rejects.toEqual(REJECTED);
    await expect(read('refund.succeeded', object)).rejects.toEqual(REJECTED);
  });

  it('is rejected, and never fails otherwise, whatever JSON it is (1,000 cases)', async () => {
    await expect(readBytes('id=1')).rejects.toEqual(REJECTED);
    await expect(readBytes('['.repeat(5_000))).rejects.toEqual(expect.objectContaining({ code: 'body_too_complex' }));
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

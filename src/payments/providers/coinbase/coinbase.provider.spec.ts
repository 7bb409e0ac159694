import { generateKeyPairSync } from 'node:crypto';
import { missingForPayments } from '../../accounts/credentials/credential-rules.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  COINBASE_ACCOUNT,
  type CoinbaseApi,
  coinbaseHeaders,
  startCoinbaseApi,
} from '../../../../test/payments/coinbase-api.js';
import { accountWith, newPayment, unavailable, failureOf } from '../../../../test/support/provider-accounts.js';
import { AppError } from '../../../domain/errors/app-error.js';
import { coinbaseProvider } from './coinbase.provider.js';
import {
  type CreatedPayment,
  type NewPayment,
  type NewRefund,
  type ProviderAccount,
  type ProviderEvent,
  type StartedRefund,
} from '../provider.js';

const ORDER_ID = '655f1c2ab1e4a9d3f0c81250';
const PAYMENT = newPayment({ currency: 'USD' });
const REASON = `Refund 655f1c2ab1e4a9d3f0c81288 of order ${ORDER_ID}`;

const READ = 'coinbase: its response cannot be read:';

let api: CoinbaseApi;

const account = (credentials: Readonly<Record<string, string>> = COINBASE_ACCOUNT): ProviderAccount =>
  accountWith(credentials, { apiUrl: api.url });
const create = async (payment: Partial<NewPayment> = {}, at = account()): Promise<CreatedPayment> =>
  coinbaseProvider.create({ ...PAYMENT, ...payment }, at);
const read = async (body: string, headers = coinbaseHeaders(body), at = account()): Promise<readonly ProviderEvent[]> =>
  coinbaseProvider.read({ body: Buffer.from(body), headers, query: {}, receivedAt: new Date() }, at);
const fetchOf = async (paymentId: string): Promise<readonly ProviderEvent[] | undefined> =>
  coinbaseProvider.fetch?.({ ...PAYMENT, paymentId }, account());
const refund = async (paymentId: string, more: Partial<NewRefund> = {}): Promise<StartedRefund | undefined> => {
  const id = '655f1c2ab1e4a9d3f0c81288';
  const of = { id, orderId: ORDER_ID, paymentId, amountMinor: 500, currency: 'USD', ...more };
  return coinbaseProvider.refund?.(of, account());
};

const REJECTED = expect.objectContaining({ code: 'webhook_rejected' });

beforeAll(async () => {
  api = await startCoinbaseApi();
});
beforeEach(() => {
  Object.assign(api, { mood: 'well', refundMood: 'well' });
  api.creations.length = 0;
  api.refunds.length = 0;
});
afterAll(() => api.close());

describe('coinbaseProvider.credentials', () => {
  const patternOf = (name: string): RegExp | undefined =>
    coinbaseProvider.credentials.find((one) => one.name === name)?.pattern;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = (type: 'pkcs8' | 'sec1'): string => privateKey.export({ type, format: 'pem' }).toString();

  it.each([
    ['apiKeyId', COINBASE_ACCOUNT.apiKeyId],
    ['apiKeyId', `organizations/${COINBASE_ACCOUNT.apiKeyId}/apiKeys/${COINBASE_ACCOUNT.apiKeyId}`],
    ['apiKeySecret', COINBASE_ACCOUNT.apiKeySecret],
    ['apiKeySecret', pem('pkcs8')],
    ['apiKeySecret', pem('sec1').trimEnd()],
    ['webhookSecret', COINBASE_ACCOUNT.webhookSecret],
  ])('accepts %s only as a whole, with nothing before or after it (%#)', (name, value) => {
    expect(patternOf(name)?.test(value)).toBe(true);
    expect(value.length).toBeLessThanOrEqual(300);
    for (const other of [` ${value}`, `${value} `, `x ${value}`, 'short'])
      expect(patternOf(name)?.test(other)).toBe(false);
  });

  it('allows payments only with the secret of the webhook, without which no webhook is accepted', async () => {
    const { apiKeyId, apiKeySecret } = COINBASE_ACCOUNT;
    expect(missingForPayments(coinbaseProvider, { apiKeyId, apiKeySecret })).toEqual(['webhookSecret']);
    expect(missingForPayments(coinbaseProvider, COINBASE_ACCOUNT)).toEqual([]);
    await expect(read('{}', undefined, account({ apiKeyId, apiKeySecret }))).rejects.toEqual(REJECTED);
  });
});

describe('createCoinbaseCheckout', () => {
  it('sends the total in USDC, our reference and the end of the order, and returns where the buyer pays', async () => {
    const { paymentId, url, expiresAt } = await create();
    expect(url).toBe(`https://payments.coinbase.com/payment-links/pl_${paymentId}`);
    expect(expiresAt).toEqual(PAYMENT.expiresAt);
    expect(api.creations).toEqual([
      {
        // A UUID of version 4 with the digits of the payment's id.
        idempotencyKey: '655f1c2a-b1e4-4a9d-83f0-c81277000000',
        body: JSON.stringify({
          amount: '19.90',
          currency: 'USDC',
          description: 'Order #1042',
          metadata: { orderId: ORDER_ID },
          successRedirectUrl: 'https://shop.example.com/thanks',
          failRedirectUrl: 'https://shop.example.com/',
          expiresAt: '2026-11-21T13:00:00.000Z',
        }),
      },
    ]);
  });

  it('sends the same bytes in a repetition, and returns the same checkout', async () => {
    const first = await create();
    expect(await create()).toEqual(first);
    expect(api.creations[1]).toEqual(api.creations[0]);
    expect((await create({ id: '655f1c2ab1e4a9d3f0c81278' })).paymentId).not.toBe(first.paymentId);
  });

  const response = { id: 'a1', url: 'https://payments.coinbase.com/x', expiresAt: null };
  it('returns the end of the order when Coinbase names none', async () => {
    api.mood = { status: 201, body: response };
    expect(await create()).toEqual({ paymentId: 'a1', url: response.url, expiresAt: PAYMENT.expiresAt });
  });

  it('returns the end that Coinbase names', async () => {
    api.mood = { status: 201, body: { ...response, expiresAt: '2026-11-21T12:30:00Z' } };
    expect(await create()).toMatchObject({ expiresAt: new Date('2026-11-21T12:30:00.000Z') });
    api.mood = { status: 201, body: { ...response, expiresAt: 'soon' } };
    const reason = `${READ} expiresAt must be a date-time with an offset such as 2026-11-21T12:00:00Z`;
    await expect(create()).rejects.toEqual(failureOf(reason));
  });

  it.each<[string, CoinbaseApi['mood'], string]>([
    ['is overloaded', { status: 503, body: response }, 'coinbase: status 503'],
    ['limits us', { status: 429, body: response }, 'coinbase: status 429'],
    [
      'returns no address',
      { status: 201, body: { ...response, url: undefined } },
      `${READ} url must be an https address`,
    ],
    [
      'returns an address without https',
      { status: 201, body: { ...response, url: 'http://x' } },
      `${READ} url must be an https address`,
    ],
    [
      'returns an id that is none',
      { status: 201, body: { ...response, id: '../x' } },
      `${READ} id must be the id of a checkout`,
    ],
  ])('returns provider_unavailable when Coinbase %s', async (_, mood, reason) => {
    api.mood = mood;
    await expect(create()).rejects.toEqual(failureOf(reason));
  });

  it('returns provider_unavailable for a key that Coinbase does not know', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const apiKeySecret = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    await expect(create({}, account({ ...COINBASE_ACCOUNT, apiKeySecret }))).rejects.toEqual(
      failureOf('coinbase: status 401'),
    );
  });
});

describe('coinbaseProvider.read', () => {
  it('returns the same events as a fetched checkout', async () => {
    const { paymentId } = await create({ id: '655f1c2ab1e4a9d3f0c81279' });
    const body = api.change(paymentId, 'checkout.payment.success', { status: 'COMPLETED' });
    const [paid, ...more] = await read(body);
    expect(paid).toMatchObject({
      eventId: `${paymentId}-COMPLETED`,
      kind: 'checkout.payment.success',
      payment: { type: 'payment.succeeded', orderId: ORDER_ID, amountMinor: 1990, currency: 'USD' },
    });
    expect(more).toEqual([]);
    expect(await fetchOf(paymentId)).toEqual([{ ...paid, kind: 'checkout.COMPLETED' }]);
  });

  it('rejects a request without a valid signature before it reads the body', async () => {
    const body = 'no JSON';
    await expect(read(body, coinbaseHeaders('another body'))).rejects.toEqual(REJECTED);
    const says = 'The webhook request cannot be read: the body must be JSON in UTF-8';
    await expect(read(body)).rejects.toEqual(new AppError('webhook_rejected', { message: says }));
  });
});

describe('fetchCoinbaseCheckout', () => {
  it('returns no events for an unknown checkout', async () => {
    expect(await fetchOf('68f7a946db0529ea9b6d3a12')).toEqual([]);
  });

  it.each<[string, CoinbaseApi['mood'], string]>([
    ['does not respond', { status: 500, body: {} }, 'coinbase: status 500'],
    ['rejects the token', { status: 401, body: { id: '1', status: 'ACTIVE' } }, 'coinbase: status 401'],
    [
      'returns another checkout',
      { status: 200, body: { id: '2', status: 'ACTIVE' } },
      'coinbase: returned another checkout',
    ],
    [
      'returns no status',
      { status: 200, body: { id: '1' } },
      `${READ} status must be 1 to 255 printable characters without spaces`,
    ],
  ])('returns provider_unavailable when Coinbase %s', async (_, mood, reason) => {
    api.mood = mood;
    await expect(fetchOf('1')).rejects.toEqual(failureOf(reason));
  });
});

describe('refundCoinbaseCheckout', () => {
  const paid = async (id: string): Promise<string> => (await create({ id: `655f1c2ab1e4a9d3f0c8${id}` })).paymentId;

  it('sends the amount in USDC with the id of the refund as reason, and never makes a refund twice', async () => {
    const paymentId = await paid('2001');
    const first = await refund(paymentId);
    expect(first).toEqual({ refundId: expect.stringMatching(/^[0-9a-f-]{36}$/), state: 'pending', failure: null });
    expect(api.refunds).toEqual([
      {
        idempotencyKey: '655f1c2a-b1e4-4a9d-83f0-c81288000000',
        body: JSON.stringify({ amount: '5.00', currency: 'USDC', reason: REASON }),
      },
    ]);
    expect(await refund(paymentId)).toEqual(first);
    expect(api.refunds).toHaveLength(1);
    expect((await refund(paymentId, { id: '655f1c2ab1e4a9d3f0c81289' }))?.refundId).not.toBe(first?.refundId);
  });

  it.each<[string, string, CoinbaseApi['refundMood'], string]>([
    ['the response was lost', '2005', { status: 500, body: {} }, 'coinbase: status 500'],
    [
      'the response was cut off',
      '2006',
      { status: 200, body: '{"checkout":' },
      `${READ} the body must be JSON in UTF-8`,
    ],
    [
      'the response does not contain it',
      '2007',
      { status: 200, body: { checkout: { refunds: [] } } },
      `${READ} checkout must have the refund`,
    ],
  ])('finds the refund in a repetition when %s', async (_, id, mood, reason) => {
    const paymentId = await paid(id);
    api.refundMood = mood;
    await expect(refund(paymentId)).rejects.toEqual(failureOf(reason));
    expect(await refund(paymentId)).toMatchObject({ state: 'pending' });
    expect(api.refunds).toHaveLength(1);
  });

  it.each([
    [400, { errorType: 'refund_amount_exceeds_balance' }, 'refund_amount_exceeds_balance'],
    [422, { errorType: 'two words' }, 'status_422'],
  ])('returns a failed refund with the error type for status %d', async (status, body, failure) => {
    const paymentId = await paid('2004');
    api.refundMood = { status, body };
    expect(await refund(paymentId)).toEqual({ refundId: null, state: 'failed', failure });
    api.refundMood = { status: 401, body };
    await expect(refund(paymentId)).rejects.toEqual(failureOf('coinbase: status 401'));
  });

  it.each([
    ['PENDING', 'pending', null],
    ['COMPLETED', 'succeeded', null],
    ['FAILED', 'failed', 'FAILED'],
    ['SOMETHING_NEW', 'pending', null],
  ])('reads a refund in the state %s as %s', async (status, state, failure) => {
    api.mood = { status: 200, body: { id: '1', refunds: [{ id: 'r1', status, reason: REASON }] } };
    expect(await refund('1')).toEqual({ refundId: 'r1', state, failure });
  });

  it.each<[string, object, string]>([
    ['refunds that are no list', { id: '1', refunds: 'x' }, 'refunds must be a list of objects'],
    [
      'the refund without a state',
      { id: '1', refunds: [{ id: 'r1', reason: REASON }] },
      'refunds[0].status must be 1 to 255 printable characters without spaces',
    ],
  ])('returns provider_unavailable for a checkout with %s, and makes no refund', async (_, body, sentence) => {
    api.mood = { status: 200, body };
    await expect(refund('1')).rejects.toEqual(unavailable(`${READ} ${sentence}`));
    expect(api.refunds).toEqual([]);
  });

  it('fails for good for a checkout that Coinbase does not know, and in another currency than USD', async () => {
    const failed = { refundId: null, state: 'failed' };
    expect(await refund('1')).toEqual({ ...failed, failure: 'not_found' });
    expect(await refund(await paid('2003'), { currency: 'EUR' })).toEqual({
      ...failed,
      failure: 'currency_not_supported',
    });
    expect(api.refunds).toEqual([]);
  });
});

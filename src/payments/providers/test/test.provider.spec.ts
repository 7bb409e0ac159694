import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { missingForPayments } from '../../accounts/credentials/credential-rules.js';
import { type ApiRequest, type LocalApi, startLocalApi } from '../../../../test/payments/local-api.js';
import { accountWith, newPayment, unavailable } from '../../../../test/support/provider-accounts.js';
import { type CreatedPayment, type NewPayment, type ProviderAccount } from '../provider.js';
import { sendTestWebhook, testProvider } from './test.provider.js';

const signingSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const ORDER_ID = '655f1c2ab1e4a9d3f0c81250';
const EVENT = {
  type: 'payment.succeeded',
  orderId: ORDER_ID,
  paymentId: 'test_1',
  amount: 19.99,
  currency: 'EUR',
} as const;
const PAYMENT = newPayment({ amountMinor: 1999 });

let api: LocalApi;
let status: number;
let requests: ApiRequest[];

beforeAll(async () => {
  api = await startLocalApi((request) => {
    requests.push(request);
    return { status, body: {} };
  });
});
beforeEach(() => {
  status = 200;
  requests = [];
});
afterAll(() => api.close());

const account = (fields: Partial<ProviderAccount> = {}): ProviderAccount =>
  accountWith({ signingSecret }, { webhookUrl: `${api.url}/webhook/secret`, ...fields });
/** What the service reads in the requests that were sent to the webhook. */
const received = (): unknown[] =>
  requests.map(({ headers, body }) => {
    const request = { body: Buffer.from(body), headers, query: {}, receivedAt: new Date() };
    return testProvider.read(request, accountWith({ signingSecret }));
  });

describe('sendTestWebhook', () => {
  it('sends a request to the webhook of the account with a valid signature', async () => {
    await sendTestWebhook(account(), 'evt_1', EVENT);
    expect(requests).toMatchObject([
      { method: 'POST', path: '/webhook/secret', headers: { 'content-type': 'application/json' } },
    ]);
    const details = { type: 'payment.succeeded', orderId: ORDER_ID, paymentId: 'test_1', amountMinor: 1999 };
    const payment = { ...details, currency: 'EUR', occurredAt: expect.any(Date), cumulative: false };
    expect(received()).toEqual([[{ eventId: 'evt_1', kind: 'payment.succeeded', payment }]]);
  });

  it.each([
    [400, 'test: status 400'],
    [302, 'test: TypeError'],
    [503, 'test: status 503'],
  ])('throws provider_unavailable for a response with %d', async (code, reason) => {
    status = code;
    await expect(sendTestWebhook(account(), 'evt_1', EVENT)).rejects.toEqual(unavailable(reason));
  });

  it('sends nothing while the webhook address is unknown, and names the remedy', async () => {
    const reason = 'test: the webhook address cannot be decrypted; rotate its secret';
    const failure = sendTestWebhook(account({ webhookUrl: null }), 'evt_1', EVENT);
    await expect(failure).rejects.toEqual(unavailable(reason));
  });
});

describe('testProvider', () => {
  const create = (payment: Partial<NewPayment> = {}, at = account()): CreatedPayment =>
    testProvider.create({ ...PAYMENT, ...payment }, at) as CreatedPayment;

  it('returns a page with an unguessable address, the same in each repetition', () => {
    const { paymentId, url, expiresAt } = create();
    // 256 bits that depend on the signing secret.
    expect(paymentId).toMatch(/^test_[A-Za-z0-9_-]{43}$/);
    expect(url).toBe(`https://api.example.com/api/v2/test-payments/${paymentId}`);
    expect(expiresAt).toEqual(PAYMENT.expiresAt);
    expect(create()).toEqual({ paymentId, url, expiresAt });
    const other = accountWith({ signingSecret: `whsec_${Buffer.alloc(32, 8).toString('base64')}` });
    const ids = [create().paymentId, create({ id: 'another' }).paymentId, create({}, other).paymentId];
    expect(new Set(ids).size).toBe(3);
  });

  it('allows payments for every account', () => {
    expect(missingForPayments(testProvider, { signingSecret })).toEqual([]);
  });

  it('refunds at once by a webhook with the same id each time', async () => {
    const id = '655f1c2ab1e4a9d3f0c81288';
    const refund = { id, orderId: ORDER_ID, paymentId: 'test_1', amountMinor: 550, currency: 'EUR' };
    const made = { refundId: `re_${id}`, state: 'succeeded', failure: null };
    expect(await testProvider.refund?.(refund, account())).toEqual(made);
    expect(await testProvider.refund?.(refund, account())).toEqual(made);
    const payment = { type: 'refund.succeeded', orderId: ORDER_ID, paymentId: 'test_1', refundId: `re_${id}` };
    const event = { eventId: `re_${id}-succeeded`, payment: { ...payment, amountMinor: 550, currency: 'EUR' } };
    expect(received()).toMatchObject([[event], [event]]);
  });

  it('rejects an empty signing secret', async () => {
    const none = accountWith({}, { webhookUrl: api.url });
    const request = { body: Buffer.from('{}'), headers: {}, query: {}, receivedAt: new Date() };
    expect(() => testProvider.read(request, none)).toThrow('a signing secret is missing');
    expect(() => create({}, none)).toThrow('a signing secret is missing');
    await expect(sendTestWebhook(none, 'evt_1', EVENT)).rejects.toThrow('a signing secret is missing');
    expect(requests).toEqual([]);
  });
});

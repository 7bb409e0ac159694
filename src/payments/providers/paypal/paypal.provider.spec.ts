import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { missingForPayments } from '../../accounts/credentials/credential-rules.js';
import { type PayPalApi, startPayPalApi } from '../../../../test/payments/paypal-api.js';
import { accountWith, newPayment } from '../../../../test/support/provider-accounts.js';
import { paypalProvider } from './paypal.provider.js';
import { type CreatedPayment, type NewPayment, type ProviderAccount, type ProviderEvent } from '../provider.js';

const WEBHOOK_ID = '8PT597110X687430L';
const ORDER_ID = '655f1c2ab1e4a9d3f0c81250';
const PAYMENT = newPayment({ id: '655f1c2ab1e4a9d3f0c81251', amountMinor: 1999 });

let paypal: PayPalApi;
let account: ProviderAccount;
let accounts = 0;

beforeAll(async () => {
  paypal = await startPayPalApi();
});
afterAll(() => paypal.close());
beforeEach(() => {
  Object.assign(paypal, { mood: 'well', tokenSeconds: 32_400, token: 'A21AA-first' });
  paypal.requests.length = 0;
  // The tokens of another test's account are remembered.
  const credentials = {
    clientId: `client-of-test-${++accounts}`,
    clientSecret: 'secret-of-the-app',
    webhookId: WEBHOOK_ID,
  };
  account = accountWith(credentials, { apiUrl: paypal.url });
});

const calls = (): string[] => paypal.requests.map(({ call }) => call);
const create = async (changes: Partial<NewPayment> = {}): Promise<CreatedPayment> =>
  paypalProvider.create(
    { ...PAYMENT, id: `655f1c2ab1e4a9d3f0c8${String(accounts).padStart(4, '0')}`, ...changes },
    account,
  );
const read = async (body: string, headers = paypal.sign(body, WEBHOOK_ID)): Promise<readonly ProviderEvent[]> =>
  paypalProvider.read({ body: Buffer.from(body), headers, query: {}, receivedAt: new Date() }, account);
const approved = (id: string): string =>
  JSON.stringify({
    id: 'WH-1-2',
    event_type: 'CHECKOUT.ORDER.APPROVED',
    resource: { id, intent: 'CAPTURE', purchase_units: [{ custom_id: ORDER_ID }] },
  });
const UNAVAILABLE = expect.objectContaining({ code: 'provider_unavailable' });

describe('paypalProvider.credentials', () => {
  it.each([
    ['clientId', 'AeA1QIZXiflr1_-4hGYSl6'],
    ['clientSecret', 'EGnHDxD_qRPdaLdZz8iCr8N7_MzF-YHPTkjs6NKYQvQSBngp4PTTVWkPZRbL'],
    ['webhookId', WEBHOOK_ID],
  ])('accepts %s only as a whole, with nothing before or after it', (name, value) => {
    const pattern = paypalProvider.credentials.find((one) => one.name === name)?.pattern;
    expect(pattern?.test(value)).toBe(true);
    for (const other of [` ${value}`, `${value}\n`, `${value}:`]) expect(pattern?.test(other)).toBe(false);
  });

  it("rejects the webhook id with which anybody can let PayPal's simulator sign", () => {
    const pattern = paypalProvider.credentials.find(({ name }) => name === 'webhookId')?.pattern;
    for (const value of ['WEBHOOK_ID', 'WEBHOOK_ID1']) expect(pattern?.test(value)).toBe(false);
  });
});

it('requires the webhook id to create payments, because the webhook reports approvals', () => {
  const { webhookId, ...rest } = account.credentials;
  expect(webhookId).toBe(WEBHOOK_ID);
  expect(missingForPayments(paypalProvider, account.credentials)).toEqual([]);
  expect(missingForPayments(paypalProvider, rest)).toEqual(['webhookId']);
});

describe('paypalProvider.create', () => {
  it.each([
    ['when our order expires', '2026-11-21T13:00:00Z', '2026-11-21T13:00:00Z'],
    ['after three hours', '2026-11-23T12:00:00Z', '2026-11-21T15:00:00Z'],
  ])('returns an end %s', async (_, expires, ends) => {
    const { expiresAt } = await create({ expiresAt: new Date(expires) });
    expect(expiresAt).toEqual(new Date(ends));
  });

  it('returns the same order for a repetition, with the same bytes', async () => {
    const [first, second] = [await create(), await create()];
    expect(second).toEqual(first);
    const [, one, two] = paypal.requests;
    expect(two).toEqual(one);
  });

  it('rejects an amount that PayPal cannot charge', async () => {
    await expect(create({ amountMinor: 100_050, currency: 'HUF' })).rejects.toEqual(UNAVAILABLE);
    expect(paypal.requests).toEqual([]);
  });

  it.each<PayPalApi['mood']>(['overloaded', 'no address'])(
    'returns provider_unavailable when PayPal has the fault: %s',
    async (mood) => {
      paypal.mood = mood;
      await expect(create()).rejects.toEqual(UNAVAILABLE);
    },
  );
});

describe('The access token of a PayPal account', () => {
  const tokens = (): number => calls().filter((call) => call === 'POST /v1/oauth2/token').length;

  it('requests the access token once with the credentials, also for parallel requests', async () => {
    await Promise.all([create(), create(), create()]);
    await create();
    expect(tokens()).toBe(1);
    const [first] = paypal.requests;
    const basic = Buffer.from(`client-of-test-${accounts}:secret-of-the-app`).toString('base64');
    expect(first).toMatchObject({ authorization: `Basic ${basic}`, body: 'grant_type=client_credentials' });
  });

  it('uses an access token until a minute before its end', async () => {
    const started = performance.now();
    const clock = jest.spyOn(performance, 'now').mockReturnValue(started);
    await create();
    clock.mockReturnValue(started + 32_340_000);
    await create();
    expect(tokens()).toBe(1);
    clock.mockReturnValue(started + 32_340_001);
    await create();
    expect(tokens()).toBe(2);
    clock.mockRestore();
  });

  it('forgets an access token that PayPal no longer accepts, and shares none between accounts', async () => {
    await create();
    paypal.token = 'A21AA-second';
    await expect(create()).rejects.toEqual(UNAVAILABLE);
    await create();
    expect(tokens()).toBe(2);
    account = { ...account, credentials: { ...account.credentials, clientSecret: 'another-secret-of-it' } };
    await create();
    expect(tokens()).toBe(3);
  });
});

it('reads a webhook that reports a payment without another request', async () => {
  const amount = { currency_code: 'EUR', value: '19.99' };
  const resource = { id: '3C679366HH908993F', status: 'COMPLETED', amount, create_time: '2026-11-21T12:00:00Z' };
  const events = await read(JSON.stringify({ id: 'WH-1-3', event_type: 'PAYMENT.CAPTURE.COMPLETED', resource }));
  expect(events).toMatchObject([{ eventId: 'WH-1-3', payment: { type: 'payment.succeeded', amountMinor: 1999 } }]);
  expect(calls().filter((call) => !call.startsWith('GET /v1/notifications/certs/'))).toEqual([]);
});

describe('An approved PayPal order', () => {
  it('captures an approved order once, however often PayPal reports the approval', async () => {
    const { paymentId } = await create();
    const events = await read(approved(paymentId));
    expect(events).toEqual([
      { eventId: 'WH-1-2', kind: 'CHECKOUT.ORDER.APPROVED', payment: null },
      {
        eventId: expect.stringMatching(/^[A-Z0-9]+-COMPLETED$/),
        kind: 'PAYMENT.CAPTURE.COMPLETED',
        payment: expect.objectContaining({
          type: 'payment.succeeded',
          orderId: ORDER_ID,
          amountMinor: 1999,
          currency: 'EUR',
        }),
      },
    ]);
    expect(await read(approved(paymentId))).toEqual(events);
    const captures = paypal.requests.filter(({ call }) => call.endsWith('/capture'));
    expect(captures.map(({ requestId }) => requestId)).toEqual([`capture-${paymentId}`, `capture-${paymentId}`]);
  });

  it('reads an approved order when another request has captured it', async () => {
    const { paymentId } = await create();
    await fetch(`${paypal.url}/v2/checkout/orders/${paymentId}/capture`, {
      method: 'POST',
      headers: { authorization: `Bearer ${paypal.token}`, 'paypal-request-id': `elsewhere-${paymentId}` },
    });
    expect(await read(approved(paymentId))).toHaveLength(2);
    expect(calls().at(-1)).toBe(`GET /v2/checkout/orders/${paymentId}`);
  });

  it('stays unpaid when PayPal declines the card, and is captured when the buyer approves again', async () => {
    const { paymentId } = await create();
    paypal.mood = 'declining';
    expect(await read(approved(paymentId))).toHaveLength(1);
    paypal.mood = 'well';
    expect(await read(approved(paymentId))).toHaveLength(2);
  });

  it('stays unpaid while PayPal holds the money', async () => {
    const { paymentId } = await create();
    paypal.mood = 'holding';
    expect(await read(approved(paymentId))).toMatchObject([
      {},
      { payment: { type: 'payment.processing', checkoutId: paymentId } },
    ]);
  });

  it('returns no payment when PayPal does not know the order any more', async () => {
    expect(await read(approved('5O190127TN364715T'))).toHaveLength(1);
  });

  it.each<[PayPalApi['mood'], string]>([
    ['overloaded', 'provider_unavailable'],
    ['rejecting', 'provider_credentials_rejected'],
  ])('returns 503 when PayPal is %s, so that the webhook is repeated', async (mood, code) => {
    const { paymentId } = await create();
    paypal.mood = mood;
    await expect(read(approved(paymentId))).rejects.toMatchObject({ code });
  });

  it('captures nothing for a request that PayPal did not sign', async () => {
    const { paymentId } = await create();
    const headers = paypal.sign('{}', WEBHOOK_ID);
    await expect(read(approved(paymentId), headers)).rejects.toMatchObject({ code: 'webhook_rejected' });
    expect(calls().filter((call) => call.endsWith('/capture'))).toEqual([]);
  });
});

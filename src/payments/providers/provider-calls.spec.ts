import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { COINBASE_ACCOUNT } from '../../../test/payments/coinbase-api.js';
import { accountWith } from '../../../test/support/provider-accounts.js';
import { coinbaseProvider } from './coinbase/coinbase.provider.js';
import { mercadopagoProvider } from './mercadopago/mercadopago.provider.js';
import { mollieProvider } from './mollie/mollie.provider.js';
import { paypalProvider } from './paypal/paypal.provider.js';
import { type Credentials, type KnownPayment, type PaymentProvider } from './provider.js';
import { yookassaProvider } from './yookassa/yookassa.provider.js';

const ORDER_ID = '655f1c2ab1e4a9d3f0c81250';
const JSON_ONLY = { accept: 'application/json' };
const BEARER = { ...JSON_ONLY, authorization: 'Bearer secret' };

const addressOf = (to: Parameters<typeof fetch>[0]): string => new Request(to).url;

/** The response of a provider, by its address: a token, or that there is no payment. */
const responseTo = (url: string): Response => {
  if (url.endsWith('/token')) return Response.json({ access_token: 'secret', expires_in: 60 });
  return url.includes('search') ? Response.json({ results: [] }) : new Response('{}', { status: 404 });
};

afterEach(() => {
  jest.restoreAllMocks();
});

describe('fetch of a provider', () => {
  it.each<[string, PaymentProvider, Credentials, string, unknown]>([
    [
      'PayPal',
      paypalProvider,
      { clientId: 'id-of-the-calls', clientSecret: 'secret' },
      'https://api-m.paypal.com/v2/checkout/orders/ID1',
      { ...BEARER, prefer: 'return=representation' },
    ],
    [
      'Mercado Pago',
      mercadopagoProvider,
      { accessToken: 'secret' },
      'https://api.mercadopago.com/v1/payments/search?external_reference=' +
        `${ORDER_ID}&sort=date_created&criteria=desc&limit=10`,
      { ...BEARER, 'x-render-in-process-refunds': 'true' },
    ],
    [
      'Coinbase',
      coinbaseProvider,
      COINBASE_ACCOUNT,
      'https://business.coinbase.com/api/v1/checkouts/ID1',
      { ...JSON_ONLY, authorization: expect.stringMatching(/^Bearer [\w-]+\.[\w-]+\.[\w-]+$/) },
    ],
    [
      'YooKassa',
      yookassaProvider,
      { shopId: '1', secretKey: 'secret' },
      'https://api.yookassa.ru/v3/payments/ID1',
      { ...JSON_ONLY, authorization: `Basic ${Buffer.from('1:secret').toString('base64')}` },
    ],
    [
      'Mollie',
      mollieProvider,
      { apiKey: 'secret' },
      'https://api.mollie.com/v2/payments/ID1?embed=refunds,chargebacks',
      BEARER,
    ],
  ])('sends a GET request with the credentials to %s over https', async (...one) => {
    const [, provider, credentials, url, headers] = one;
    const fetched = jest
      .spyOn(globalThis, 'fetch')
      .mockImplementation((to) => Promise.resolve(responseTo(addressOf(to))));
    const payment: KnownPayment = {
      ...{ id: '655f1c2ab1e4a9d3f0c81277', orderId: ORDER_ID, paymentId: 'ID1', amountMinor: 500, currency: 'USD' },
      createdAt: new Date('2026-11-21T12:00:00.000Z'),
    };
    expect(await provider.fetch?.(payment, accountWith(credentials))).toEqual([]);
    expect(fetched.mock.calls.at(-1)).toStrictEqual([
      url,
      { method: 'GET', headers, redirect: 'error', signal: expect.any(AbortSignal) },
    ]);
    const hosts = fetched.mock.calls.map(([to]) => new URL(addressOf(to)).origin);
    expect(new Set(hosts)).toEqual(new Set([new URL(url).origin]));
  });
});

it('sends a request to Coinbase by default', async () => {
  const fetched = jest.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('{}', { status: 400 }));
  const payment = {
    id: 'a'.repeat(24),
    orderId: ORDER_ID,
    description: 'Order #1042',
    amountMinor: 500,
    currency: 'USD',
  };
  const addresses = { successUrl: 'https://shop.example.com', cancelUrl: 'https://shop.example.com' };
  const times = { createdAt: new Date(0), expiresAt: new Date(0) };
  const create = async (): Promise<unknown> =>
    coinbaseProvider.create({ ...payment, ...addresses, ...times }, accountWith(COINBASE_ACCOUNT));
  await expect(create()).rejects.toMatchObject({ code: 'provider_refused' });
  expect(fetched.mock.calls.map(([url]) => url)).toEqual(['https://business.coinbase.com/api/v1/checkouts']);
});

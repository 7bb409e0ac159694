import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { COINBASE_ACCOUNT } from '../../../test/payments/coinbase-api.js';
import { type ApiResponse, type LocalApi, startLocalApi } from '../../../test/payments/local-api.js';
import { accountWith, newPayment } from '../../../test/support/provider-accounts.js';
import { coinbaseProvider } from './coinbase/coinbase.provider.js';
import { mercadopagoProvider } from './mercadopago/mercadopago.provider.js';
import { mollieProvider } from './mollie/mollie.provider.js';
import { paypalProvider } from './paypal/paypal.provider.js';
import { type PaymentProvider } from './provider.js';
import { stripeProvider } from './stripe/stripe.provider.js';
import { yookassaProvider } from './yookassa/yookassa.provider.js';

const KEY = 'the_key_of_the_shop';

let api: LocalApi;
let response: ApiResponse;

beforeAll(async () => {
  api = await startLocalApi(({ path }) =>
    path === '/v1/oauth2/token' ? { status: 200, body: { access_token: 'token', expires_in: 9_000 } } : response,
  );
});
afterAll(() => api.close());

const create = async (provider: PaymentProvider): Promise<unknown> =>
  provider.create(
    newPayment({ currency: 'USD' }),
    accountWith(
      {
        ...COINBASE_ACCOUNT,
        secretKey: KEY,
        apiKey: KEY,
        accessToken: KEY,
        clientId: KEY,
        clientSecret: KEY,
        shopId: '1',
      },
      { apiUrl: api.url, webhookUrl: 'https://api.example.com/webhook' },
    ),
  );

/** A refusal of each provider, in its own form, with its key in the sentence. */
const REFUSALS: readonly [PaymentProvider, number, object][] = [
  [stripeProvider, 402, { error: { type: 'invalid_request_error', message: `Account not activated: ${KEY}` } }],
  [
    paypalProvider,
    422,
    {
      name: 'UNPROCESSABLE_ENTITY',
      message: 'The request failed',
      details: [{ issue: 'PAYEE_ACCOUNT_RESTRICTED', description: `Account not activated: ${KEY}` }],
    },
  ],
  [mercadopagoProvider, 400, { error: 'bad_request', message: `Account not activated: ${KEY}`, cause: [] }],
  [coinbaseProvider, 400, { errorType: 'invalid_request', errorMessage: `Account not activated: ${KEY}` }],
  [yookassaProvider, 400, { type: 'error', code: 'invalid_request', description: `Account not activated: ${KEY}` }],
  [mollieProvider, 422, { status: 422, title: 'Unprocessable Entity', detail: `Account not activated: ${KEY}` }],
];

it.each(REFUSALS.map(([provider, status, body]) => [provider.name, provider, status, body] as const))(
  'returns provider_refused with the sentence of %s, without the key',
  async (name, provider, status, body) => {
    response = { status, body };
    const cause = new Error(`${name}: status ${status}`);
    const reason = 'Account not activated: [redacted]';
    await expect(create(provider)).rejects.toMatchObject({ code: 'provider_refused', status, reason, cause });
  },
);

it.each(REFUSALS.map(([provider, , body]) => [provider.name, provider, body] as const))(
  'returns provider_unavailable when %s is busy or fails',
  async (_, provider, body) => {
    for (const status of [409, 429, 500, 503]) {
      response = { status, body };
      await expect(create(provider)).rejects.toMatchObject({ code: 'provider_unavailable' });
    }
  },
);

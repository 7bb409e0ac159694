import { beforeEach, describe, expect, it } from '@jest/globals';
import { OTHER_SHOP, SHOP } from '../../../test/support/contexts.js';
import { AppError } from '../../platform/errors/app-error.js';
import { type PublicUrl } from '../../platform/http/public-url.js';
import { type AppConfig } from '../../platform/config/app-config.js';
import { type Order } from '../../orders/orders/order.types.js';
import { type OrdersService } from '../../orders/orders/orders.service.js';
import { CredentialVault } from './credential-vault.js';
import { PaymentAccountsService } from './payment-accounts.service.js';
import { type PaymentConfiguration } from './payment-configuration.types.js';
import { type PaymentProvidersRepository } from './payment-providers.repository.js';

const CONFIG = {
  environment: 'production',
  encryptionKey: Buffer.alloc(32, 1),
  previousEncryptionKey: null,
  providerUrls: { stripe: 'http://127.0.0.1:1' },
} as unknown as AppConfig;
const vault = new CredentialVault(CONFIG);
const CREDENTIALS = { signingSecret: 'whsec_1', secretKey: 'sk_test_1' };

/** A configuration as the repository returns it. */
function configured(provider: string, fields: Partial<PaymentConfiguration> = {}): PaymentConfiguration {
  return {
    id: provider,
    shopId: SHOP,
    provider,
    enabled: true,
    sealedCredentials: vault.seal(SHOP, provider, CREDENTIALS),
    sealedWebhookSecret: vault.sealWebhookSecret(SHOP, provider, 'path-secret'),
    ...fields,
  } as PaymentConfiguration;
}

let stored: PaymentConfiguration[];
let known: Map<string, Pick<Order, 'shopId' | 'status' | 'paymentStatus'>>;
let accounts: PaymentAccountsService;

beforeEach(() => {
  stored = [];
  known = new Map();
  const repository: Pick<PaymentProvidersRepository, 'find' | 'list'> = {
    find: (shopId, name) =>
      Promise.resolve(stored.find((one) => one.shopId === shopId && one.provider === name) ?? null),
    // The newest first.
    list: (shopId) => Promise.resolve(stored.filter((one) => one.shopId === shopId).toReversed()),
  };
  const orders = {
    find: (shopId: string, id: string) => {
      const order = known.get(id);
      return Promise.resolve(order?.shopId === shopId ? order : null);
    },
  } as unknown as OrdersService;
  const publicUrl = { base: () => 'https://api.example.com' } as PublicUrl;
  accounts = new PaymentAccountsService(repository as PaymentProvidersRepository, vault, orders, publicUrl, CONFIG);
});

describe('the account of a shop at a provider', () => {
  it('has the decrypted credentials and the addresses that the provider needs', () => {
    expect({ ...accounts.accountOf(configured('stripe')) }).toEqual({
      credentials: CREDENTIALS,
      publicUrl: 'https://api.example.com',
      apiUrl: 'http://127.0.0.1:1',
      webhookUrl: `https://api.example.com/api/v2/payments/webhooks/stripe/${SHOP}/path-secret`,
      awaitsMoney: expect.any(Function),
    });
    expect(accounts.accountOf(configured('mollie')).apiUrl).toBeUndefined();
  });

  it('has no webhook address when the path secret cannot be decrypted', () => {
    const sealedWebhookSecret = vault.sealWebhookSecret(OTHER_SHOP, 'stripe', 'path-secret');
    expect(accounts.accountOf(configured('stripe', { sealedWebhookSecret })).webhookUrl).toBeNull();
  });

  it('takes money only for an order of the shop that waits for it', async () => {
    const OPEN = { shopId: SHOP, status: 'open', paymentStatus: 'pending' } as const;
    known.set('open', OPEN);
    known.set('cancelled', { ...OPEN, status: 'cancelled' });
    known.set('paid', { ...OPEN, paymentStatus: 'paid' });
    known.set('of another shop', { ...OPEN, shopId: OTHER_SHOP });
    const account = accounts.accountOf(configured('paypal'));
    const wanted = await Promise.all([...known.keys(), 'unknown'].map((id) => account.awaitsMoney(id)));
    expect(wanted).toEqual([true, false, false, false, false]);
  });

  it('is of no use when its credentials belong to another place', async () => {
    stored = [configured('stripe', { sealedCredentials: vault.seal(SHOP, 'paypal', CREDENTIALS) })];
    const failed = expect.objectContaining({ code: 'service_unavailable' });
    await expect(accounts.find(SHOP, 'stripe')).rejects.toEqual(failed);
    await expect(accounts.list(SHOP)).rejects.toBeInstanceOf(AppError);
  });

  it('is found with its provider, and not where there is none', async () => {
    stored = [configured('stripe')];
    const found = await accounts.find(SHOP, 'stripe');
    expect([found?.provider.name, found?.account.credentials]).toEqual(['stripe', CREDENTIALS]);
    expect(await accounts.find(SHOP, 'paypal')).toBeNull();
  });

  it.each<[string, PaymentConfiguration]>([
    ['is switched off', configured('stripe', { enabled: false })],
    ['only reports payments', configured('stripe', { sealedCredentials: vault.seal(SHOP, 'stripe', {}) })],
    ['is for tests, in production', configured('test')],
    ['is of another version', configured('gone')],
  ])('is not for buyers when its provider %s', async (_, configuration) => {
    stored = [configuration];
    expect(await accounts.find(SHOP, configuration.provider)).toBeNull();
    expect(await accounts.list(SHOP)).toEqual([]);
  });

  it('is in the list in the order in which the shop configured it', async () => {
    stored = [configured('mollie'), configured('test'), configured('stripe')];
    const list = await accounts.list(SHOP);
    expect(list.map(({ provider }) => provider.name)).toEqual(['mollie', 'stripe']);
    expect(list[1]?.account.credentials).toEqual(CREDENTIALS);
  });
});

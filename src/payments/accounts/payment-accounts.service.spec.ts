import { beforeEach, describe, expect, it } from '@jest/globals';
import { OTHER_SHOP, SHOP } from '../../../test/support/contexts.js';
import { AppError } from '../../domain/errors/app-error.js';
import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { type PublicUrl } from '../../http/addresses/public-url.js';
import { type AppConfig } from '../../infrastructure/config/app-config.js';
import { type Order } from '../../orders/order/order.types.js';
import { type OrdersService } from '../../orders/order/orders.service.js';
import { type Credentials } from '../providers/provider.js';
import { CredentialVault } from './credentials/credential-vault.js';
import { type ConfiguredProvider, PaymentAccountsService, type WebhookPath } from './payment-accounts.service.js';
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
let reads: number;
let known: Map<string, Pick<Order, 'shopId' | 'status' | 'paymentStatus'>>;
let accounts: PaymentAccountsService;

beforeEach(() => {
  stored = [];
  reads = 0;
  known = new Map();
  const repository: Pick<PaymentProvidersRepository, 'find' | 'list'> = {
    find: (shopId, name) => {
      reads++;
      return Promise.resolve(stored.find((one) => one.shopId === shopId && one.provider === name) ?? null);
    },
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

describe('PaymentAccountsService', () => {
  it('returns the decrypted credentials and the addresses that the provider needs', () => {
    expect({ ...accounts.accountOf(configured('stripe')) }).toEqual({
      credentials: CREDENTIALS,
      publicUrl: 'https://api.example.com',
      apiUrl: 'http://127.0.0.1:1',
      webhookUrl: `https://api.example.com/api/v2/payments/webhooks/stripe/${SHOP}/path-secret`,
      awaitsMoney: expect.any(Function),
    });
    expect(accounts.accountOf(configured('mollie')).apiUrl).toBeUndefined();
  });

  it('returns no webhook address when the path secret cannot be decrypted', () => {
    const sealedWebhookSecret = vault.sealWebhookSecret(OTHER_SHOP, 'stripe', 'path-secret');
    expect(accounts.accountOf(configured('stripe', { sealedWebhookSecret })).webhookUrl).toBeNull();
  });

  it('awaits money only for an unpaid order of the shop', async () => {
    const OPEN = { shopId: SHOP, status: 'open', paymentStatus: 'pending' } as const;
    known.set('open', OPEN);
    known.set('cancelled', { ...OPEN, status: 'cancelled' });
    known.set('paid', { ...OPEN, paymentStatus: 'paid' });
    known.set('of another shop', { ...OPEN, shopId: OTHER_SHOP });
    const account = accounts.accountOf(configured('paypal'));
    const wanted = await Promise.all([...known.keys(), 'unknown'].map((id) => account.awaitsMoney(id)));
    expect(wanted).toEqual([true, false, false, false, false]);
  });

  it('returns service_unavailable for credentials that were encrypted for another provider', async () => {
    stored = [configured('stripe', { sealedCredentials: vault.seal(SHOP, 'paypal', CREDENTIALS) })];
    const failed = expect.objectContaining({ code: 'service_unavailable' });
    await expect(accounts.find(SHOP, 'stripe')).rejects.toEqual(failed);
    await expect(accounts.list(SHOP)).rejects.toBeInstanceOf(AppError);
  });

  it('finds an account with its provider, and null for a provider without account', async () => {
    stored = [configured('stripe')];
    const found = await accounts.find(SHOP, 'stripe');
    expect([found?.provider.name, found?.account.credentials]).toEqual(['stripe', CREDENTIALS]);
    expect(await accounts.find(SHOP, 'paypal')).toBeNull();
  });

  it.each<[string, PaymentConfiguration]>([
    ['a disabled account', configured('stripe', { enabled: false })],
    [
      'a provider that only reports payments',
      configured('stripe', { sealedCredentials: vault.seal(SHOP, 'stripe', {}) }),
    ],
    ['the test provider in production', configured('test')],
    ['a provider that this version does not have', configured('gone')],
  ])('offers buyers no account of %s', async (_, configuration) => {
    stored = [configuration];
    expect(await accounts.find(SHOP, configuration.provider)).toBeNull();
    expect(await accounts.list(SHOP)).toEqual([]);
  });

  it('lists accounts in the order in which the shop configured them', async () => {
    stored = [configured('mollie'), configured('test'), configured('stripe')];
    const list = await accounts.list(SHOP);
    expect(list.map(({ provider }) => provider.name)).toEqual(['mollie', 'stripe']);
    expect(list[1]?.account.credentials).toEqual(CREDENTIALS);
  });
});

describe('statusOf', () => {
  const AT = new Date('2026-11-21T12:00:00.000Z');
  const statusOf = (credentials: Credentials, fields: Partial<PaymentConfiguration> = {}, currency = 'EUR') => {
    const sealedCredentials = vault.seal(SHOP, 'stripe', credentials);
    return accounts.statusOf(configured('stripe', { failingSince: null, sealedCredentials, ...fields }), currency);
  };

  it('says that buyers can pay with a complete, enabled provider that charges the currency', () => {
    expect(statusOf(CREDENTIALS)).toMatchObject({ mode: 'test', missing: [], canStartPayments: true });
  });

  it.each<[string, Credentials, Partial<PaymentConfiguration>, string]>([
    ['is switched off', CREDENTIALS, { enabled: false }, 'EUR'],
    ['rejects the credentials', CREDENTIALS, { failingSince: AT }, 'EUR'],
    ['lacks a credential', { secretKey: 'sk_live_12345678' }, {}, 'EUR'],
    ['does not charge the currency', CREDENTIALS, {}, 'IRR'],
    ['has credentials that cannot be decrypted', CREDENTIALS, { shopId: OTHER_SHOP }, 'EUR'],
  ])('says that buyers cannot pay when the provider %s', (_, credentials, fields, currency) => {
    expect(statusOf(credentials, fields, currency).canStartPayments).toBe(false);
  });

  it.each(['gone', 'test'])(
    'says that buyers cannot pay with %s, which the service does not have in production',
    (name) => {
      expect(accounts.statusOf(configured(name), 'EUR')).toMatchObject({ mode: null, canStartPayments: false });
    },
  );
});

describe('openWebhook', () => {
  const SECRET = 'A'.repeat(43);
  const CONFIGURED = configured('stripe', {
    secretHash: sha256(SECRET),
    previousSecretUntil: null,
    formerSecretHashes: [],
  });
  const ROTATED = { ...CONFIGURED, secretHash: sha256('new'), formerSecretHashes: [sha256(SECRET)] };
  const open = (path: Partial<WebhookPath> = {}): Promise<ConfiguredProvider> =>
    accounts.openWebhook({ provider: 'stripe', shopId: SHOP, webhookSecret: SECRET, ...path });

  it('returns the configuration and the provider after one read', async () => {
    stored = [CONFIGURED];
    const { configuration, provider } = await open();
    expect([configuration, provider.name]).toEqual([CONFIGURED, 'stripe']);
    expect(reads).toBe(1);
  });

  it('rejects a malformed shop id without a read', async () => {
    await expect(open({ shopId: 'x' })).rejects.toThrow(new AppError('malformed_id'));
    expect(reads).toBe(0);
  });

  it.each<[string, Partial<WebhookPath>, PaymentConfiguration | null]>([
    ['a wrong secret', { webhookSecret: 'B'.repeat(43) }, CONFIGURED],
    ['an empty secret', { webhookSecret: '' }, CONFIGURED],
    ['the hash of the secret', { webhookSecret: sha256(SECRET) }, CONFIGURED],
    ['another shop', { shopId: OTHER_SHOP }, CONFIGURED],
    ['an unknown provider', { provider: 'venmo' }, CONFIGURED],
    ['a provider that the shop has not configured', { provider: 'mollie' }, CONFIGURED],
    ['a shop without any provider', {}, null],
  ])('rejects %s with the same webhook_not_found', async (_, path, configuration) => {
    stored = configuration === null ? [] : [configuration];
    await expect(open(path)).rejects.toThrow(new AppError('webhook_not_found'));
  });

  it('accepts the previous secret until its end, and the new one', async () => {
    stored = [{ ...ROTATED, previousSecretUntil: new Date(Date.now() + 60_000) }];
    expect((await open()).provider.name).toBe('stripe');
    expect((await open({ webhookSecret: 'new' })).provider.name).toBe('stripe');
    expect(await open()).toMatchObject({ isOpen: true });
  });

  it('opens the webhook of a provider that is switched off, which still reports about earlier payments', async () => {
    stored = [{ ...CONFIGURED, enabled: false }];
    expect(await open()).toMatchObject({ isOpen: true });
  });

  it.each([
    ['stripe', false],
    ['mollie', true],
  ])('recognises the previous secret of %s after its end; open: %s', async (provider, isOpen) => {
    stored = [{ ...ROTATED, provider, previousSecretUntil: new Date(0) }];
    expect(await open({ provider })).toMatchObject({ isOpen });
  });
});

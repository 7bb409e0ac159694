import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '../../domain/errors/app-error.js';
import { type PublicUrl } from '../../http/addresses/public-url.js';
import { startClock, stopDate } from '../../../test/support/clock.js';
import {
  AUTHOR,
  directTransactions,
  EMAILED_SHOP,
  FakeAudit,
  fakeCatalogueWrites,
  FakeOwnerEmails,
} from '../../../test/support/fakes.js';
import { shopWith } from '../../../test/support/shops.js';
import { type AppConfig } from '../../infrastructure/config/app-config.js';
import { CredentialVault } from './credentials/credential-vault.js';
import { type PaymentConfiguration } from './payment-configuration.types.js';
import { type ChangeAuthor, settingsEmail } from './payment-emails.js';
import { PaymentAccountsService } from './payment-accounts.service.js';
import { CredentialsRejected } from '../providers/provider-errors.js';
import { type Credentials, type RegisteredWebhook, type WebhookApi } from '../providers/provider.js';
import { type ShopsService } from '../../shops/shops/shops.service.js';
import { type OrdersService } from '../../orders/order/orders.service.js';
import { type PaymentProvidersRepository } from './payment-providers.repository.js';
import { PaymentProvidersService } from './payment-providers.service.js';
import { matchSecret } from './credentials/webhook-secret.js';

const SHOP = '655f1c2ab1e4a9d3f0c81234';
const NOW = new Date('2026-11-21T12:00:00Z');
const USER_ID = '655f1c2ab1e4a9d3f0c81230';
const OWNER = { shopId: SHOP, principal: `user:${USER_ID}`, kind: 'user', userId: USER_ID } as const;
const BY_OWNER: ChangeAuthor = { person: AUTHOR, withKey: false, at: NOW };
/** The shop that `FakeOwnerEmails` gives to an email. */
const TOLD_SHOP = shopWith(EMAILED_SHOP);
const STRIPE = { signingSecret: 'whsec_test_secret', secretKey: 'sk_test_4eC39HqLyjWDarjtT1zdp7dc' };
const { secretKey: KEY } = STRIPE;
const URL = new RegExp(`^https://api\\.example\\.com/api/v2/payments/webhooks/custom/${SHOP}/([A-Za-z0-9_-]{43})$`);

type Versions = readonly ('sealedCredentials' | 'sealedWebhookSecret' | 'secretHash' | 'registeringUntil')[];

/** Configurations in memory, with the repository's conditions. */
class FakeRepository implements Pick<PaymentProvidersRepository, 'find' | 'insert' | 'update' | 'remove'> {
  stored: PaymentConfiguration[] = [];

  find(shopId: string, provider: string): Promise<PaymentConfiguration | null> {
    const found = this.stored.find((one) => one.shopId === shopId && one.provider === provider);
    return Promise.resolve(found ?? null);
  }

  remove(read: PaymentConfiguration): Promise<boolean> {
    const count = this.stored.length;
    this.stored = this.stored.filter((one) => one.sealedCredentials !== read.sealedCredentials);
    return Promise.resolve(this.stored.length < count);
  }

  insert(shopId: string, provider: string, values: Partial<PaymentConfiguration>): Promise<PaymentConfiguration> {
    const none = { previousSecretUntil: null, formerSecretHashes: [] };
    const made = { id: '1', shopId, provider, ...none, ...values } as PaymentConfiguration;
    this.stored.push(made);
    return Promise.resolve(made);
  }

  update(
    read: PaymentConfiguration,
    changes: object,
    _transaction: unknown,
    versions: Versions = ['sealedCredentials'],
  ): Promise<PaymentConfiguration | null> {
    const at = this.stored.findIndex(
      (one) => one.id === read.id && versions.every((field) => one[field] === read[field]),
    );
    const current = this.stored[at];
    if (current === undefined) return Promise.resolve(null);
    const changed = { ...current, ...changes };
    this.stored[at] = changed;
    return Promise.resolve(changed);
  }
}

const PUBLIC_URL = { base: () => 'https://api.example.com' } as PublicUrl;
const CONFIG = { environment: 'development', providerUrls: {} } as unknown as AppConfig;

let repository: FakeRepository;
/** The credentials that were checked with Stripe. */
let verified: Credentials[];
/** What Stripe adds to them; null: it checks none. */
let onVerify: () => Promise<Credentials | null>;
/** The webhooks that Stripe has, and how often they were listed. */
let atStripe: RegisteredWebhook[];
let listed: number;
/** Runs when they are listed. */
let onList: () => void;
let vault: CredentialVault;
let audit: FakeAudit;
/** The shops whose catalogue has a new revision, once for each change. */
let raised: string[];
let emails: FakeOwnerEmails;
let service: PaymentProvidersService;

beforeEach(() => {
  stopDate(NOW);
  repository = new FakeRepository();
  verified = [];
  onVerify = () => Promise.resolve(null);
  atStripe = [];
  listed = 0;
  onList = () => undefined;
  vault = new CredentialVault({ encryptionKey: Buffer.alloc(32, 1) } as AppConfig);
  audit = new FakeAudit();
  raised = [];
  emails = new FakeOwnerEmails();
  const configurations = repository as unknown as PaymentProvidersRepository;
  const accounts = new PaymentAccountsService(configurations, vault, {} as OrdersService, PUBLIC_URL, CONFIG);
  const providerNamed = accounts.providerNamed.bind(accounts);
  accounts.providerNamed = (name) =>
    name === 'stripe' ? { ...providerNamed(name), verify: verifyAtStripe, webhooks } : providerNamed(name);
  service = new PaymentProvidersService(
    configurations,
    vault,
    accounts,
    { currencyOf: () => Promise.resolve('EUR') } as unknown as ShopsService,
    audit.asService,
    emails.asService,
    fakeCatalogueWrites(audit, directTransactions, raised),
  );
});
afterEach(startClock);

const verifyAtStripe = ({ credentials }: { readonly credentials: Credentials }): Promise<Credentials | null> => {
  verified.push(credentials);
  return onVerify();
};

const webhooks: WebhookApi = {
  credential: 'signingSecret',
  credentialOf: () => null,
  list: ({ webhookUrl }) => {
    listed++;
    // Stripe never gets an address that the service has not stored.
    if (repository.stored.length > 0) expect(storedAddress()).toBe(webhookUrl?.split('/').at(-1));
    onList();
    return Promise.resolve(atStripe);
  },
  create: (url) => {
    atStripe.push({ id: 'made', url, isComplete: true });
    return Promise.resolve({ id: 'made', credential: 'whsec_made' });
  },
  update: (id, url) => {
    atStripe = atStripe.map((one) => (one.id === id ? { id, url, isComplete: true } : one));
    return Promise.resolve();
  },
  remove: (id) => {
    atStripe = atStripe.filter((one) => one.id !== id);
    return Promise.resolve();
  },
};

function stored(): PaymentConfiguration {
  const [first] = repository.stored;
  if (first === undefined) throw new Error('nothing is configured');
  return first;
}

const storedAddress = (): string | null => vault.openWebhookSecret(stored());

describe('PaymentProvidersService.configure', () => {
  it('returns the webhook URL and the generated signing secret once, and stores neither as plain text', async () => {
    const { webhookUrl, signingSecret } = await service.configure(OWNER, 'custom', { enabled: true, credentials: {} });
    const [, secret = ''] = URL.exec(webhookUrl ?? '') ?? [];
    expect(secret).toHaveLength(43);
    expect(matchSecret(secret, stored(), new Date())).toBe('live');
    expect(vault.open(stored())).toEqual({ signingSecret });
    expect(vault.openWebhookSecret(stored())).toBe(secret);
    const text = JSON.stringify(stored());
    expect(text).not.toContain(secret);
    expect(text).not.toContain(signingSecret);
  });

  it('sends the owners an email without any secret', async () => {
    const { signingSecret } = await service.configure(OWNER, 'custom', { enabled: true, credentials: {} });
    expect(emails.sent).toEqual([
      { shopId: SHOP, email: settingsEmail('payment_provider.configured', TOLD_SHOP, 'custom', BY_OWNER) },
    ]);
    expect(JSON.stringify(emails.sent)).not.toContain(signingSecret);
  });

  it('sends no email when the settings are rejected', async () => {
    await expect(service.configure(OWNER, 'mollie', { enabled: true, credentials: {} })).rejects.toThrow();
    expect(emails.sent).toEqual([]);
  });

  it('records the author and only the names of the credentials in the audit log', async () => {
    await service.configure(OWNER, 'stripe', { enabled: true, credentials: STRIPE });
    await service.configure(OWNER, 'stripe', { enabled: false, credentials: {} });
    expect(audit.entries).toEqual([
      {
        author: OWNER,
        action: 'payment_provider.configured',
        subjectId: '1',
        changes: [
          { field: 'provider', before: null, after: 'stripe' },
          { field: 'enabled', before: null, after: 'true' },
          { field: 'credentialNames', before: null, after: 'secretKey, signingSecret' },
        ],
      },
      {
        author: OWNER,
        action: 'payment_provider.configured',
        subjectId: '1',
        changes: [{ field: 'enabled', before: 'true', after: 'false' }],
      },
    ]);
  });

  it('keeps the secret, the URL and absent credentials when it is configured again', async () => {
    await service.configure(OWNER, 'stripe', { enabled: true, credentials: STRIPE });
    const { secretHash } = stored();
    const again = await service.configure(OWNER, 'stripe', {
      enabled: false,
      credentials: { secretKey: 'rk_live_12345678' },
    });
    const status = { configuration: stored(), mode: 'live', missing: [], canStartPayments: false };
    expect(again).toEqual({ ...status, webhookUrl: null, signingSecret: null });
    expect(stored()).toMatchObject({ enabled: false, secretHash, credentialNames: ['secretKey', 'signingSecret'] });
    expect(vault.open(stored())).toEqual({ signingSecret: STRIPE.signingSecret, secretKey: 'rk_live_12345678' });
  });

  it('accepts stripe without an API key: receiving webhooks needs none', async () => {
    await service.configure(OWNER, 'stripe', { enabled: true, credentials: { signingSecret: STRIPE.signingSecret } });
    expect(stored().credentialNames).toEqual(['signingSecret']);
  });

  it('stores what the provider adds: the account that it checked, and then the webhook that it registered', async () => {
    onVerify = () => Promise.resolve({ merchantId: 'M1' });
    const { secretKey } = STRIPE;
    const { webhookUrl } = await service.configure(OWNER, 'stripe', { enabled: true, credentials: { secretKey } });
    expect(webhookUrl).toMatch(`https://api.example.com/api/v2/payments/webhooks/stripe/${SHOP}/`);
    expect(verified).toEqual([{ secretKey }]);
    expect(atStripe).toEqual([{ id: 'made', url: webhookUrl, isComplete: true }]);
    expect(vault.open(stored())).toEqual({ secretKey, merchantId: 'M1', signingSecret: 'whsec_made' });
    expect(stored()).toMatchObject({
      checkedAt: expect.any(Date),
      webhookRegistered: true,
      credentialNames: ['merchantId', 'secretKey', 'signingSecret'],
    });
    // What the provider adds may be what a payment needs.
    expect(raised).toEqual([SHOP, SHOP]);
  });

  it('registers no webhook with credentials that could not be checked', async () => {
    await service.configure(OWNER, 'stripe', { enabled: true, credentials: STRIPE });
    expect([verified, listed]).toEqual([[STRIPE], 0]);
  });

  it('registers no webhook for settings that somebody else has stored at the same time', async () => {
    onVerify = () => Promise.resolve({});
    await service.configure(OWNER, 'stripe', { enabled: true, credentials: STRIPE });
    repository.update = () => Promise.resolve(null);
    await expect(service.configure(OWNER, 'stripe', { enabled: true, credentials: {} })).rejects.toThrow(
      new AppError('state_conflict'),
    );
    expect(listed).toBe(1);
  });

  it('leaves the settings of somebody who saved others while the webhook was registered', async () => {
    onVerify = () => Promise.resolve({});
    onList = () => {
      repository.stored = [{ ...stored(), sealedCredentials: 'of somebody else' }];
    };
    const { webhookUrl } = await service.configure(OWNER, 'stripe', { enabled: true, credentials: { secretKey: KEY } });
    expect(webhookUrl).not.toBeNull();
    expect(stored()).toMatchObject({ sealedCredentials: 'of somebody else', webhookRegistered: null });
    // Nobody has the credential of the new one.
    expect(atStripe).toEqual([]);
  });

  it('rejects every change while another request registers the webhook, and none afterwards', async () => {
    onVerify = () => Promise.resolve({});
    const outcomes: unknown[] = [];
    let others: Promise<unknown> = Promise.resolve();
    onList = () => {
      others = Promise.allSettled([
        service.configure(OWNER, 'stripe', { enabled: true, credentials: {} }),
        service.rotateSecret(OWNER, 'stripe', 0),
        service.remove(OWNER, 'stripe'),
      ]).then((results) => outcomes.push(...results.map((one) => (one.status === 'rejected' ? one.reason : one))));
    };
    await service.configure(OWNER, 'stripe', { enabled: true, credentials: { secretKey: KEY } });
    await others;
    const conflict = expect.objectContaining({ code: 'state_conflict' });
    expect(outcomes).toEqual([conflict, conflict, conflict]);
    expect(atStripe).toHaveLength(1);
    onList = () => undefined;
    await service.remove(OWNER, 'stripe');
    expect(atStripe).toEqual([]);
  });

  it('takes over from a request that registered the webhook and died', async () => {
    await service.configure(OWNER, 'stripe', { enabled: false, credentials: STRIPE });
    repository.stored = [{ ...stored(), registeringUntil: new Date(Date.now() - 1) }];
    await service.configure(OWNER, 'stripe', { enabled: false, credentials: {} });
    expect(stored()).toMatchObject({ registeringUntil: null });
  });

  it('calls no provider that is switched off, so that a key that no longer works is no obstacle', async () => {
    await service.configure(OWNER, 'stripe', { enabled: false, credentials: STRIPE });
    expect([verified, listed]).toEqual([[], 0]);
    expect(stored()).toMatchObject({ checkedAt: null, webhookRegistered: null, lastError: null, failingSince: null });
  });

  it('stores nothing when the provider rejects the credentials', async () => {
    onVerify = () => Promise.reject(new CredentialsRejected('stripe', 401));
    const rejected = new AppError('validation_failed', { message: 'Stripe rejected this secret key' });
    await expect(service.configure(OWNER, 'stripe', { enabled: true, credentials: STRIPE })).rejects.toThrow(rejected);
    expect([repository.stored, emails.sent, audit.entries]).toEqual([[], [], []]);
  });

  it('binds the credentials to shop and provider, for the id in upper and lower case', async () => {
    await service.configure({ ...OWNER, shopId: SHOP.toUpperCase() }, 'stripe', { enabled: true, credentials: STRIPE });
    expect(vault.open(stored())).toEqual(STRIPE);
    expect(() => vault.open({ ...stored(), provider: 'custom' })).toThrow();
    expect(() => vault.open({ ...stored(), shopId: '655f1c2ab1e4a9d3f0c81235' })).toThrow();
  });

  it.each<[object, string]>([
    [{ ...STRIPE, apiKey: 'x' }, 'credentials.apiKey is not a known field'],
    [
      { ...STRIPE, secretKey: 'pk_test_12345678' },
      'credentials.secretKey must be a secret or restricted key, sk_... or rk_...',
    ],
    [{ signingSecret: 7 }, "credentials.signingSecret must be the endpoint's signing secret, whsec_..."],
  ])('rejects the credentials %j without storing anything', async (credentials, message) => {
    await expect(
      service.configure(OWNER, 'stripe', { enabled: true, credentials: credentials as Record<string, unknown> }),
    ).rejects.toThrow(new AppError('validation_failed', { message }));
    expect(repository.stored).toEqual([]);
  });

  it.each(['venmo', 'Stripe', '__proto__', ''])('rejects the unknown provider %j', async (name) => {
    const unknown = new AppError('provider_not_found');
    await expect(service.configure(OWNER, name, { enabled: true, credentials: {} })).rejects.toThrow(unknown);
    await expect(service.rotateSecret(OWNER, name, 60)).rejects.toThrow(unknown);
  });

  it('rejects a change of a configuration that changed since it was read', async () => {
    await service.configure(OWNER, 'custom', { enabled: true, credentials: {} });
    const before = stored();
    await service.configure(OWNER, 'custom', { enabled: false, credentials: {} });
    repository.find = () => Promise.resolve(before);
    await expect(service.configure(OWNER, 'custom', { enabled: true, credentials: {} })).rejects.toThrow(
      new AppError('state_conflict'),
    );
  });
});

describe('PaymentProvidersService.remove', () => {
  it('removes the configuration and the webhook at the provider, and tells owners and the audit log', async () => {
    const { webhookUrl } = await service.configure(OWNER, 'stripe', { enabled: true, credentials: STRIPE });
    const before = stored();
    atStripe = [{ id: 'w1', url: webhookUrl ?? '', isComplete: true }];
    const removed = await service.remove(OWNER, 'stripe');
    expect(removed).toEqual({ configuration: before, mode: 'test', missing: [], canStartPayments: false });
    expect(repository.stored).toEqual([]);
    expect(atStripe).toEqual([]);
    expect(emails.sent[1]).toEqual({
      shopId: SHOP,
      email: settingsEmail('payment_provider.removed', TOLD_SHOP, 'stripe', BY_OWNER),
    });
    expect(audit.entries[1]).toMatchObject({ author: OWNER, action: 'payment_provider.removed', subjectId: '1' });
  });

  it('rejects a provider that is not configured, and one that changed since it was read', async () => {
    await expect(service.remove(OWNER, 'stripe')).rejects.toMatchObject({ code: 'provider_not_found' });
    await service.configure(OWNER, 'custom', { enabled: true, credentials: {} });
    const before = stored();
    await service.configure(OWNER, 'custom', { enabled: false, credentials: {} });
    repository.find = () => Promise.resolve(before);
    await expect(service.remove(OWNER, 'custom')).rejects.toThrow(new AppError('state_conflict'));
  });
});

describe('PaymentProvidersService.rotateSecret', () => {
  it('accepts the new secret and, until the grace period ends, the old one', async () => {
    const { webhookUrl: first } = await service.configure(OWNER, 'custom', { enabled: true, credentials: {} });
    const { webhookUrl: second, signingSecret } = await service.rotateSecret(OWNER, 'custom', 3_600);
    const [oldSecret = '', newSecret = ''] = [first, second].map((url) => URL.exec(url ?? '')?.[1]);
    expect(signingSecret).toBeNull();
    expect(newSecret).not.toBe(oldSecret);
    const now = Date.now();
    expect(matchSecret(newSecret, stored(), new Date(now))).toBe('live');
    expect(vault.openWebhookSecret(stored())).toBe(newSecret);
    expect(matchSecret(oldSecret, stored(), new Date(now + 3_599_999))).toBe('live');
    expect(matchSecret(oldSecret, stored(), new Date(now + 3_600_000))).toBe('former');
  });

  it('sends the owners an email', async () => {
    await service.configure(OWNER, 'custom', { enabled: true, credentials: {} });
    await service.rotateSecret(OWNER, 'custom', 0);
    expect(emails.sent[1]).toEqual({
      shopId: SHOP,
      email: settingsEmail('payment_provider.secret_rotated', TOLD_SHOP, 'custom', BY_OWNER),
    });
  });

  it('rejects the old secret at once without a grace period', async () => {
    const { webhookUrl } = await service.configure(OWNER, 'custom', { enabled: true, credentials: {} });
    await service.rotateSecret(OWNER, 'custom', 0);
    expect(matchSecret(URL.exec(webhookUrl ?? '')?.[1] ?? '', stored(), new Date())).toBe('former');
  });

  it('moves the webhook at the provider after the new secret is stored, and records whether it is there', async () => {
    const first = await service.configure(OWNER, 'stripe', { enabled: true, credentials: STRIPE });
    atStripe = [{ id: 'w1', url: first.webhookUrl ?? '', isComplete: true }];
    const { webhookUrl, configuration } = await service.rotateSecret(OWNER, 'stripe', 0);
    expect(atStripe).toEqual([{ id: 'w1', url: webhookUrl, isComplete: true }]);
    expect([configuration.webhookRegistered, stored().webhookRegistered]).toEqual([true, true]);
  });

  it('rejects a provider that is not configured', async () => {
    await expect(service.rotateSecret(OWNER, 'custom', 60)).rejects.toMatchObject({ code: 'provider_not_found' });
  });
});

it.each([
  [
    'payment_provider.configured',
    'settings of Sky Realm were changed',
    'settings of the payment provider',
    'with new secrets',
  ],
  [
    'payment_provider.secret_rotated',
    'webhook address of Sky Realm was changed',
    'new webhook address',
    'with new secrets',
  ],
  [
    'payment_provider.removed',
    'provider of Sky Realm was removed',
    'was removed, with its credentials',
    'save the settings again.',
  ],
] as const)(
  'emails owners about %s what happened, and what to do if nobody of them did it',
  (change, subject, body, advice) => {
    const shop = { displayName: 'Sky Realm', language: 'en', timezone: 'Europe/Berlin' } as const;
    const at = new Date('2026-11-21T12:00:00Z');
    const email = settingsEmail(change, shop, 'stripe', { person: AUTHOR, withKey: true, at });
    expect(email.subject).toContain(subject);
    expect(email.parts).toMatchObject([
      { text: expect.stringContaining(body) },
      {
        facts: [
          ['By an API key of', 'Robin (robin@example.com)'],
          ['On', expect.stringMatching(/Nov.*2026.*13:00|13:00/)],
        ],
      },
      { text: expect.stringContaining(advice) },
    ]);
  },
);

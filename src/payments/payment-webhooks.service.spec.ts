import { beforeEach, describe, expect, it } from '@jest/globals';
import { sha256 } from '../common/crypto/keyed-hash.js';
import { AppError } from '../common/errors/app-error.js';
import { type CredentialVault } from './credential-vault.js';
import { type PaymentConfiguration } from './payment-configuration.types.js';
import { type PaymentProvidersRepository } from './payment-providers.repository.js';
import { PaymentWebhooksService, type VerifiedNotification } from './payment-webhooks.service.js';

const SHOP = '655f1c2ab1e4a9d3f0c81234';
const SECRET = 'A'.repeat(43);
const SIGNING_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const CONFIGURED = { id: 'c1', shopId: SHOP, provider: 'custom', enabled: true, secretHash: sha256(SECRET) };
const RIGHT = { provider: 'custom', shopId: SHOP, secret: SECRET };

let configuration: Partial<PaymentConfiguration> | null;
let reads: number;
let service: PaymentWebhooksService;

beforeEach(() => {
  configuration = CONFIGURED;
  reads = 0;
  const repository = {
    find: (shopId: string, provider: string) => {
      reads++;
      const found = configuration?.shopId === shopId && configuration.provider === provider;
      return Promise.resolve(found ? configuration : null);
    },
  };
  service = new PaymentWebhooksService(
    repository as unknown as PaymentProvidersRepository,
    { open: () => ({ signingSecret: SIGNING_SECRET }) } as unknown as CredentialVault,
  );
});

async function receive(body: string, path: Partial<typeof RIGHT> = {}): Promise<VerifiedNotification> {
  const { provider, shopId, secret } = { ...RIGHT, ...path };
  const webhook = await service.open(provider, shopId, secret);
  return service.read(webhook, { body: Buffer.from(body), headers: {}, query: {}, receivedAt: new Date() });
}

describe('the access to webhooks', () => {
  it('takes an empty body without a signature: there is nothing to sign', async () => {
    expect(await receive('')).toEqual({ shopId: SHOP, provider: 'custom', events: null });
  });

  it('refuses any other body without a signature', async () => {
    await expect(receive('{}')).rejects.toThrow(new AppError('webhook_rejected'));
  });

  it('finds the webhook with one read, and refuses a malformed shop id without any', async () => {
    await receive('');
    expect(reads).toBe(1);
    await expect(receive('', { shopId: 'x' })).rejects.toThrow(new AppError('malformed_id'));
    expect(reads).toBe(1);
  });

  it.each<[string, Partial<typeof RIGHT>, Partial<PaymentConfiguration> | null]>([
    ['a wrong secret', { secret: 'B'.repeat(43) }, CONFIGURED],
    ['no secret', { secret: '' }, CONFIGURED],
    ['the hash of the secret', { secret: sha256(SECRET) }, CONFIGURED],
    ['another shop', { shopId: '655f1c2ab1e4a9d3f0c81235' }, CONFIGURED],
    ['an unknown provider', { provider: 'venmo' }, CONFIGURED],
    ['a provider that is not configured', { provider: 'stripe' }, CONFIGURED],
    ['a shop without any', {}, null],
    ['a provider that is switched off', {}, { ...CONFIGURED, enabled: false }],
    [
      'a previous secret after its end',
      {},
      {
        ...CONFIGURED,
        secretHash: sha256('new'),
        previousSecretHash: sha256(SECRET),
        previousSecretUntil: new Date(0),
      },
    ],
  ])('answers %s with one and the same 404', async (_, path, stored) => {
    configuration = stored;
    await expect(receive('{}', path)).rejects.toThrow(new AppError('webhook_not_found'));
  });

  it('lets the previous secret in until its end', async () => {
    configuration = {
      ...CONFIGURED,
      secretHash: sha256('new'),
      previousSecretHash: sha256(SECRET),
      previousSecretUntil: new Date(Date.now() + 60_000),
    };
    expect(await receive('')).toMatchObject({ events: null });
    expect(await receive('', { secret: 'new' })).toMatchObject({ events: null });
  });
});

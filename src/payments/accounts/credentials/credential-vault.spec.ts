import { describe, expect, it } from '@jest/globals';
import { type AppConfig } from '../../../infrastructure/config/app-config.js';
import { CredentialVault } from './credential-vault.js';
import { type PaymentConfiguration } from '../payment-configuration.types.js';

const keyOf = (byte: number | null): Buffer | null => (byte === null ? null : Buffer.alloc(32, byte));
const vaultWith = (byte: number, previous: number | null = null): CredentialVault =>
  new CredentialVault({ encryptionKey: keyOf(byte), previousEncryptionKey: keyOf(previous) } as AppConfig);
const SHOP = '655f1c2ab1e4a9d3f0c81234';
const CREDENTIALS = { signingSecret: 'whsec_1' };
/** A configuration that was encrypted with a key of 32 bytes 1. */
const STORED = {
  shopId: SHOP,
  provider: 'stripe',
  sealedCredentials: vaultWith(1).seal(SHOP, 'stripe', CREDENTIALS),
  sealedWebhookSecret: vaultWith(1).sealWebhookSecret(SHOP, 'stripe', 'path secret'),
} as PaymentConfiguration;

describe('CredentialVault', () => {
  it('decrypts credentials with the key that encrypted them', () => {
    expect(vaultWith(1).open(STORED)).toEqual(CREDENTIALS);
  });

  it('throws service_unavailable for another key, so that the provider repeats its request', () => {
    expect(vaultWith(2).tryOpen(STORED)).toBeNull();
    expect(() => vaultWith(2).open(STORED)).toThrow(
      expect.objectContaining({
        code: 'service_unavailable',
        cause: new Error(
          'the credentials of a provider cannot be decrypted: they were encrypted with another ENCRYPTION_KEY',
        ),
      }),
    );
  });

  it('encrypts credentials and path secret again with the new key, and only when needed', () => {
    const { sealedCredentials, sealedWebhookSecret } = STORED;
    const rotated = { ...STORED, ...vaultWith(2, 1).reseal(STORED) };
    expect(vaultWith(2).open(rotated)).toEqual(CREDENTIALS);
    expect(vaultWith(2).openWebhookSecret(rotated)).toBe('path secret');
    expect([vaultWith(1).tryOpen(rotated), vaultWith(1).openWebhookSecret(rotated)]).toEqual([null, null]);
    expect(vaultWith(2, 1).reseal(rotated)).toBeNull();
    expect(vaultWith(2, 1).reseal({ ...rotated, sealedWebhookSecret })).not.toBeNull();
    expect(vaultWith(2, 1).reseal({ ...rotated, sealedCredentials })).not.toBeNull();
  });

  it('binds each ciphertext to its shop, provider and purpose', () => {
    const vault = vaultWith(1);
    const { sealedCredentials, sealedWebhookSecret } = STORED;
    expect(vault.openWebhookSecret(STORED)).toBe('path secret');
    expect(vault.openWebhookSecret({ ...STORED, sealedWebhookSecret: sealedCredentials })).toBeNull();
    expect(vault.tryOpen({ ...STORED, sealedCredentials: sealedWebhookSecret })).toBeNull();
    for (const elsewhere of [{ provider: 'paypal' }, { shopId: 'b'.repeat(24) }]) {
      expect(vault.openWebhookSecret({ ...STORED, ...elsewhere })).toBeNull();
    }
  });

  it('encrypts nothing again when one of the two cannot be decrypted', () => {
    expect(() => vaultWith(2).reseal(STORED)).toThrow();
    expect(() => vaultWith(1).reseal({ ...STORED, sealedWebhookSecret: 'changed' })).toThrow();
  });
});

import { describe, expect, it } from '@jest/globals';
import { type AppConfig } from '../config/app-config.js';
import { CredentialVault } from './credential-vault.js';
import { type PaymentConfiguration } from './payment-configuration.types.js';

const vaultWith = (byte: number): CredentialVault =>
  new CredentialVault({ encryptionKey: Buffer.alloc(32, byte) } as AppConfig);
/** `{"signingSecret":"whsec_1"}` as it was encrypted on 2026-11-22 with a key of 32 bytes 1. */
const STORED = {
  shopId: '655f1c2ab1e4a9d3f0c81234',
  provider: 'stripe',
  sealedCredentials: 'TbCwIyiLaA8iFKzgt8JAO3/89WJR5XWfnqOYmmx1Vna3ikP7D6aPUX/EuVBXDBUKixGY69nqNg==',
} as PaymentConfiguration;

describe('the credentials of payment providers', () => {
  it('that earlier versions stored can be read', () => {
    expect(vaultWith(1).open(STORED)).toEqual({ signingSecret: 'whsec_1' });
  });

  it('cannot be read with another key: the provider repeats its request later', () => {
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
});

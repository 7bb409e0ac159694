import { describe, expect, it } from '@jest/globals';
import { type AppConfig } from '../../infrastructure/config/app-config.js';
import { OutboxVault } from './outbox-vault.js';

const KEYS = { encryptionKey: Buffer.alloc(32, 1), previousEncryptionKey: null } as AppConfig;
const ROTATED = { encryptionKey: Buffer.alloc(32, 2), previousEncryptionKey: KEYS.encryptionKey } as AppConfig;
const ID = '655f1c2ab1e4a9d3f0c81290';
const PAYLOAD = { to: 'buyer@example.com', lines: ['code 12345678', null, 1.5] };

describe('OutboxVault', () => {
  const vault = new OutboxVault(KEYS);

  it('encrypts a payload, and decrypts it for its own message only', () => {
    const sealedPayload = vault.seal(ID, PAYLOAD);
    expect(sealedPayload).not.toMatch(/12345678|buyer/);
    expect(vault.open({ id: ID, sealedPayload })).toEqual(PAYLOAD);
    expect(() => vault.open({ id: ID.replace('6', '7'), sealedPayload })).toThrow('cannot be decrypted');
  });

  it('encrypts a payload with a new key once', () => {
    const rotated = new OutboxVault(ROTATED);
    const sealedPayload = rotated.reseal({ id: ID, sealedPayload: vault.seal(ID, PAYLOAD) }) ?? '';
    expect(new OutboxVault({ ...ROTATED, previousEncryptionKey: null }).open({ id: ID, sealedPayload })).toEqual(
      PAYLOAD,
    );
    expect(rotated.reseal({ id: ID, sealedPayload })).toBeNull();
  });
});

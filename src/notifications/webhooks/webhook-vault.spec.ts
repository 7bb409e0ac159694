import { describe, expect, it } from '@jest/globals';
import { type AppConfig } from '../../infrastructure/config/app-config.js';
import { WebhookVault } from './webhook-vault.js';
import { type Webhook } from './webhook.types.js';

const keyOf = (byte: number | null): Buffer | null => (byte === null ? null : Buffer.alloc(32, byte));
const vaultWith = (byte: number, previous: number | null = null): WebhookVault =>
  new WebhookVault({ encryptionKey: keyOf(byte), previousEncryptionKey: keyOf(previous) } as AppConfig);
const PLACE = { shopId: '655f1c2ab1e4a9d3f0c81234', id: '655f1c2ab1e4a9d3f0c812d0' };
const sealedBy = (vault: WebhookVault): Webhook =>
  ({
    ...PLACE,
    sealedUrl: vault.seal('https://example.com/', PLACE, 'url'),
    sealedSecret: vault.seal('whsec_2', PLACE, 'secret'),
    sealedPreviousSecret: vault.seal('whsec_1', PLACE, 'secret'),
  }) as Webhook;

describe('the strings of webhooks', () => {
  it('decrypts strings only for their own webhook and purpose, with the right key', () => {
    const webhook = sealedBy(vaultWith(1));
    expect(vaultWith(1).urlOf(webhook)).toBe('https://example.com/');
    expect(vaultWith(2).urlOf(webhook)).toBeNull();
    expect(vaultWith(1).urlOf({ ...webhook, id: PLACE.shopId })).toBeNull();
    expect(vaultWith(1).urlOf({ ...webhook, shopId: PLACE.id })).toBeNull();
    expect(vaultWith(1).urlOf({ ...webhook, sealedUrl: webhook.sealedSecret })).toBeNull();
  });

  it('signs with the previous secret too until the grace period ends', () => {
    const vault = vaultWith(1);
    const now = new Date('2026-11-22T12:00:00.000Z');
    const webhook = { ...sealedBy(vault), previousSecretUntil: new Date(now.getTime() + 1) };
    expect(vault.secretsOf(webhook, now)).toEqual(['whsec_2', 'whsec_1']);
    expect(vault.secretsOf({ ...webhook, previousSecretUntil: now }, now)).toEqual(['whsec_2']);
    expect(vault.secretsOf({ ...webhook, previousSecretUntil: null }, now)).toEqual(['whsec_2']);
    expect(vault.secretsOf({ ...webhook, sealedPreviousSecret: null }, now)).toEqual(['whsec_2']);
    expect(vaultWith(2).secretsOf(webhook, now)).toBeNull();
  });

  it('encrypts strings again for the new key alone, and only when it is needed', () => {
    const old = sealedBy(vaultWith(1));
    const texts = vaultWith(2, 1).reseal(old);
    const rotated = { ...old, ...texts };
    expect(vaultWith(2).urlOf(rotated)).toBe('https://example.com/');
    expect(vaultWith(2).reseal(rotated)).toBeNull();
    for (const name of ['sealedUrl', 'sealedSecret', 'sealedPreviousSecret'] as const) {
      expect(vaultWith(2, 1).reseal({ ...rotated, [name]: old[name] })).not.toBeNull();
      expect(() => vaultWith(2).reseal({ ...rotated, [name]: old[name] })).toThrow();
    }
    expect(vaultWith(2, 1).reseal({ ...old, sealedPreviousSecret: null })).toMatchObject({
      sealedPreviousSecret: null,
    });
  });
});

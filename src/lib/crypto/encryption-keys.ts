import { type KeyObject } from 'node:crypto';
import { deriveKey } from './keyed-hash.js';

/** The keys that the operator has configured, 32 bytes each. */
export interface EncryptionKeys {
  readonly encryptionKey: Buffer;
  /** The key before the last change: it decrypts, and encrypts nothing. */
  readonly previousEncryptionKey: Buffer | null;
}

/** One of the configured keys, as one purpose uses it. */
export interface PurposeKey {
  readonly id: string;
  readonly key: KeyObject;
}

const ID_DIGITS = 8;

/** Names a key without revealing anything about it: 8 hexadecimal digits. */
export function keyId(master: Buffer): string {
  return deriveKey(master, 'key-id').export().toString('hex').slice(0, ID_DIGITS);
}

/** The configured keys, the current one first. */
function configured({ encryptionKey, previousEncryptionKey }: EncryptionKeys): readonly [Buffer, ...Buffer[]] {
  return [encryptionKey, ...[previousEncryptionKey].filter((key) => key != null)];
}

/** The ids of the configured keys, that of the current one first. */
export function keyIds(keys: EncryptionKeys): readonly string[] {
  return configured(keys).map(keyId);
}

/** The configured keys for one purpose. The first one is the current one. */
export function keysFor(keys: EncryptionKeys, purpose: string): readonly [PurposeKey, ...PurposeKey[]] {
  const use = (master: Buffer): PurposeKey => ({ id: keyId(master), key: deriveKey(master, purpose) });
  const [current, ...others] = configured(keys);
  return [use(current), ...others.map(use)];
}

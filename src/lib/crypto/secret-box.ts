import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';
import { type EncryptionKeys, keysFor, type PurposeKey } from './encryption-keys.js';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ID_END = '.';

/**
 * Encrypts with AES-256-GCM what the service must read again, such as provider credentials. A string can be decrypted
 * only in the context that it was encrypted for.
 */
export class SecretBox {
  private readonly keys: readonly [PurposeKey, ...PurposeKey[]];

  constructor(keys: EncryptionKeys, purpose: string) {
    this.keys = keysFor(keys, purpose);
  }

  /** @returns the id of the current key, a dot, and base64 of nonce, tag and ciphertext */
  seal(text: string, context: string): string {
    const { id, key } = this.keys[0];
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(Buffer.from(text)), cipher.final()]);
    return id + ID_END + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
  }

  /**
   * @throws when the string was changed, belongs to another context, or was encrypted with a key that is not configured
   */
  open(sealed: string, context: string): string {
    const text = this.tryOpen(sealed, context);
    if (text === null) throw new Error('an encrypted string cannot be decrypted with the configured keys');
    return text;
  }

  /** Returns null where `open` throws. */
  tryOpen(sealed: string, context: string): string | null {
    const [keyId, bytes = ''] = sealed.split(ID_END);
    const key = this.keys.find(({ id }) => id === keyId)?.key;
    return key === undefined ? null : tryDecrypt(key, Buffer.from(bytes, 'base64'), context);
  }

  /** Encrypts a string with the current key. Returns it unchanged when that is done already. @throws as `open` */
  reseal(sealed: string, context: string): string {
    const text = this.open(sealed, context);
    return sealed.startsWith(this.keys[0].id + ID_END) ? sealed : this.seal(text, context);
  }
}

/** Returns null when the key is another one, or when the bytes or the context were changed. */
function tryDecrypt(key: KeyObject, bytes: Buffer, context: string): string | null {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
      // Otherwise Node would accept an authentication tag that was cut to four bytes.
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString();
  } catch {
    return null;
  }
}

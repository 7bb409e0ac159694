import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deriveKey } from './keyed-hash.js';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts with AES-256-GCM what the service must read again, such as provider credentials. A text can be decrypted only in the
 * context that it was encrypted for.
 */
export class SecretBox {
  private readonly key: Buffer;

  /** @param master the service's 32-byte encryption key */
  constructor(master: Buffer, purpose: string) {
    this.key = deriveKey(master, purpose);
  }

  /** @returns base64 of nonce, tag and cipher text */
  seal(text: string, context: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(Buffer.from(text)), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
  }

  /** @throws when the text was changed, belongs to another context, or was encrypted with another key */
  open(sealed: string, context: string): string {
    const bytes = Buffer.from(sealed, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', this.key, bytes.subarray(0, NONCE_BYTES), {
      // Otherwise Node would accept an authentication tag that was cut to four bytes.
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString();
  }
}

import { type Email } from '../mail/mail.service.js';
import { type ApiKey } from './api-key.types.js';

type EmailedKey = Pick<ApiKey, 'name' | 'type' | 'preview'>;

/** Tells the owners of a shop, and the person of the key, that the shop has a new key. */
export function keyCreatedEmail(to: string, shopName: string, key: EmailedKey): Email {
  return {
    to,
    subject: `A new API key for ${shopName}`,
    text: `Somebody in the team created an API key for ${shopName}.\n\n${describe(key)}\n\n${ADVICE}`,
  };
}

/** Tells the same people that a key has a new secret. */
export function keyRotatedEmail(to: string, shopName: string, key: EmailedKey): Email {
  return {
    to,
    subject: `An API key of ${shopName} has a new secret`,
    text: `Somebody in the team gave an API key of ${shopName} a new secret.\n\n${describe(key)}\n\n${ADVICE}`,
  };
}

const ADVICE = 'If nobody of your team did this, revoke the key, and change your password.\n';

function describe({ name, type, preview }: EmailedKey): string {
  return `Name: ${name}\nType: ${type}\nKey: ${preview}`;
}

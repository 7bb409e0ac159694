import { type EmailContent, type EmailedShop, type EmailPart } from '../../events/mail/email.types.js';
import { type ApiKey } from './api-key.types.js';
import { KEY_EMAIL_COPY } from './key-email-copy.js';

type EmailedKey = Pick<ApiKey, 'name' | 'type' | 'preview'>;

/** The email to the owners of a shop, and to the person of the key, about a new key. */
export function keyCreatedEmail(shop: EmailedShop, key: EmailedKey): EmailContent {
  const copy = KEY_EMAIL_COPY[shop.language];
  return {
    subject: copy.created(shop.displayName),
    parts: [{ text: copy.createdBody(shop.displayName) }, ...describe(shop, key)],
  };
}

/** The email to the same people about the new secret of a key. */
export function keyRotatedEmail(shop: EmailedShop, key: EmailedKey): EmailContent {
  const copy = KEY_EMAIL_COPY[shop.language];
  return {
    subject: copy.rotated(shop.displayName),
    parts: [{ text: copy.rotatedBody(shop.displayName) }, ...describe(shop, key)],
  };
}

function describe({ language }: EmailedShop, { name, type, preview }: EmailedKey): EmailPart[] {
  const copy = KEY_EMAIL_COPY[language];
  return [
    {
      facts: [
        [copy.name, name],
        [copy.type, type],
        [copy.key, preview],
      ],
    },
    { text: copy.advice },
  ];
}

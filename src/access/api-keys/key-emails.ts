import { type EmailContent, type EmailedShop, type EmailPart } from '../../events/mail/email.types.js';
import { type ApiKey } from './api-key.types.js';
import { KEY_EMAIL_TEXTS } from './key-email-texts.js';

type EmailedKey = Pick<ApiKey, 'name' | 'type' | 'preview'>;

/** Tells the owners of a shop, and the person of the key, that the shop has a new key. */
export function keyCreatedEmail(shop: EmailedShop, key: EmailedKey): EmailContent {
  const texts = KEY_EMAIL_TEXTS[shop.language];
  return {
    subject: texts.created(shop.displayName),
    parts: [{ text: texts.createdBody(shop.displayName) }, ...describe(shop, key)],
  };
}

/** Tells the same people that a key has a new secret. */
export function keyRotatedEmail(shop: EmailedShop, key: EmailedKey): EmailContent {
  const texts = KEY_EMAIL_TEXTS[shop.language];
  return {
    subject: texts.rotated(shop.displayName),
    parts: [{ text: texts.rotatedBody(shop.displayName) }, ...describe(shop, key)],
  };
}

function describe({ language }: EmailedShop, { name, type, preview }: EmailedKey): EmailPart[] {
  const texts = KEY_EMAIL_TEXTS[language];
  return [
    {
      facts: [
        [texts.name, name],
        [texts.type, type],
        [texts.key, preview],
      ],
    },
    { text: texts.advice },
  ];
}

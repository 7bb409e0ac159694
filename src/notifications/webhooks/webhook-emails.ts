import { type EmailContent, type EmailedShop } from '../../events/mail/email.types.js';
import { WEBHOOK_EMAIL_TEXTS } from './webhook-email-texts.js';
import { type Webhook } from './webhook.types.js';

/** Tells an owner that a webhook was switched off. It does not name the URL, which can contain a secret. */
export function webhookDisabledEmail(
  { displayName, language }: EmailedShop,
  { id, description }: Pick<Webhook, 'id' | 'description'>,
): EmailContent {
  const texts = WEBHOOK_EMAIL_TEXTS[language];
  return {
    subject: texts.disabled(displayName),
    parts: [{ text: texts.disabledBody(displayName, description ?? id) }, { text: texts.advice }],
  };
}

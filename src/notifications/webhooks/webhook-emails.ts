import { type EmailContent, type EmailedShop } from '../../events/mail/email.types.js';
import { WEBHOOK_EMAIL_COPY } from './webhook-email-copy.js';
import { type Webhook } from './webhook.types.js';

/**
 * The email to an owner about a webhook that was switched off. It does not name the URL, which can contain a secret.
 */
export function webhookDisabledEmail(
  { displayName, language }: EmailedShop,
  { id, description }: Pick<Webhook, 'id' | 'description'>,
): EmailContent {
  const copy = WEBHOOK_EMAIL_COPY[language];
  return {
    subject: copy.disabled(displayName),
    parts: [{ text: copy.disabledBody(displayName, description ?? id) }, { text: copy.advice }],
  };
}

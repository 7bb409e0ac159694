import { type EmailContent, type EmailedShop } from '../../events/mail/email.types.js';
import { PAYMENT_EMAIL_COPY } from './payment-email-copy.js';

/** The subject, the body and the advice of the email about each change. */
const COPY = {
  'payment_provider.configured': ['configured', 'configuredBody', 'advice'],
  'payment_provider.secret_rotated': ['address', 'addressBody', 'advice'],
  'payment_provider.removed': ['removed', 'removedBody', 'removedAdvice'],
} as const;

/** A change of the settings of a payment provider, as the audit log names it. */
export type SettingsChange = keyof typeof COPY;

/** The email to owners about changed settings of a payment provider: the holder of its secrets decides what counts as paid. */
export function settingsEmail(
  change: SettingsChange,
  { displayName, language }: EmailedShop,
  provider: string,
): EmailContent {
  const copy = PAYMENT_EMAIL_COPY[language];
  const [subject, body, advice] = COPY[change];
  return {
    subject: copy[subject](displayName),
    parts: [{ text: copy[body](displayName, provider) }, { text: copy[advice] }],
  };
}

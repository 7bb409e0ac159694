import { type EmailContent, type EmailedShop } from '../../events/mail/email.types.js';
import { PAYMENT_EMAIL_TEXTS } from './payment-email-copy.js';

/** The email to owners about changed settings of a payment provider: the holder of its secrets decides what counts as paid. */
export function providerConfiguredEmail({ displayName, language }: EmailedShop, provider: string): EmailContent {
  const texts = PAYMENT_EMAIL_TEXTS[language];
  return {
    subject: texts.configured(displayName),
    parts: [{ text: texts.configuredBody(displayName, provider) }, { text: texts.advice }],
  };
}

/** The email to owners about a new webhook address of a payment provider. */
export function webhookAddressChangedEmail({ displayName, language }: EmailedShop, provider: string): EmailContent {
  const texts = PAYMENT_EMAIL_TEXTS[language];
  return {
    subject: texts.address(displayName),
    parts: [{ text: texts.addressBody(displayName, provider) }, { text: texts.advice }],
  };
}

import { type EmailContent, type EmailedShop } from '../../events/mail/email.types.js';
import { PAYMENT_EMAIL_COPY } from './payment-email-copy.js';

/** The email to owners about changed settings of a payment provider: the holder of its secrets decides what counts as paid. */
export function providerConfiguredEmail({ displayName, language }: EmailedShop, provider: string): EmailContent {
  const copy = PAYMENT_EMAIL_COPY[language];
  return {
    subject: copy.configured(displayName),
    parts: [{ text: copy.configuredBody(displayName, provider) }, { text: copy.advice }],
  };
}

/** The email to owners about a payment provider that was removed. */
export function providerRemovedEmail({ displayName, language }: EmailedShop, provider: string): EmailContent {
  const copy = PAYMENT_EMAIL_COPY[language];
  return {
    subject: copy.removed(displayName),
    parts: [{ text: copy.removedBody(displayName, provider) }, { text: copy.removedAdvice }],
  };
}

/** The email to owners about a new webhook address of a payment provider. */
export function webhookAddressChangedEmail({ displayName, language }: EmailedShop, provider: string): EmailContent {
  const copy = PAYMENT_EMAIL_COPY[language];
  return {
    subject: copy.address(displayName),
    parts: [{ text: copy.addressBody(displayName, provider) }, { text: copy.advice }],
  };
}

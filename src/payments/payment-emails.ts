import { type Email } from '../mail/mail.service.js';

/** Tells an owner that the settings of a payment provider changed: whoever has its secrets decides what counts as paid. */
export function providerConfiguredEmail(to: string, shopName: string, provider: string): Email {
  return {
    to,
    subject: `The payment settings of ${shopName} were changed`,
    text: `Somebody in the team saved the settings of the payment provider "${provider}" of ${shopName}, with its signing secret.\n\n${ADVICE}`,
  };
}

/** Tells an owner that the webhook address of a payment provider was changed. */
export function webhookAddressChangedEmail(to: string, shopName: string, provider: string): Email {
  return {
    to,
    subject: `The webhook address of ${shopName} was changed`,
    text: `Somebody in the team made a new webhook address for the payment provider "${provider}" of ${shopName}.\n\n${ADVICE}`,
  };
}

const ADVICE =
  'If nobody of your team did this, save the settings again with new secrets, and look at the audit log of the shop.\n';

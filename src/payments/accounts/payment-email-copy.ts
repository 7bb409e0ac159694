import { defineCopy } from '../../platform/templates/copy.js';

/** The copy of the emails about the settings of payment providers. */
export const PAYMENT_EMAIL_COPY = defineCopy({
  en: {
    configured: (shop: string) => `The payment settings of ${shop} were changed`,
    configuredBody: (shop: string, provider: string) =>
      `Somebody in the team saved the settings of the payment provider "${provider}" of ${shop}, with its signing secret.`,
    address: (shop: string) => `The webhook address of ${shop} was changed`,
    addressBody: (shop: string, provider: string) =>
      `Somebody in the team made a new webhook address for the payment provider "${provider}" of ${shop}.`,
    advice:
      'If nobody of your team did this, save the settings again with new secrets, and look at the audit log of the shop.',
  },
  de: {
    configured: (shop) => `Die Zahlungseinstellungen von ${shop} wurden geändert`,
    configuredBody: (shop, provider) =>
      `Jemand aus dem Team hat die Einstellungen des Zahlungsanbieters „${provider}“ von ${shop} gespeichert, mit dem Geheimnis für die Signaturen.`,
    address: (shop) => `Die Webhook-Adresse von ${shop} wurde geändert`,
    addressBody: (shop, provider) =>
      `Jemand aus dem Team hat eine neue Webhook-Adresse für den Zahlungsanbieter „${provider}“ von ${shop} erstellt.`,
    advice:
      'Wenn das niemand aus Ihrem Team war, speichern Sie die Einstellungen noch einmal mit neuen Geheimnissen, und sehen Sie sich das Protokoll des Shops an.',
  },
});

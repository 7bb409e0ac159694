import { defineCopy } from '../../lib/formats/copy.js';

/** The copy of the emails about the settings of payment providers. */
export const PAYMENT_EMAIL_COPY = defineCopy({
  en: {
    configured: (shop: string) => `The payment settings of ${shop} were changed`,
    configuredBody: (shop: string, provider: string) =>
      `The settings of the payment provider "${provider}" of ${shop} were saved, with its signing secret.`,
    address: (shop: string) => `The webhook address of ${shop} was changed`,
    addressBody: (shop: string, provider: string) =>
      `A new webhook address was made for the payment provider "${provider}" of ${shop}.`,
    removed: (shop: string) => `A payment provider of ${shop} was removed`,
    removedBody: (shop: string, provider: string) =>
      `The payment provider "${provider}" of ${shop} was removed, with its credentials. Buyers can no longer pay with it, and payments that they make there are no longer recorded.`,
    by: 'By',
    byKey: 'By an API key of',
    unknown: 'an account that no longer exists',
    at: 'On',
    removedAdvice: 'If nobody of your team did this, look at the audit log of the shop, and save the settings again.',
    advice:
      'If nobody of your team did this, save the settings again with new secrets, and look at the audit log of the shop.',
  },
  de: {
    configured: (shop) => `Die Zahlungseinstellungen von ${shop} wurden geändert`,
    configuredBody: (shop, provider) =>
      `Die Einstellungen des Zahlungsanbieters „${provider}“ von ${shop} wurden gespeichert, mit dem Geheimnis für die Signaturen.`,
    address: (shop) => `Die Webhook-Adresse von ${shop} wurde geändert`,
    addressBody: (shop, provider) =>
      `Für den Zahlungsanbieter „${provider}“ von ${shop} wurde eine neue Webhook-Adresse erstellt.`,
    removed: (shop) => `Ein Zahlungsanbieter von ${shop} wurde entfernt`,
    removedBody: (shop, provider) =>
      `Der Zahlungsanbieter „${provider}“ von ${shop} wurde mit seinen Zugangsdaten entfernt. Damit kann niemand mehr bezahlen, und Zahlungen, die dort noch eingehen, werden nicht mehr erfasst.`,
    by: 'Von',
    byKey: 'Mit einem API-Schlüssel von',
    unknown: 'einem Konto, das es nicht mehr gibt',
    at: 'Am',
    removedAdvice:
      'Wenn das niemand aus deinem Team war, sieh dir das Protokoll des Shops an, und speichere die Einstellungen noch einmal.',
    advice:
      'Wenn das niemand aus deinem Team war, speichere die Einstellungen noch einmal mit neuen Geheimnissen, und sieh dir das Protokoll des Shops an.',
  },
});

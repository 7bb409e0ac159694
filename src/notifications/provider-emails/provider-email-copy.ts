import { defineCopy } from '../../platform/templates/copy.js';

/** The copy of the emails to owners about payment providers that do not work. */
export const PROVIDER_EMAIL_COPY = defineCopy({
  en: {
    failing: (provider: string) => `Buyers cannot pay with ${provider}: it rejects your credentials`,
    failingBody: (shop: string, provider: string) =>
      `${provider} no longer accepts the credentials of ${shop}. Until you save new ones, nobody can pay with ${provider}, and refunds wait.`,
    failingNext: (provider: string) =>
      `Create a new key in your account at ${provider}, or give the present one the permissions it lacks. Then save it here:`,
    save: 'Save new credentials',
    rejected: (provider: string) => `Reports of payments from ${provider} are rejected`,
    rejectedBody: (shop: string, provider: string) =>
      `Requests arrive at the webhook of ${shop} for ${provider}, but the service cannot accept them. If they come from ${provider}, buyers may have paid for orders that stay unpaid here.`,
    rejectedNext: (provider: string) =>
      `Usually the signing secret that is saved here is another one than that of the webhook at ${provider}. The check says what to change. ${provider} sends its reports again when the cause is removed.`,
    check: 'Check the provider',
    provider: 'Payment provider',
    since: 'Since',
    reason: 'Reason',
    quoted: (reason: string) => `“${reason}”`,
    again: 'You get this email at most once an hour.',
  },
  de: {
    failing: (provider) => `Niemand kann mit ${provider} bezahlen: Ihre Zugangsdaten werden abgelehnt`,
    failingBody: (shop, provider) =>
      `${provider} nimmt die Zugangsdaten von ${shop} nicht mehr an. Bis Sie neue speichern, kann niemand mit ${provider} bezahlen, und Erstattungen warten.`,
    failingNext: (provider) =>
      `Erstellen Sie in Ihrem Konto bei ${provider} einen neuen Schlüssel, oder geben Sie dem jetzigen die fehlenden Rechte. Speichern Sie ihn dann hier:`,
    save: 'Neue Zugangsdaten speichern',
    rejected: (provider) => `Meldungen von ${provider} über Zahlungen werden abgelehnt`,
    rejectedBody: (shop, provider) =>
      `Am Webhook von ${shop} für ${provider} kommen Anfragen an, die der Dienst nicht annehmen kann. Wenn sie von ${provider} stammen, haben Käufer womöglich Bestellungen bezahlt, die hier unbezahlt bleiben.`,
    rejectedNext: (provider) =>
      `Meist ist hier ein anderes Signaturgeheimnis gespeichert als das des Webhooks bei ${provider}. Die Prüfung sagt, was zu ändern ist. ${provider} sendet seine Meldungen erneut, sobald die Ursache behoben ist.`,
    check: 'Anbieter prüfen',
    provider: 'Zahlungsanbieter',
    since: 'Seit',
    // The reason is a sentence of the API or of the provider, in English.
    reason: 'Fehlermeldung',
    quoted: (reason) => `„${reason}“`,
    again: 'Sie erhalten diese E-Mail höchstens einmal in der Stunde.',
  },
});

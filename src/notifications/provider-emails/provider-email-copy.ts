import { defineCopy } from '../../lib/formats/copy.js';

/** The copy of the emails to owners about payment providers that do not work. */
export const PROVIDER_EMAIL_COPY = defineCopy({
  en: {
    failing: (provider: string) => `Buyers cannot pay with ${provider}: it rejects your credentials`,
    failingBody: (shop: string, provider: string) =>
      `${provider} no longer accepts the credentials of ${shop}. Until you save new ones, nobody can pay with ${provider}, and refunds wait, for at most 7 days.`,
    failingNext: (provider: string) =>
      `Create a new key in your account at ${provider}, or give the present one the permissions it lacks. Then save it here:`,
    save: 'Save new credentials',
    refused: (provider: string) => `${provider} refused a payment to your shop`,
    refusedBody: (shop: string, provider: string) =>
      `${provider} accepts the credentials of ${shop}, but refused a payment of a buyer. If the reason is about your account, nobody can pay with ${provider} until you remove it.`,
    refusedNext: (provider: string) =>
      `Sign in to your account at ${provider} and look for open tasks or restrictions: an account that is not activated or is restricted, or a payment method that is missing. The check shows what the service knows. Buyers can pay again as soon as ${provider} accepts their payments.`,
    rejected: (provider: string) => `Reports of payments from ${provider} are rejected`,
    rejectedBody: (shop: string, provider: string) =>
      `Requests arrive at the webhook of ${shop} for ${provider}, but the service cannot accept them. If they come from ${provider}, buyers may have paid for orders that stay unpaid here.`,
    rejectedNext: (provider: string) =>
      `Usually the signing secret that is saved here is another one than that of the webhook at ${provider}. The check says what to change. ${provider} sends its reports again when the cause is removed.`,
    orphaned: (provider: string) => `Money from ${provider} belongs to no order`,
    orphanedBody: (shop: string, provider: string) =>
      `${provider} reports money for ${shop} and names an order that the shop does not have. The reference in the payment is wrong, or the order is one of another system that uses the same account at ${provider}.`,
    orphanedNext: (provider: string) =>
      `Find the payment in your account at ${provider}. If it was meant for this shop, give the money back or deliver what was bought. The list of failed events has every report like this one:`,
    unapplied: (provider: string) => `A report from ${provider} could not be applied`,
    unappliedBody: (shop: string, provider: string) =>
      `${provider} sent a report about ${shop}, and an error of this service prevented that it was applied. What was paid or refunded at ${provider} may be missing here.`,
    unappliedNext: (provider: string) =>
      `${provider} sends the report again for some time. If it stays in the list of failed events, inform whoever operates this service; afterwards you can apply it again there:`,
    events: 'List the failed events',
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
      `${provider} nimmt die Zugangsdaten von ${shop} nicht mehr an. Bis du neue speicherst, kann niemand mit ${provider} bezahlen, und Erstattungen warten, höchstens 7 Tage lang.`,
    failingNext: (provider) =>
      `Erstelle in deinem Konto bei ${provider} einen neuen Schlüssel, oder gib dem jetzigen die fehlenden Rechte. Speichere ihn dann hier:`,
    save: 'Neue Zugangsdaten speichern',
    refused: (provider) => `${provider} hat eine Zahlung an deinen Shop abgelehnt`,
    refusedBody: (shop, provider) =>
      `${provider} nimmt die Zugangsdaten von ${shop} an, hat aber die Zahlung eines Käufers abgelehnt. Wenn der Grund dein Konto betrifft, kann niemand mit ${provider} bezahlen, bis du ihn behebst.`,
    refusedNext: (provider) =>
      `Melde dich in deinem Konto bei ${provider} an, und such nach offenen Aufgaben oder Einschränkungen: Vielleicht ist das Konto nicht freigeschaltet oder eingeschränkt, oder es fehlt eine Zahlungsart. Die Prüfung zeigt, was der Dienst weiß. Käufer können wieder bezahlen, sobald ${provider} ihre Zahlungen annimmt.`,
    rejected: (provider) => `Meldungen von ${provider} über Zahlungen werden abgelehnt`,
    rejectedBody: (shop, provider) =>
      `Am Webhook von ${shop} für ${provider} kommen Anfragen an, die der Dienst nicht annehmen kann. Wenn sie von ${provider} stammen, haben Käufer womöglich Bestellungen bezahlt, die hier unbezahlt bleiben.`,
    rejectedNext: (provider) =>
      `Meist ist hier ein anderes Signaturgeheimnis gespeichert als das des Webhooks bei ${provider}. Die Prüfung sagt, was zu ändern ist. ${provider} sendet seine Meldungen erneut, sobald die Ursache behoben ist.`,
    orphaned: (provider) => `Geld von ${provider} gehört zu keiner Bestellung`,
    orphanedBody: (shop, provider) =>
      `${provider} meldet Geld für ${shop} und nennt eine Bestellung, die es im Shop nicht gibt. Entweder ist die Referenz der Zahlung falsch, oder die Bestellung gehört zu einem anderen System, das dasselbe Konto bei ${provider} nutzt.`,
    orphanedNext: (provider) =>
      `Such die Zahlung in deinem Konto bei ${provider}. Wenn sie für diesen Shop bestimmt war, erstatte das Geld, oder liefere, was gekauft wurde. Die Liste der fehlgeschlagenen Ereignisse enthält alle Meldungen dieser Art:`,
    unapplied: (provider) => `Eine Meldung von ${provider} konnte nicht verarbeitet werden`,
    unappliedBody: (shop, provider) =>
      `${provider} hat etwas zu ${shop} gemeldet, und ein Fehler dieses Dienstes hat die Verarbeitung verhindert. Was bei ${provider} bezahlt oder erstattet wurde, kann hier fehlen.`,
    unappliedNext: (provider) =>
      `${provider} sendet die Meldung noch eine Zeit lang erneut. Wenn sie in der Liste der fehlgeschlagenen Ereignisse bleibt, informiere den Betreiber dieses Dienstes; danach kannst du sie dort noch einmal verarbeiten lassen:`,
    events: 'Fehlgeschlagene Ereignisse ansehen',
    check: 'Anbieter prüfen',
    provider: 'Zahlungsanbieter',
    since: 'Seit',
    // The reason is a sentence of the API or of the provider, in English.
    reason: 'Fehlermeldung',
    quoted: (reason) => `„${reason}“`,
    again: 'Du erhältst diese E-Mail höchstens einmal in der Stunde.',
  },
});

import { defineCopy } from '../../lib/formats/copy.js';

/** The copy of the summaries to owners about what anybody can cause. */
export const OWNER_SUMMARY_COPY = defineCopy({
  en: {
    subject: (shop: string) => `More news about orders of ${shop}`,
    body: (shop: string) =>
      `Since the last emails about them, the following has happened to more orders of ${shop}. Anybody can cause it without paying. So you get the first email at once, and then this summary, at most once an hour.`,
    free_sale: 'New orders with nothing to pay',
    free_delivery_failed: 'Orders with nothing to pay that could not be delivered',
    free_email_undelivered: 'Orders with nothing to pay whose buyer no email reaches',
    latest: 'The latest of them',
    list: 'How to list the orders',
  },
  de: {
    subject: (shop) => `Weitere Neuigkeiten zu Bestellungen von ${shop}`,
    body: (shop) =>
      `Seit den letzten E-Mails dazu ist bei weiteren Bestellungen von ${shop} Folgendes passiert. Das kann jeder auslösen, ohne zu bezahlen. Deshalb erhältst du die erste E-Mail sofort und danach diese Zusammenfassung, höchstens einmal in der Stunde.`,
    free_sale: 'Neue kostenlose Bestellungen',
    free_delivery_failed: 'Kostenlose Bestellungen, die nicht geliefert werden konnten',
    free_email_undelivered: 'Kostenlose Bestellungen, deren Käufer per E-Mail nicht erreichbar ist',
    latest: 'Die neuesten davon',
    list: 'So listest du die Bestellungen auf',
  },
});

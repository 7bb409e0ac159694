import { defineCopy } from '../../lib/formats/copy.js';

/** The copy of the emails about the custom domain of a shop. */
export const DOMAIN_EMAIL_COPY = defineCopy({
  en: {
    missing: (hostname: string) => `The DNS record of ${hostname} is missing`,
    missingBody: (shop: string, hostname: string) =>
      `${shop} can use ${hostname} only while this TXT record exists. We could not find it:`,
    publish: (shop: string, days: number) =>
      `Please publish it again. Otherwise ${shop} loses the domain in ${days} days.`,
    lost: (shop: string, hostname: string) => `${shop} has lost ${hostname}`,
    lostBody: (shop: string, hostname: string, days: number) =>
      `The TXT record of ${hostname} has been missing for ${days} days. ${shop} now uses its platform address again, and another shop may claim the domain.`,
    back: 'To get it back, publish this record and verify the domain again:',
    reclaim:
      'If the shop has claimed another domain in the meantime, this record no longer works: claim the domain again, and publish the record that you get then.',
    name: 'Name',
    value: 'Value',
  },
  de: {
    missing: (hostname) => `Der DNS-Eintrag von ${hostname} fehlt`,
    missingBody: (shop, hostname) =>
      `${shop} kann ${hostname} nur verwenden, solange dieser TXT-Eintrag existiert. Wir konnten ihn nicht finden:`,
    publish: (shop, days) => `Bitte veröffentliche ihn wieder. Sonst verliert ${shop} die Domain in ${days} Tagen.`,
    lost: (shop, hostname) => `${shop} hat ${hostname} verloren`,
    lostBody: (shop, hostname, days) =>
      `Der TXT-Eintrag von ${hostname} fehlt seit ${days} Tagen. ${shop} verwendet jetzt wieder die Adresse der Plattform, und ein anderer Shop kann die Domain beanspruchen.`,
    back: 'Um sie zurückzubekommen, veröffentliche diesen Eintrag, und bestätige die Domain erneut:',
    reclaim:
      'Wenn der Shop inzwischen eine andere Domain beansprucht hat, gilt dieser Eintrag nicht mehr: Beanspruche die Domain erneut, und veröffentliche den Eintrag, den du dann erhältst.',
    name: 'Name',
    value: 'Wert',
  },
});

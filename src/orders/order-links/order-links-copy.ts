import { defineCopy } from '../../lib/formats/copy.js';

/** The copy of the email with the links of a buyer's orders. */
export const ORDER_LINKS_COPY = defineCopy({
  en: {
    subject: (shop: string) => `Your orders at ${shop}`,
    body: (shop: string) =>
      `Here are the pages of your latest orders at ${shop}. If you did not request this email, ignore it: nobody else has got the links.`,
  },
  de: {
    subject: (shop) => `Deine Bestellungen bei ${shop}`,
    body: (shop) =>
      `Hier sind die Seiten deiner letzten Bestellungen bei ${shop}. Falls du diese E-Mail nicht angefordert hast, ignoriere sie: Niemand sonst hat die Links erhalten.`,
  },
});

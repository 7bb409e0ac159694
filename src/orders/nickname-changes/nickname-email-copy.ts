import { defineCopy } from '../../lib/formats/copy.js';

/** The copy of the emails about the nickname of an order. */
export const NICKNAME_EMAIL_COPY = defineCopy({
  en: {
    code: 'Your code to change the nickname',
    codeOf: (order: string) => `Your code to change the nickname of order ${order}:`,
    validity:
      'The code is valid for 10 minutes and works once. If you did not request it, ignore this email: the nickname stays as it is.',
    changed: 'The nickname of your order was changed',
    changedOf: (order: string, before: string, after: string) =>
      `The nickname of order ${order} was changed from ${before} to ${after}.`,
    itemChangedOf: (order: string, item: string, before: string, after: string) =>
      `The nickname for ${item} in order ${order} was changed from ${before} to ${after}.`,
    warning: (shop: string) => `If you did not make this change, contact ${shop}.`,
    order: 'View the order',
  },
  de: {
    code: 'Dein Code zum Ändern des Nicknames',
    codeOf: (order) => `Dein Code zum Ändern des Nicknames der Bestellung ${order}:`,
    validity:
      'Der Code ist 10 Minuten gültig und kann nur einmal verwendet werden. Wenn du ihn nicht angefordert hast, ignoriere diese E-Mail: Der Nickname bleibt, wie er ist.',
    changed: 'Der Nickname deiner Bestellung wurde geändert',
    changedOf: (order, before, after) =>
      `Der Nickname der Bestellung ${order} wurde von ${before} zu ${after} geändert.`,
    itemChangedOf: (order, item, before, after) =>
      `Der Nickname für ${item} in der Bestellung ${order} wurde von ${before} zu ${after} geändert.`,
    warning: (shop) => `Wenn du das nicht warst, wende dich an ${shop}.`,
    order: 'Bestellung ansehen',
  },
});

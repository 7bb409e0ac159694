import { defineCopy } from '../../lib/formats/copy.js';

/** The first sentence of a buyer's order page, for each stage of an order. */
export const ORDER_STAGE_COPY = defineCopy({
  en: {
    unpaid: 'Your order waits for the payment',
    declined: 'The payment did not go through',
    bank: 'Your bank is confirming it',
    review: 'The shop is checking your payment',
    ended: 'This order has ended',
    returned: 'The money went back',
    thanks: 'Paid. Thank you!',
    join: 'Paid. Join to get it!',
    waiting: 'Paid. It is on its way',
    arriving: 'It arrives now',
    delivered: (name: string) => `All yours, ${name}!`,
    sent: 'Sent to the game server',
    checked: 'The shop is checking the delivery',
    held: 'The delivery is on hold',
    failed: 'The delivery did not work',
  },
  de: {
    unpaid: 'Deine Bestellung wartet auf die Zahlung',
    declined: 'Die Zahlung hat nicht geklappt',
    bank: 'Deine Bank bestätigt sie gerade',
    review: 'Der Shop prüft deine Zahlung',
    ended: 'Diese Bestellung ist beendet',
    returned: 'Das Geld ist zurück',
    thanks: 'Bezahlt. Danke!',
    join: 'Bezahlt. Komm auf den Server!',
    waiting: 'Bezahlt. Es ist unterwegs',
    arriving: 'Es kommt gerade an',
    delivered: (name) => `Alles deins, ${name}!`,
    sent: 'An den Spielserver gesendet',
    checked: 'Der Shop prüft die Lieferung',
    held: 'Die Lieferung ist angehalten',
    failed: 'Die Lieferung hat nicht geklappt',
  },
});

export type OrderStageCopy = (typeof ORDER_STAGE_COPY)['en'];

import { defineCopy } from '../../lib/formats/copy.js';

/** The copy of the page with which a buyer withdraws from an order. */
export const WITHDRAWAL_PAGE_COPY = defineCopy({
  en: {
    title: 'Withdraw from the contract',
    intro: (shop: string, order: string) => `You withdraw from your order ${order} at ${shop}.`,
    until: (at: string) => `That is possible until ${at}, without a reason.`,
    items: 'What you withdraw from',
    name: 'Your name',
    email: (address: string) => `The confirmation goes to ${address}.`,
    confirm: 'Confirm withdrawal',
    back: 'Back to the order',
    notPossible: 'You cannot withdraw from this order, or you have done so already.',
    problemForm: 'Enter your name, and choose at least one product.',
    problemEnded: 'The time to withdraw from this order is over. If you have a question, contact the shop.',
    problemNotPossible: 'Nothing in this order can be withdrawn from. If you have a question, contact the shop.',
  },
  de: {
    title: 'Vertrag widerrufen',
    intro: (shop, order) => `Du widerrufst deine Bestellung ${order} bei ${shop}.`,
    until: (at) => `Das ist bis ${at} ohne Angabe von Gründen möglich.`,
    items: 'Was du widerrufst',
    name: 'Dein Name',
    email: (address) => `Die Bestätigung geht an ${address}.`,
    confirm: 'Widerruf bestätigen',
    back: 'Zurück zur Bestellung',
    notPossible: 'Diese Bestellung lässt sich nicht widerrufen, oder du hast sie schon widerrufen.',
    problemForm: 'Gib deinen Namen ein und wähl mindestens ein Produkt.',
    problemEnded: 'Die Widerrufsfrist dieser Bestellung ist abgelaufen. Wenn du eine Frage hast, schreib dem Shop.',
    problemNotPossible: 'In dieser Bestellung lässt sich nichts widerrufen. Wenn du eine Frage hast, schreib dem Shop.',
  },
});

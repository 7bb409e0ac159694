import { textsOf } from '../../platform/templates/texts.js';

/** The texts of the emails to buyers about their orders, and to owners about what happens in their shop. */
export const ORDER_EMAIL_TEXTS = textsOf({
  en: {
    received: (shop: string) => `Your order at ${shop}`,
    receivedBody: (nickname: string) => `Thank you! We have received your order for ${nickname}.`,
    payUntil: (time: string) => `It is not paid yet. Please pay by ${time}. After that the order ends.`,
    pay: 'Pay or change the order',
    receipt: (shop: string) => `Your receipt from ${shop}`,
    receiptBody: (nickname: string) => `Thank you! Your order for ${nickname} is paid.`,
    next: 'We tell you when everything is delivered. Until then you can correct the nickname on the page of the order.',
    nothing:
      'The order had been cancelled before your payment arrived, so nothing is delivered. The shop has to give you the money back.',
    delivered: (shop: string) => `Your order at ${shop} is delivered`,
    deliveredBody: (nickname: string) => `${nickname} now has everything that you bought.`,
    refunded: (shop: string) => `${shop} gave you money back`,
    refundedBody: (amount: string) =>
      `You get ${amount} back, in the way in which you paid. It can take some days until you see the money.`,
    show: 'Show the order',
    order: 'Order',
    paidAt: 'Paid',
    discount: (code: string) => `Discount ${code}`,
    total: 'Total',
    nickname: 'Nickname',
    server: 'Server',
    sale: (amount: string) => `You sold something for ${amount}`,
    saleBody: (shop: string) => `An order of ${shop} was paid.`,
    paidLate: (amount: string) => `A cancelled order was paid: ${amount}`,
    paidLateBody: (shop: string) =>
      `The payment of an order of ${shop} arrived after the order had been cancelled. Nothing is delivered. Give the money back.`,
    dispute: (amount: string) => `A payment of ${amount} is disputed`,
    disputeBody: (shop: string) =>
      `The buyer of an order of ${shop} wants the money back from the payment provider. Answer the provider before its deadline; otherwise the money is lost.`,
    deliveryFailed: (orderId: string) => `Order ${orderId} could not be delivered`,
    deliveryFailedBody: (shop: string) =>
      `A game server of ${shop} did not run the commands of a paid order. Look at its console, and then queue the delivery again.`,
    silent: (server: string) => `${server} does not report any more`,
    silentBody: (shop: string) =>
      `The plugin on this game server of ${shop} has stopped reporting. Until it does again, nothing is delivered there.`,
    off: 'You get this email as an owner of the shop. The setting ownerEmails of the shop switches it off.',
  },
  de: {
    received: (shop) => `Ihre Bestellung bei ${shop}`,
    receivedBody: (nickname) => `Danke! Wir haben Ihre Bestellung für ${nickname} erhalten.`,
    payUntil: (time) => `Sie ist noch nicht bezahlt. Bitte bezahlen Sie bis ${time}. Danach endet die Bestellung.`,
    pay: 'Bestellung bezahlen oder ändern',
    receipt: (shop) => `Ihre Quittung von ${shop}`,
    receiptBody: (nickname) => `Danke! Ihre Bestellung für ${nickname} ist bezahlt.`,
    next: 'Wir sagen Ihnen, wenn alles geliefert ist. Bis dahin können Sie den Nickname auf der Seite der Bestellung korrigieren.',
    nothing:
      'Die Bestellung war storniert, bevor Ihre Zahlung ankam. Deshalb wird nichts geliefert. Der Shop muss Ihnen das Geld zurückgeben.',
    delivered: (shop) => `Ihre Bestellung bei ${shop} ist geliefert`,
    deliveredBody: (nickname) => `${nickname} hat jetzt alles, was Sie gekauft haben.`,
    refunded: (shop) => `${shop} hat Ihnen Geld zurückgegeben`,
    refundedBody: (amount) =>
      `Sie bekommen ${amount} zurück, auf dem Weg, auf dem Sie bezahlt haben. Es kann einige Tage dauern, bis Sie das Geld sehen.`,
    show: 'Bestellung ansehen',
    order: 'Bestellung',
    paidAt: 'Bezahlt',
    discount: (code) => `Rabatt ${code}`,
    total: 'Summe',
    nickname: 'Nickname',
    server: 'Server',
    sale: (amount) => `Sie haben etwas für ${amount} verkauft`,
    saleBody: (shop) => `Eine Bestellung von ${shop} wurde bezahlt.`,
    paidLate: (amount) => `Eine stornierte Bestellung wurde bezahlt: ${amount}`,
    paidLateBody: (shop) =>
      `Die Zahlung einer Bestellung von ${shop} kam an, als die Bestellung schon storniert war. Es wird nichts geliefert. Geben Sie das Geld zurück.`,
    dispute: (amount) => `Eine Zahlung über ${amount} wird bestritten`,
    disputeBody: (shop) =>
      `Wer bei ${shop} bestellt hat, will das Geld vom Zahlungsanbieter zurück. Antworten Sie dem Anbieter vor seiner Frist; sonst ist das Geld verloren.`,
    deliveryFailed: (orderId) => `Die Bestellung ${orderId} konnte nicht geliefert werden`,
    deliveryFailedBody: (shop) =>
      `Ein Spielserver von ${shop} hat die Befehle einer bezahlten Bestellung nicht ausgeführt. Sehen Sie in seine Konsole, und reihen Sie die Lieferung dann noch einmal ein.`,
    silent: (server) => `${server} meldet sich nicht mehr`,
    silentBody: (shop) =>
      `Das Plugin auf diesem Spielserver von ${shop} meldet sich nicht mehr. Bis es das wieder tut, wird dort nichts geliefert.`,
    off: 'Sie bekommen diese E-Mail, weil Ihnen der Shop gehört. Die Einstellung ownerEmails des Shops schaltet sie ab.',
  },
});

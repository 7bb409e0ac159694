import { defineCopy } from '../../platform/templates/copy.js';

/** The copy of the emails to buyers about their orders, and to owners about what happens in their shop. */
export const ORDER_EMAIL_COPY = defineCopy({
  en: {
    received: (shop: string) => `Your order at ${shop}`,
    receivedBody: (nickname: string) => `Thank you! We have received your order for ${nickname}.`,
    payUntil: (time: string) => `It is not paid yet. Please pay by ${time}. After that, the order expires.`,
    pay: 'Pay or change the order',
    receipt: (shop: string) => `Your receipt from ${shop}`,
    receiptBody: (nickname: string) => `Thank you! Your order for ${nickname} is paid.`,
    next: 'We will email you when everything is delivered. Until the delivery begins, you can correct the nickname on the page of the order.',
    nothing:
      'The order had been cancelled before your payment arrived, so nothing is delivered. The shop must refund your payment.',
    held: 'The delivery is on hold until the payment is settled. The page of the order shows how it goes on.',
    ended: 'The payment has been returned since, so nothing more is delivered.',
    delivered: (shop: string) => `Your order at ${shop} is delivered`,
    deliveredBody: (nickname: string) => `${nickname} now has everything that you bought.`,
    refunded: (shop: string) => `Your refund from ${shop}`,
    refundedBody: (amount: string) =>
      `${amount} has been refunded to the payment method that you used. It can take a few days until the money arrives.`,
    show: 'View the order',
    order: 'Order',
    paidAt: 'Paid',
    discount: (code: string) => `Discount ${code}`,
    total: 'Total',
    nickname: 'Nickname',
    server: 'Server',
    sale: (amount: string) => `New sale: ${amount}`,
    saleBody: (shop: string) => `An order of ${shop} was paid.`,
    paidLate: (amount: string) => `A cancelled order was paid: ${amount}`,
    paidLateBody: (shop: string) =>
      `The payment of an order of ${shop} arrived after the order had been cancelled. Nothing is delivered. Refund the payment.`,
    dispute: (amount: string) => `A payment of ${amount} is disputed`,
    disputeBody: (shop: string) =>
      `The buyer of an order of ${shop} has disputed the payment. Respond to the payment provider before its deadline; otherwise the money is lost.`,
    chargedBack: (amount: string) => `A payment of ${amount} was charged back`,
    chargedBackBody: (shop: string) =>
      `The dispute about the payment of an order of ${shop} is lost, and the money went back to the buyer. What was delivered is removed if the products have commands for it.`,
    deliveryFailed: (orderId: string) => `Order ${orderId} could not be delivered`,
    deliveryFailedBody: (shop: string) =>
      `A game server of ${shop} did not run the commands of a paid order. Check its console, and then queue the delivery again.`,
    serverDeletedBody: (shop: string) =>
      `The game server of this order was deleted from ${shop} before everything was delivered. Refund the order, or give the player the items yourself.`,
    revocationFailed: (orderId: string) => `The items of order ${orderId} could not be removed`,
    revocationFailedBody: (shop: string) =>
      `The payment of this order went back to the buyer, but a game server of ${shop} did not run the commands that remove the items. Check its console, and then queue the delivery again.`,
    revocationStrandedBody: (shop: string) =>
      `The payment of this order went back to the buyer, but its game server was deleted from ${shop}, so no commands can remove the items. If the player still has them, remove them yourself.`,
    silent: (server: string) => `${server} has stopped reporting`,
    silentBody: (shop: string) =>
      `The plugin on this game server of ${shop} has stopped reporting. Until it does again, nothing is delivered there.`,
    off: 'You receive this email as an owner of the shop. You can switch it off in the setting ownerEmails of the shop.',
  },
  de: {
    received: (shop) => `Ihre Bestellung bei ${shop}`,
    receivedBody: (nickname) => `Danke! Wir haben Ihre Bestellung für ${nickname} erhalten.`,
    payUntil: (time) => `Sie ist noch nicht bezahlt. Bitte bezahlen Sie bis ${time}. Danach verfällt die Bestellung.`,
    pay: 'Bestellung bezahlen oder ändern',
    receipt: (shop) => `Ihre Zahlungsbestätigung von ${shop}`,
    receiptBody: (nickname) => `Danke! Ihre Bestellung für ${nickname} ist bezahlt.`,
    next: 'Wir benachrichtigen Sie, sobald alles geliefert ist. Bis die Lieferung beginnt, können Sie den Nickname auf der Seite der Bestellung korrigieren.',
    nothing:
      'Die Bestellung war storniert, bevor Ihre Zahlung ankam. Deshalb wird nichts geliefert. Der Shop muss Ihnen den Betrag erstatten.',
    held: 'Die Lieferung ist angehalten, bis die Zahlung geklärt ist. Auf der Seite der Bestellung sehen Sie, wie es weitergeht.',
    ended: 'Die Zahlung ist inzwischen zurückgegangen. Deshalb wird nichts mehr geliefert.',
    delivered: (shop) => `Ihre Bestellung bei ${shop} ist geliefert`,
    deliveredBody: (nickname) => `${nickname} hat jetzt alles, was Sie gekauft haben.`,
    refunded: (shop) => `Ihre Erstattung von ${shop}`,
    refundedBody: (amount) =>
      `Sie erhalten ${amount} über die verwendete Zahlungsart zurück. Bis zur Gutschrift kann es einige Tage dauern.`,
    show: 'Bestellung ansehen',
    order: 'Bestellung',
    paidAt: 'Bezahlt',
    discount: (code) => `Rabatt ${code}`,
    total: 'Summe',
    nickname: 'Nickname',
    server: 'Server',
    sale: (amount) => `Neuer Verkauf: ${amount}`,
    saleBody: (shop) => `Eine Bestellung von ${shop} wurde bezahlt.`,
    paidLate: (amount) => `Eine stornierte Bestellung wurde bezahlt: ${amount}`,
    paidLateBody: (shop) =>
      `Die Zahlung einer Bestellung von ${shop} kam an, als die Bestellung schon storniert war. Es wird nichts geliefert. Bitte erstatten Sie den Betrag.`,
    dispute: (amount) => `Eine Zahlung über ${amount} wurde angefochten`,
    disputeBody: (shop) =>
      `Die Zahlung einer Bestellung von ${shop} wurde angefochten. Antworten Sie dem Zahlungsanbieter vor Ablauf seiner Frist; sonst ist das Geld verloren.`,
    chargedBack: (amount) => `Eine Zahlung über ${amount} wurde zurückgebucht`,
    chargedBackBody: (shop) =>
      `Die Zahlung einer Bestellung von ${shop} wurde erfolgreich angefochten, und das Geld ist an den Käufer zurückgegangen. Was geliefert wurde, wird entfernt, wenn die Produkte Befehle dafür haben.`,
    deliveryFailed: (orderId) => `Die Bestellung ${orderId} konnte nicht geliefert werden`,
    deliveryFailedBody: (shop) =>
      `Ein Spielserver von ${shop} hat die Befehle einer bezahlten Bestellung nicht ausgeführt. Prüfen Sie die Konsole des Servers, und starten Sie die Lieferung dann erneut.`,
    serverDeletedBody: (shop) =>
      `Der Spielserver dieser Bestellung wurde bei ${shop} gelöscht, bevor alles geliefert war. Erstatten Sie die Bestellung, oder geben Sie dem Spieler die Artikel selbst.`,
    revocationFailed: (orderId) => `Die Artikel der Bestellung ${orderId} konnten nicht entfernt werden`,
    revocationFailedBody: (shop) =>
      `Die Zahlung dieser Bestellung ist an den Käufer zurückgegangen, aber ein Spielserver von ${shop} hat die Befehle nicht ausgeführt, die die Artikel entfernen. Prüfen Sie die Konsole des Servers, und starten Sie die Lieferung dann erneut.`,
    revocationStrandedBody: (shop) =>
      `Die Zahlung dieser Bestellung ist an den Käufer zurückgegangen, aber ihr Spielserver wurde bei ${shop} gelöscht. Deshalb können keine Befehle die Artikel entfernen. Falls der Spieler sie noch hat, entfernen Sie sie selbst.`,
    silent: (server) => `${server} meldet sich nicht mehr`,
    silentBody: (shop) =>
      `Das Plugin auf diesem Spielserver von ${shop} meldet sich nicht mehr. Bis es sich wieder meldet, wird dort nichts geliefert.`,
    off: 'Sie erhalten diese E-Mail, weil Ihnen der Shop gehört. Sie können sie in der Einstellung ownerEmails des Shops abschalten.',
  },
});

import { defineCopy } from '../../lib/formats/copy.js';

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
    granted: (shop: string) => `A gift from ${shop} is delivered`,
    grantedBody: (nickname: string, shop: string) => `${nickname} now has what ${shop} has given you.`,
    rehearsal: (subject: string) => `[Rehearsal] ${subject}`,
    rehearsalBody: 'This is a rehearsal of a sale. Nobody has paid, and no figure counts it.',
    refunded: (shop: string) => `Your refund from ${shop}`,
    refundedBody: (amount: string) =>
      `${amount} has been refunded to the payment method that you used. It can take a few days until the money arrives.`,
    show: 'View the order',
    order: 'Order',
    paidAt: 'Paid',
    agreed: (at: string) => `You agreed to this on ${at}:`,
    terms: 'Read the terms',
    withdrawal: (shop: string) => `Your withdrawal at ${shop}`,
    withdrawalBody: 'We have received your withdrawal. This email confirms what you have stated, and when.',
    withdrawalName: 'Name',
    withdrawalAt: 'Received',
    withdrawalNext: 'The shop settles it with you. You need not do anything else.',
    withdrawn: 'Withdrawn from',
    buyerWithdraws: (order: string) => `A buyer withdraws from order ${order}`,
    buyerWithdrawsBody: (shop: string) =>
      `The buyer of an order of ${shop} has stated the withdrawal from the products that are named below. The law sets a time within which you have to refund what was paid for them. The service refunds nothing by itself.`,
    seller: 'Sold by',
    sellerAddress: 'Address',
    vatId: 'VAT number',
    taxes: 'Taxes',
    discount: (code: string) => `Discount ${code}`,
    total: 'Total',
    nickname: 'Nickname',
    server: 'Server',
    sale: (amount: string) => `New sale: ${amount}`,
    saleBody: (shop: string) => `An order of ${shop} was paid.`,
    paidLate: (amount: string) => `A cancelled order was paid: ${amount}`,
    paidLateBody: (shop: string) =>
      `The payment of an order of ${shop} arrived after the order had been cancelled. Nothing is delivered. Refund the payment.`,
    underReview: (shop: string) => `${shop} is checking your payment`,
    underReviewBody: (nickname: string) =>
      `We have received a payment for your order for ${nickname}, and have to check it before anything is delivered. You need not do anything: please do not pay again.`,
    paidUnderReviewBody: (nickname: string) =>
      `Your order for ${nickname} is paid, but we have to check the payment. What is not delivered yet waits for the result. You need not do anything: please do not pay again.`,
    underReviewNext:
      'The page of the order shows the result. If you have a question, contact the shop and name the order.',
    checked: (shop: string) => `${shop} has checked your payment`,
    checkedBody: (nickname: string) =>
      `The payment of your order for ${nickname} is accepted. Thank you for your patience.`,
    rejected: (shop: string) => `${shop} did not accept your payment`,
    rejectedBody: (nickname: string) =>
      `The payment for your order for ${nickname} was not accepted, so nothing is delivered. The shop must refund what it has received.`,
    rejectedNext: 'If you have a question, contact the shop and name the order.',
    arrived: 'Arrived',
    surplus: 'Can be refunded',
    lost: 'Lost',
    disputed: 'Disputed payment',
    notRefunded: 'Not refunded',
    unconfirmed: 'Not confirmed',
    refundId: 'Refund',
    provider: 'Payment provider',
    payment: 'Payment',
    cause: 'Cause',
    notPermitted: 'The key that you saved for the provider lacks the permission for refunds',
    reviewAmount: (arrived: string, due: string) => `Check an order: ${arrived} arrived, ${due} was due`,
    reviewContradiction: (order: string) => `Check order ${order}: the reports about its payment contradict each other`,
    reviewRejected: (arrived: string) => `${arrived} arrived for an order that you have rejected`,
    reviewFraud: (amount: string) => `Check an order of ${amount}: the payment provider suspects fraud`,
    reviewTooMany: (order: string) => `Check order ${order}: it has more payments than any sale`,
    reviewPaidTwice: (surplus: string) => `More arrived for an order than was due: ${surplus} can be refunded`,
    reviewPartialLoss: (lost: string, paid: string) => `${lost} of ${paid} was lost in a dispute`,
    decideBody: (shop: string) =>
      `Nothing of this order of ${shop} is delivered until you decide. Accept the payment, or reject it; after a rejection, refund what arrived.`,
    decide: 'How to accept or reject it',
    paidDecideBody: (shop: string) =>
      `The order of ${shop} is paid, and what is not delivered yet is on hold. If you trust the payment, accept it: the delivery goes on. If you do not, refund it: what was delivered is removed if the products have commands for it.`,
    accept: 'How to accept it',
    tooManyBody: (shop: string) =>
      `This order of ${shop} has so many payments, or refunds and disputes, that the service does not settle it. What is not delivered yet is on hold. Look at its payments on the pages of the payment provider, and refund there what is too much. You can accept the order if it has at most 100 refunds and disputes.`,
    paidTwiceBody: (shop: string) =>
      `The order of ${shop} is paid, and its delivery is not affected. The buyer has paid more than was due: refund the surplus, unless you agree with the buyer on something else.`,
    partialLossBody: (shop: string) =>
      `The shop ${shop} keeps the rest of the payment, so the player keeps the items. If the player should not, refund the rest: the items are removed then.`,
    refund: 'How to refund it',
    reviewBaseMissing: (order: string) => `The lower tier of order ${order} was used already`,
    baseMissingBody: (shop: string) =>
      `This order of ${shop} costs the difference to a lower tier, but another order has used that tier, or its money is not there any more. Nothing is delivered until you decide. Accept the payment to give the higher tier all the same, or reject it and refund what arrived.`,
    reviewTierLower: (order: string) => `The player of order ${order} owns a higher tier by now`,
    tierLowerBody: (shop: string) =>
      `This order of ${shop} was paid after its player had got a higher tier. Nothing is delivered until you decide, because the commands of the lower tier could take the higher one away. Accept the payment to deliver it, or reject it and refund what arrived.`,
    reviewBaseLost: (order: string) => `The money of the lower tier of order ${order} went back`,
    baseLostBody: (shop: string) =>
      `This order of ${shop} cost only the difference to a lower tier, and the money of that tier went back. The player keeps the higher tier. If the player should not, refund the order: the tier is removed then.`,
    credited: 'Credited',
    disputeWon: (amount: string) => `You won the dispute about a payment of ${amount}`,
    disputeWonBody: (shop: string) =>
      `The dispute about the payment of an order of ${shop} has ended in your favour. You need not do anything: what was on hold is delivered, unless something else holds the order.`,
    refundFailed: (amount: string) => `A refund of ${amount} failed`,
    refundFailedBody: (shop: string) =>
      `The buyer of an order of ${shop} did not get this refund. Look at the payment on the pages of the payment provider, and then request the refund again.`,
    refundUnconfirmed: (amount: string) => `A refund of ${amount} is not confirmed`,
    refundUnconfirmedBody: (shop: string) =>
      `This refund of an order of ${shop} was requested, but the payment provider has not confirmed it. Nobody knows whether the buyer gets the money. First look at the payment on the pages of the payment provider. Request the refund again only if it is missing there; otherwise the buyer gets the money twice.`,
    refundPending: (amount: string) => `A refund of ${amount} has been pending for 60 days`,
    refundPendingBody: (shop: string) =>
      `The payment provider has this refund of an order of ${shop}, but has not reported whether the buyer got the money, and the service no longer checks it. Look at the refund on the pages of the payment provider, or ask its support. Refund nothing a second time before you know how this refund ended.`,
    dispute: (amount: string) => `A payment of ${amount} is disputed`,
    disputeBody: (shop: string) =>
      `The buyer of an order of ${shop} has disputed the payment. Respond to the payment provider before its deadline; otherwise the money is lost.`,
    chargedBack: (amount: string) => `You lost a dispute: ${amount} went back to the buyer`,
    chargedBackBody: (shop: string) =>
      `The dispute about the payment of an order of ${shop} is lost. You need not do anything: when the whole payment is lost, what was delivered is removed if the products have commands for it.`,
    chargedBackInPartBody: (shop: string) =>
      `The dispute about the payment of an order of ${shop} is lost in part. The shop keeps the rest of the payment, so nothing is removed. Decide whether the player keeps the items. If not, refund the rest: the items are removed then.`,
    deliveryFailed: (order: string) => `Order ${order} could not be delivered`,
    deliveryFailedBody: (shop: string) =>
      `A game server of ${shop} did not run the commands of a paid order. Check its console, and then queue the delivery again.`,
    deliveryUncertain: (order: string) => `Nobody knows whether order ${order} was delivered`,
    deliveryUncertainBody: (shop: string) =>
      `A game server of ${shop} got commands of this order, and did not report what became of them. They do not run again by themselves. Ask the player or look at the console, and then decide: delivered, or failed. What failed can be queued again.`,
    serverDeletedBody: (shop: string) =>
      `The game server of this order was deleted from ${shop} before everything was delivered. Refund the order, or give the player the items yourself.`,
    notRun: (order: string) => `Commands of order ${order} did not run`,
    notRunBody: (shop: string) =>
      `The buyer of this order was erased. Commands that ${shop} had for the player were due, and did not run: the service does not know the player any more, or the game server did not run them. If the player still has what the commands take away, remove it yourself.`,
    revocationFailed: (order: string) => `The items of order ${order} could not be removed`,
    revocationFailedBody: (shop: string) =>
      `The payment of this order went back to the buyer, but a game server of ${shop} did not run the commands that remove the items. Check its console, and then queue the delivery again.`,
    revocationStrandedBody: (shop: string) =>
      `The payment of this order went back to the buyer, but its game server was deleted from ${shop}, so no commands can remove the items. If the player still has them, remove them yourself.`,
    undelivered: (order: string) => `No email reaches the buyer of order ${order}`,
    undeliveredBody: (shop: string) =>
      `An email of ${shop} to the address below could not be delivered. The buyer does not get the emails about this order: look for a typing mistake in the address, or contact the player in the game.`,
    address: 'Email address',
    silent: (server: string) => `${server} has stopped reporting`,
    silentBody: (shop: string) =>
      `The plugin on this game server of ${shop} has stopped reporting. Until it does again, nothing is delivered there.`,
    off: 'You receive this email as an owner of the shop. You can switch it off in the setting ownerEmails of the shop.',
  },
  de: {
    received: (shop) => `Deine Bestellung bei ${shop}`,
    receivedBody: (nickname) => `Danke! Wir haben deine Bestellung für ${nickname} erhalten.`,
    payUntil: (time) => `Sie ist noch nicht bezahlt. Bitte bezahl bis ${time}. Danach verfällt die Bestellung.`,
    pay: 'Bestellung bezahlen oder ändern',
    receipt: (shop) => `Deine Zahlungsbestätigung von ${shop}`,
    receiptBody: (nickname) => `Danke! Deine Bestellung für ${nickname} ist bezahlt.`,
    next: 'Wir benachrichtigen dich, sobald alles geliefert ist. Bis die Lieferung beginnt, kannst du den Nickname auf der Seite der Bestellung korrigieren.',
    nothing:
      'Die Bestellung war storniert, bevor deine Zahlung ankam. Deshalb wird nichts geliefert. Der Shop muss dir den Betrag erstatten.',
    held: 'Die Lieferung ist angehalten, bis die Zahlung geklärt ist. Auf der Seite der Bestellung siehst du, wie es weitergeht.',
    ended: 'Die Zahlung ist inzwischen zurückgegangen. Deshalb wird nichts mehr geliefert.',
    delivered: (shop) => `Deine Bestellung bei ${shop} ist geliefert`,
    deliveredBody: (nickname) => `${nickname} hat jetzt alles, was du gekauft hast.`,
    granted: (shop) => `Ein Geschenk von ${shop} ist geliefert`,
    grantedBody: (nickname, shop) => `${nickname} hat jetzt, was ${shop} dir geschenkt hat.`,
    rehearsal: (subject) => `[Probe] ${subject}`,
    rehearsalBody: 'Dies ist die Probe eines Verkaufs. Niemand hat bezahlt, und keine Statistik zählt sie mit.',
    refunded: (shop) => `Deine Erstattung von ${shop}`,
    refundedBody: (amount) =>
      `Du erhältst ${amount} über die verwendete Zahlungsart zurück. Bis zur Gutschrift kann es einige Tage dauern.`,
    show: 'Bestellung ansehen',
    order: 'Bestellung',
    paidAt: 'Bezahlt',
    agreed: (at) => `Dem hast du am ${at} zugestimmt:`,
    terms: 'Zu den Bedingungen',
    withdrawal: (shop) => `Dein Widerruf bei ${shop}`,
    withdrawalBody: 'Wir haben deinen Widerruf erhalten. Diese E-Mail bestätigt, was du erklärt hast und wann.',
    withdrawalName: 'Name',
    withdrawalAt: 'Eingegangen',
    withdrawalNext: 'Der Shop wickelt ihn mit dir ab. Du musst nichts weiter tun.',
    withdrawn: 'Widerrufen',
    buyerWithdraws: (order) => `Bestellung ${order} wurde widerrufen`,
    buyerWithdrawsBody: (shop) =>
      `Der Käufer einer Bestellung von ${shop} hat den Widerruf für die unten genannten Produkte erklärt. Das Gesetz gibt eine Frist vor, in der du erstatten musst, was dafür bezahlt wurde. Der Dienst erstattet nichts von selbst.`,
    seller: 'Verkauft von',
    sellerAddress: 'Anschrift',
    vatId: 'USt-IdNr.',
    taxes: 'Steuern',
    discount: (code) => `Rabatt ${code}`,
    total: 'Summe',
    nickname: 'Nickname',
    server: 'Server',
    sale: (amount) => `Neuer Verkauf: ${amount}`,
    saleBody: (shop) => `Eine Bestellung von ${shop} wurde bezahlt.`,
    paidLate: (amount) => `Eine stornierte Bestellung wurde bezahlt: ${amount}`,
    paidLateBody: (shop) =>
      `Die Zahlung einer Bestellung von ${shop} kam an, als die Bestellung schon storniert war. Es wird nichts geliefert. Bitte erstatte den Betrag.`,
    underReview: (shop) => `${shop} prüft deine Zahlung`,
    underReviewBody: (nickname) =>
      `Wir haben eine Zahlung für deine Bestellung für ${nickname} erhalten und müssen sie prüfen, bevor etwas geliefert wird. Du musst nichts tun: Bitte bezahl nicht noch einmal.`,
    paidUnderReviewBody: (nickname) =>
      `Deine Bestellung für ${nickname} ist bezahlt, aber wir müssen die Zahlung prüfen. Was noch nicht geliefert ist, wartet auf das Ergebnis. Du musst nichts tun: Bitte bezahl nicht noch einmal.`,
    underReviewNext:
      'Das Ergebnis siehst du auf der Seite der Bestellung. Wenn du eine Frage hast, wende dich an den Shop, und nenne die Bestellung.',
    checked: (shop) => `${shop} hat deine Zahlung geprüft`,
    checkedBody: (nickname) => `Die Zahlung deiner Bestellung für ${nickname} ist angenommen. Danke für deine Geduld.`,
    rejected: (shop) => `${shop} hat deine Zahlung nicht angenommen`,
    rejectedBody: (nickname) =>
      `Die Zahlung für deine Bestellung für ${nickname} wurde nicht angenommen. Deshalb wird nichts geliefert. Der Shop muss dir erstatten, was er erhalten hat.`,
    rejectedNext: 'Wenn du eine Frage hast, wende dich an den Shop, und nenne die Bestellung.',
    arrived: 'Eingegangen',
    surplus: 'Kann erstattet werden',
    lost: 'Verloren',
    disputed: 'Angefochtene Zahlung',
    notRefunded: 'Nicht erstattet',
    unconfirmed: 'Nicht bestätigt',
    refundId: 'Erstattung',
    provider: 'Zahlungsanbieter',
    payment: 'Zahlung',
    cause: 'Ursache',
    notPermitted: 'Dem Schlüssel, den du für den Anbieter gespeichert hast, fehlt das Recht für Erstattungen',
    reviewAmount: (arrived, due) => `Bestellung prüfen: ${arrived} eingegangen, ${due} fällig`,
    reviewContradiction: (order) => `Bestellung ${order} prüfen: Die Meldungen über die Zahlung widersprechen sich`,
    reviewRejected: (arrived) => `${arrived} für eine Bestellung eingegangen, die du abgelehnt hast`,
    reviewFraud: (amount) => `Bestellung über ${amount} prüfen: Der Zahlungsanbieter vermutet Betrug`,
    reviewTooMany: (order) => `Bestellung ${order} prüfen: Sie hat mehr Zahlungen als jeder Verkauf`,
    reviewPaidTwice: (surplus) => `Für eine Bestellung ist zu viel eingegangen: ${surplus} können erstattet werden`,
    reviewPartialLoss: (lost, paid) => `${lost} von ${paid} durch eine Anfechtung verloren`,
    decideBody: (shop) =>
      `Von dieser Bestellung bei ${shop} wird nichts geliefert, bis du entscheidest. Nimm die Zahlung an, oder lehne sie ab; nach einer Ablehnung erstattest du, was eingegangen ist.`,
    decide: 'So nimmst du die Zahlung an oder lehnst sie ab',
    paidDecideBody: (shop) =>
      `Die Bestellung bei ${shop} ist bezahlt, und was noch nicht geliefert ist, wird zurückgehalten. Wenn du der Zahlung traust, nimm sie an: Dann geht die Lieferung weiter. Wenn nicht, erstatte sie: Was geliefert ist, wird dann entfernt, sofern die Produkte Befehle dafür haben.`,
    accept: 'So nimmst du die Zahlung an',
    tooManyBody: (shop) =>
      `Diese Bestellung bei ${shop} hat so viele Zahlungen oder Erstattungen und Anfechtungen, dass der Dienst sie nicht abrechnet. Was noch nicht geliefert ist, wird zurückgehalten. Sieh dir die Zahlungen auf den Seiten des Zahlungsanbieters an, und erstatte dort, was zu viel ist. Annehmen kannst du die Bestellung, wenn sie höchstens 100 Erstattungen und Anfechtungen hat.`,
    paidTwiceBody: (shop) =>
      `Die Bestellung bei ${shop} ist bezahlt, und die Lieferung ist nicht betroffen. Es ist mehr eingegangen, als fällig war: Erstatte den Überschuss, wenn du mit dem Käufer nichts anderes vereinbarst.`,
    partialLossBody: (shop) =>
      `Der Shop ${shop} behält den Rest der Zahlung, deshalb behält der Spieler die Artikel. Wenn er sie nicht behalten soll, erstatte den Rest: Dann werden die Artikel entfernt.`,
    refund: 'So erstattest du den Betrag',
    reviewBaseMissing: (order) => `Die niedrigere Stufe zu Bestellung ${order} ist schon verbraucht`,
    baseMissingBody: (shop) =>
      `Diese Bestellung bei ${shop} kostet den Unterschied zu einer niedrigeren Stufe, aber eine andere Bestellung hat diese Stufe verbraucht, oder ihr Geld ist nicht mehr da. Es wird nichts geliefert, bis du entscheidest. Nimm die Zahlung an, um die höhere Stufe trotzdem zu geben, oder lehne sie ab und erstatte, was eingegangen ist.`,
    reviewTierLower: (order) => `Der Spieler von Bestellung ${order} hat inzwischen eine höhere Stufe`,
    tierLowerBody: (shop) =>
      `Diese Bestellung bei ${shop} wurde bezahlt, nachdem ihr Spieler eine höhere Stufe bekommen hatte. Es wird nichts geliefert, bis du entscheidest, denn die Befehle der niedrigeren Stufe könnten die höhere wegnehmen. Nimm die Zahlung an, um sie zu liefern, oder lehne sie ab und erstatte, was eingegangen ist.`,
    reviewBaseLost: (order) => `Das Geld für die niedrigere Stufe von Bestellung ${order} ging zurück`,
    baseLostBody: (shop) =>
      `Diese Bestellung bei ${shop} hat nur den Unterschied zu einer niedrigeren Stufe gekostet, und das Geld für diese Stufe ging zurück. Der Spieler behält die höhere Stufe. Wenn er sie nicht behalten soll, erstatte die Bestellung: Dann wird die Stufe entfernt.`,
    credited: 'Angerechnet',
    disputeWon: (amount) => `Anfechtung einer Zahlung über ${amount} gewonnen`,
    disputeWonBody: (shop) =>
      `Die Anfechtung der Zahlung einer Bestellung von ${shop} ist zu deinen Gunsten entschieden. Du musst nichts tun: Was angehalten war, wird geliefert, wenn nichts anderes die Bestellung anhält.`,
    refundFailed: (amount) => `Eine Erstattung über ${amount} ist fehlgeschlagen`,
    refundFailedBody: (shop) =>
      `Der Käufer einer Bestellung von ${shop} hat diese Erstattung nicht erhalten. Sieh dir die Zahlung auf den Seiten des Zahlungsanbieters an, und fordere die Erstattung dann erneut an.`,
    refundUnconfirmed: (amount) => `Eine Erstattung über ${amount} ist nicht bestätigt`,
    refundUnconfirmedBody: (shop) =>
      `Diese Erstattung einer Bestellung von ${shop} wurde angefordert, aber der Zahlungsanbieter hat sie nicht bestätigt. Niemand weiß, ob der Käufer das Geld erhält. Sieh dir zuerst die Zahlung auf den Seiten des Zahlungsanbieters an. Fordere die Erstattung nur dann erneut an, wenn sie dort fehlt; sonst erhält der Käufer das Geld zweimal.`,
    refundPending: (amount) => `Eine Erstattung über ${amount} steht seit 60 Tagen aus`,
    refundPendingBody: (shop) =>
      `Dem Zahlungsanbieter liegt diese Erstattung einer Bestellung von ${shop} vor, aber er hat nicht gemeldet, ob der Käufer das Geld erhalten hat, und der Dienst prüft sie nicht mehr. Sieh dir die Erstattung auf den Seiten des Zahlungsanbieters an, oder frag seinen Support. Erstatte nichts ein zweites Mal, bevor du weißt, wie diese Erstattung ausgegangen ist.`,
    dispute: (amount) => `Eine Zahlung über ${amount} wurde angefochten`,
    disputeBody: (shop) =>
      `Die Zahlung einer Bestellung von ${shop} wurde angefochten. Antworte dem Zahlungsanbieter vor Ablauf seiner Frist; sonst ist das Geld verloren.`,
    chargedBack: (amount) => `Anfechtung verloren: ${amount} gehen an den Käufer zurück`,
    chargedBackBody: (shop) =>
      `Die Zahlung einer Bestellung von ${shop} wurde erfolgreich angefochten. Du musst nichts tun: Wenn die ganze Zahlung verloren ist, wird entfernt, was geliefert wurde, sofern die Produkte Befehle dafür haben.`,
    chargedBackInPartBody: (shop) =>
      `Die Zahlung einer Bestellung von ${shop} wurde zum Teil erfolgreich angefochten. Der Shop behält den Rest der Zahlung, deshalb wird nichts entfernt. Entscheide, ob der Spieler die Artikel behält. Wenn nicht, erstatte den Rest: Dann werden die Artikel entfernt.`,
    deliveryFailed: (order) => `Die Bestellung ${order} konnte nicht geliefert werden`,
    deliveryFailedBody: (shop) =>
      `Ein Spielserver von ${shop} hat die Befehle einer bezahlten Bestellung nicht ausgeführt. Prüfe die Konsole des Servers, und starte die Lieferung dann erneut.`,
    deliveryUncertain: (order) => `Unklar, ob die Bestellung ${order} geliefert wurde`,
    deliveryUncertainBody: (shop) =>
      `Ein Spielserver von ${shop} hat Befehle dieser Bestellung erhalten und nicht gemeldet, was daraus geworden ist. Sie laufen nicht von selbst noch einmal. Frag den Spieler oder sieh in die Konsole, und entscheide dann: geliefert oder fehlgeschlagen. Fehlgeschlagenes kannst du erneut starten.`,
    serverDeletedBody: (shop) =>
      `Der Spielserver dieser Bestellung wurde bei ${shop} gelöscht, bevor alles geliefert war. Erstatte die Bestellung, oder gib dem Spieler die Artikel selbst.`,
    notRun: (order) => `Befehle der Bestellung ${order} wurden nicht ausgeführt`,
    notRunBody: (shop) =>
      `Der Käufer dieser Bestellung wurde gelöscht. Befehle, die ${shop} für den Spieler hatte, waren fällig und wurden nicht ausgeführt: Der Dienst kennt den Spieler nicht mehr, oder der Spielserver hat sie nicht ausgeführt. Falls der Spieler noch hat, was die Befehle entfernen, entferne es selbst.`,
    revocationFailed: (order) => `Die Artikel der Bestellung ${order} konnten nicht entfernt werden`,
    revocationFailedBody: (shop) =>
      `Die Zahlung dieser Bestellung ist an den Käufer zurückgegangen, aber ein Spielserver von ${shop} hat die Befehle nicht ausgeführt, die die Artikel entfernen. Prüfe die Konsole des Servers, und starte die Lieferung dann erneut.`,
    revocationStrandedBody: (shop) =>
      `Die Zahlung dieser Bestellung ist an den Käufer zurückgegangen, aber ihr Spielserver wurde bei ${shop} gelöscht. Deshalb können keine Befehle die Artikel entfernen. Falls der Spieler sie noch hat, entferne sie selbst.`,
    undelivered: (order) => `Der Käufer der Bestellung ${order} erhält keine E-Mails`,
    undeliveredBody: (shop) =>
      `Eine E-Mail von ${shop} an die Adresse unten konnte nicht zugestellt werden. Der Käufer erhält die E-Mails zu dieser Bestellung nicht: Such nach einem Tippfehler in der Adresse, oder sprich den Spieler im Spiel an.`,
    address: 'E-Mail-Adresse',
    silent: (server) => `${server} meldet sich nicht mehr`,
    silentBody: (shop) =>
      `Das Plugin auf diesem Spielserver von ${shop} meldet sich nicht mehr. Bis es sich wieder meldet, wird dort nichts geliefert.`,
    off: 'Du erhältst diese E-Mail, weil dir der Shop gehört. Du kannst sie in der Einstellung ownerEmails des Shops abschalten.',
  },
});

// The bare handler of a webhook that pays an order, see server.js. It has the signing secrets of the shops from its environment
// (`SIGNING_SECRETS`, JSON by shop), while the service decrypts them with each request. What its payments write is in collections of
// its own, so that the jobs of the service find none of it; only the orders are those of the service.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { ObjectId } from 'mongodb';

const TOLERANCE_SECONDS = 300;
const MAX_AT_ONCE = 50;
const CLAIM_MS = 3_600_000;
const PROVIDER = 'custom';

/** Whether a body has one of the signatures of its headers, and is not older than 5 minutes (Standard Webhooks). */
function isSigned({ headers, body }, secret) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

export function webhookHandler(db, inTransaction, outbox) {
  const secrets = JSON.parse(process.env.SIGNING_SECRETS);
  const inbox = db.collection('bare_payment_events');
  const orders = db.collection('orders');

  /** What the payment of an order writes besides the order itself. @returns the lane of its event */
  async function recordPayment(order, at, session) {
    const { _id, shopId, serverId, currency, buyerKey, items, nickname, totalMinor } = order;
    const sold = items.map(({ productId, quantity, totalMinor: itemMinor }) => ({ productId, quantity, itemMinor }));
    const event = { kind: 'paid', at, amountMinor: totalMinor, count: 1, provider: PROVIDER };
    const sale = { shopId, orderId: _id, serverId, currency, buyerKey, items: sold, events: [event], pending: true };
    await db.collection('bare_ledger').insertOne(sale, { session });
    const lane = await outbox.record('order.paid', shopId, _id, session);
    const [{ quantity, commandListId }] = items;
    const delivery = { serverId, nickname, quantity, commandListId, state: 'queued', waitsFor: null, dueAt: at };
    await db
      .collection('bare_deliveries')
      .updateOne(
        { shopId, orderId: _id, kind: 'purchase', position: 0 },
        { $setOnInsert: { ...delivery, attempt: 0, acknowledgedAttempt: 0, attemptsLeft: 5, createdAt: at } },
        { upsert: true, session },
      );
    const entry = { shopId, at, principal: `provider:${PROVIDER}`, action: 'order.payment_changed', subjectId: _id };
    await db.collection('bare_audit').insertOne(entry, { session });
    return lane;
  }

  /** Applies a stored event to its order. @returns the lane of the published events */
  async function apply(event, session) {
    const { _id, shopId, paymentId, orderId, payment } = event;
    const now = new Date();
    await inbox.findOne({ _id, shopId }, { session });
    const waiting = { shopId, provider: PROVIDER, paymentId, state: { $in: ['received', 'failed'] }, orderId: null };
    await inbox.find(waiting, { limit: MAX_AT_ONCE, session }).toArray();
    const order = await orders.findOne({ _id: orderId, shopId }, { session });
    const { buyerKey } = order;
    const others = { shopId, buyerKey, paidAt: { $gt: new Date(0) }, _id: { $ne: orderId } };
    const earlier = await orders.findOne(others, { projection: { paidAt: 1 }, sort: { paidAt: 1 }, session });
    if (earlier === null) {
      const claimed = { $inc: { revision: 1 }, $set: { expiresAt: new Date(now.getTime() + CLAIM_MS) } };
      const options = { upsert: true, session };
      await db.collection('bare_claims').updateOne({ _id: `mailbox:${shopId}:${buyerKey}` }, claimed, options);
    }
    const states = { status: 'completed', paymentStatus: 'paid', deliveryStatus: 'queued' };
    const history = { at: now, actor: `provider:${PROVIDER}`, action: payment.type, detail: 'paid' };
    const { modifiedCount } = await orders.updateOne(
      { _id: orderId, shopId, status: { $in: ['open', 'expired'] }, paymentStatus: { $in: ['pending', 'failed'] } },
      {
        $set: { ...states, paidAt: now, isFirstPurchase: earlier === null, payments: [payment], reversals: [] },
        $push: { history },
        $unset: { slots: 1 },
      },
      { session },
    );
    if (modifiedCount !== 1) throw new Error('the order is paid already');
    const lane = await recordPayment(order, now, session);
    const change = { $set: { state: 'processed', orderId, settledAt: now, forgetAt: null }, $inc: { attempts: 1 } };
    await inbox.updateOne({ _id, shopId, state: { $in: ['received', 'failed'] } }, change, { session });
    return lane;
  }

  return async (request) => {
    const { shopId: ofShop, secret } = request.params;
    const shopId = new ObjectId(ofShop);
    const configuration = await db.collection('payment_providers').findOne({ shopId, provider: PROVIDER });
    const hash = createHash('sha256').update(secret).digest();
    const isOpen = configuration.enabled && timingSafeEqual(hash, Buffer.from(configuration.secretHash, 'hex'));
    if (!isOpen || !isSigned(request, secrets[ofShop])) throw new Error('a webhook of somebody else');
    const { type, orderId, paymentId, amount, currency, occurredAt } = JSON.parse(request.body.toString());
    const eventId = request.headers['webhook-id'];
    const payment = { type, amountMinor: Math.round(amount * 100), currency, occurredAt: new Date(occurredAt) };
    const event = { kind: type, state: 'received', attempts: 0, orderId: new ObjectId(orderId), paymentId, payment };
    const stored = await inbox.findOneAndUpdate(
      { shopId, provider: PROVIDER, eventId },
      { $setOnInsert: { ...event, receivedAt: new Date() } },
      { upsert: true, returnDocument: 'after' },
    );
    outbox.wake(await inTransaction((session) => apply(stored, session)));
    return { received: true, events: [{ eventId, state: 'processed', duplicate: false }] };
  };
}

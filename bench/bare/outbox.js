// The outbox of the bare handlers, see server.js: after a request it makes the queries of the service (src/events/outbox), with its ticks and
// batches, and at most eight at once. An event becomes emails to the buyer and, of a payment, to the owners. Emails are not sent
// anywhere.
import { randomBytes } from 'node:crypto';
import { ObjectId } from 'mongodb';
import { Semaphore } from '../../dist/lib/concurrency/semaphore.js';

const BATCH_SIZE = 20;
const PARALLEL_STREAMS = 4;
const PARALLEL_LANES = 200;
const CONNECTIONS = 8;
const LEASE_MS = 60_000;
/** How long a sealed payload is. */
const SEALED_BYTES = { event: 180, email: 600 };
const HOLDER = 'bare';

export function outboxOf(db, inTransaction) {
  const entries = db.collection('bare_outbox');
  const lanes = db.collection('bare_outbox_lanes');
  const [queue, running] = [new Set(), new Set()];
  const share = new Semaphore(CONNECTIONS);

  /**
   * Adds a message in the transaction of `session`. Its lane must be woken after the commit.
   * @param message `topic` (`event` or `email`), `shopId`, `lane`, and of an event `type` and `stream`, the id of its order
   */
  async function add({ topic, lane, stream = null, ...fields }, session) {
    const _id = new ObjectId();
    const reading = { projection: { position: 1 }, sort: { position: -1 }, session };
    const last = stream && (await entries.findOne({ state: 'waiting', lane, stream }, reading));
    const position = last === null ? 0 : last.position + 1;
    const sealedPayload = randomBytes(SEALED_BYTES[topic]).toString('base64');
    const waiting = { state: 'waiting', position, dueAt: new Date(), sealedPayload, attempts: 0, settledAt: null };
    await entries.insertOne({ _id, topic, lane, stream: stream ?? _id, ...fields, ...waiting }, { session });
  }

  /** Adds an email of a shop. @returns the lane to wake */
  async function addEmail(shopId, session) {
    const lane = `email ${shopId}`;
    await add({ topic: 'email', shopId, lane }, session);
    return lane;
  }

  /** Adds the emails of an event. @returns the lane to wake */
  async function publish(event, session) {
    const { shopId, stream: orderId, type } = event;
    const listening = { shopId, isActive: true, events: { $in: [type, '*'] } };
    await db.collection('webhooks').find(listening, { session }).toArray();
    await db.collection('shops').findOne({ _id: shopId });
    await db.collection('orders').findOne({ _id: orderId, shopId }, { session });
    const lane = await addEmail(shopId, session);
    if (type !== 'order.paid') return lane;
    await db.collection('shops').findOne({ _id: shopId });
    const members = await db.collection('members').find({ shopId }).sort({ _id: 1 }).toArray();
    const owners = members.filter(({ role }) => role === 'owner').map(({ userId }) => userId);
    await db
      .collection('users')
      .find({ _id: { $in: owners } })
      .toArray();
    return addEmail(shopId, session);
  }

  async function deliver(entry) {
    const { _id, lane, stream, topic } = entry;
    const sent = { state: 'sent', sealedPayload: null, settledAt: new Date() };
    const settle = (options) => entries.updateOne({ _id, lane, stream, state: 'waiting' }, { $set: sent }, options);
    if (topic !== 'event') return share.run(settle);
    const work = async (session) => {
      await settle({ session });
      return publish(entry, session);
    };
    return wake(await share.run(() => inTransaction(work)));
  }

  async function sendStream(entry) {
    const { _id, lane, stream } = entry;
    if (stream.equals(_id)) return deliver(entry);
    const reading = { sort: { position: 1 }, limit: BATCH_SIZE };
    const waiting = await share.run(() => entries.find({ state: 'waiting', lane, stream }, reading).toArray());
    for (const each of waiting) await deliver(each);
  }

  async function tick(lane) {
    const now = new Date();
    const free = { lane, $or: [{ leasedUntil: { $lte: now } }, { holder: HOLDER }] };
    const lease = { holder: HOLDER, leasedUntil: new Date(now.getTime() + LEASE_MS) };
    await share.run(() => lanes.updateOne(free, { $set: lease }, { upsert: true }));
    for (;;) {
      const due = { state: 'waiting', lane, dueAt: { $lte: new Date() } };
      const found = await share.run(() => entries.find(due, { sort: { dueAt: 1 }, limit: BATCH_SIZE }).toArray());
      const streams = [...new Map(found.map((entry) => [entry.stream.toHexString(), entry])).values()];
      for (let first = 0; first < streams.length; first += PARALLEL_STREAMS) {
        await Promise.all(streams.slice(first, first + PARALLEL_STREAMS).map(sendStream));
      }
      if (found.length < BATCH_SIZE) break;
    }
    const ended = { $set: { leasedUntil: new Date() } };
    await share.run(() => lanes.updateOne({ lane, holder: HOLDER }, ended));
    const next = { projection: { dueAt: 1 }, sort: { dueAt: 1 } };
    await share.run(() => entries.findOne({ state: 'waiting', lane }, next));
  }

  function startTurns() {
    for (const lane of queue) {
      if (running.size >= PARALLEL_LANES) return;
      if (running.has(lane)) continue;
      queue.delete(lane);
      running.add(lane);
      const end = () => {
        running.delete(lane);
        startTurns();
      };
      tick(lane).then(end, (error) => {
        console.error(error);
        queue.add(lane);
        end();
      });
    }
  }

  function wake(lane) {
    queue.add(lane);
    startTurns();
  }

  /** Records an event of an order. @returns the lane to wake */
  async function record(type, shopId, orderId, session) {
    const lane = `event ${shopId} ${orderId.toHexString().at(-1)}`;
    await add({ topic: 'event', type, shopId, lane, stream: orderId }, session);
    return lane;
  }

  return { addEmail, record, wake };
}

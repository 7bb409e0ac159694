// The bare handler of a checkout, see server.js.
import { ObjectId } from 'mongodb';

const HOUR_MS = 3_600_000;
/** The numbers of its orders begin far above those of the service, whose orders are in the same collection. */
let lastNumber = 20_000_000;

/** The collections of the service, and those that the bare handlers write instead: its jobs must not find these documents. */
const STAND_INS = {
  audit_log: 'bare_audit',
  deliveries: 'bare_deliveries',
  outbox: 'bare_outbox',
  outbox_lanes: 'bare_outbox_lanes',
  payment_events: 'bare_payment_events',
  stats_ledger: 'bare_ledger',
};

/** Gives the bare collections the indexes of the others, so that reads and writes cost the same. */
export async function copyIndexes(db) {
  for (const [name, standIn] of Object.entries(STAND_INS)) {
    const indexes = await db.collection(name).indexes();
    await db.collection(standIn).createIndexes(indexes.filter((index) => index.name !== '_id_'));
  }
}

/** `enter` returns the shop of a request whose key is valid, `outbox` is of `outboxOf`. */
export function checkoutHandler(db, inTransaction, enter, outbox) {
  const ofShop = (shopId, id) => ({ shopId, archivedAt: null, _id: { $in: [new ObjectId(id)] } });

  /** One product for one server, without a code. */
  return async (request) => {
    const shopId = await enter(request);
    const { items, serverId, nickname, email } = request.body;
    const [shop, , [product]] = await Promise.all([
      db.collection('shops').findOne({ _id: shopId }),
      db
        .collection('game_servers')
        .find(ofShop(shopId, serverId), { projection: { _id: 1 } })
        .toArray(),
      db.collection('products').find(ofShop(shopId, items[0].productId)).toArray(),
    ]);
    await db
      .collection('command_lists')
      .find({ shopId, _id: { $in: [product.commandListId] } })
      .toArray();
    const holders = [`nickname:${nickname}`, `mailbox:${email}`];
    const now = new Date();
    const line = { productId: product._id, quantity: 1, totalMinor: product.priceMinor };
    const order = {
      ...{
        _id: new ObjectId(),
        shopId,
        number: ++lastNumber,
        serverId: new ObjectId(serverId),
        nickname,
        email,
        status: 'open',
      },
      ...{ nicknameKey: nickname, buyerKey: email, paymentStatus: 'pending', deliveryStatus: 'none', itemCount: 1 },
      ...{ items: [{ ...line, name: product.name, commandListId: product.commandListId }], currency: shop.currency },
      ...{ totalMinor: line.totalMinor, createdAt: now, expiresAt: new Date(now.getTime() + HOUR_MS), payments: [] },
      ...{ history: [{ at: now, actor: 'buyer', action: 'created' }], slots: holders.map((holder) => ({ holder })) },
    };
    const lane = await inTransaction(async (session) => {
      await db.collection('bans').findOne({ shopId, key: { $in: holders } }, { session });
      const open = { shopId, status: 'open', 'slots.holder': { $in: holders } };
      await db.collection('orders').find(open, { session }).toArray();
      const entry = { shopId, at: now, principal: 'buyer', action: 'order.created', subjectId: order._id };
      await db.collection('bare_audit').insertOne(entry, { session });
      await db.collection('orders').insertOne(order, { session });
      const event = { kind: 'created', at: now, amountMinor: 0, count: 1 };
      const sale = { shopId, orderId: order._id, buyerKey: email, items: [line], events: [event], pending: true };
      await db.collection('bare_ledger').insertOne(sale, { session });
      return outbox.record('order.created', shopId, order._id, session);
    });
    outbox.wake(lane);
    return { id: order._id, status: order.status, total: order.totalMinor / 100, currency: order.currency };
  };
}

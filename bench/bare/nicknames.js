// The bare handler of a nickname change with a code, see server.js. Reads ENCRYPTION_KEY from the environment.
import { ObjectId } from 'mongodb';
import { deriveKey, equalInConstantTime, keyedHash } from '../../dist/lib/crypto/keyed-hash.js';

const MAX_HISTORY = 100;
const NICKNAME = /^[A-Za-z0-9_]{3,16}$/;

export function nicknameHandler(db, inTransaction, outbox) {
  const pepper = deriveKey(Buffer.from(process.env.ENCRYPTION_KEY, 'hex'), 'nickname-codes');
  const codes = db.collection('nickname_change_codes');
  const orders = db.collection('orders');

  /** Takes an attempt of the code of a holder. Returns its hash when the code is right. */
  async function prove({ orderId, holder }, code) {
    const valid = { usedAt: null, attemptsLeft: { $gt: 0 }, expiresAt: { $gt: new Date() }, failedToday: { $lt: 20 } };
    const taken = await inTransaction((session) =>
      codes.findOneAndUpdate(
        { orderId, holder, ...valid },
        { $inc: { attemptsLeft: -1, failedToday: 1 } },
        { projection: { codeHash: 1 }, session },
      ),
    );
    const hash = keyedHash(pepper, `${orderId}:${holder}:${code}`);
    if (!equalInConstantTime(taken?.codeHash ?? '', hash)) throw new Error('a wrong code');
    return hash;
  }

  return async (request) => {
    const orderId = new ObjectId(request.params.orderId);
    const { verificationCode, newNickname: nickname } = request.body;
    const { shopId, items } = await orders.findOne({ _id: orderId });
    await db.collection('shops').findOne({ _id: shopId });
    const lists = items.map(({ commandListId }) => commandListId);
    await db
      .collection('command_lists')
      .find({ shopId, _id: { $in: lists } })
      .toArray();
    if (!NICKNAME.test(nickname)) throw new Error('not allowed');
    const holder = keyedHash(pepper, `${orderId} network ${request.ip}`);
    const codeHash = await prove({ orderId, holder }, verificationCode);
    const { lane: emailLane, ...changed } = await inTransaction(async (session) => {
      const at = new Date();
      const { nickname: previousNickname } = await orders.findOne({ _id: orderId, shopId }, { session });
      const own = { orderId, holder, codeHash, usedAt: null };
      const { modifiedCount: used } = await codes.updateOne(own, { $inc: { failedToday: -1 } }, { session });
      await codes.updateMany({ orderId, usedAt: null }, { $set: { usedAt: at } }, { session });
      const detail = `${previousNickname} -> ${nickname}`;
      const history = { $each: [{ at, actor: 'buyer', action: 'nickname_changed', detail }], $slice: -MAX_HISTORY };
      const renamed = { $set: { nickname, nicknameKey: nickname.toLowerCase() }, $push: { history } };
      const waits = { _id: orderId, shopId, deliveryStatus: { $in: ['none', 'queued'] } };
      const { modifiedCount } = await orders.updateOne(waits, renamed, { session });
      if (used + modifiedCount !== 2) throw new Error('the code is used, or the delivery no longer waits');
      const waiting = { orderId, shopId, kind: 'purchase', state: 'queued', requiresOnline: false };
      await db.collection('deliveries').updateMany(waiting, { $set: { nickname, waitsFor: null } }, { session });
      const entry = { shopId, at, principal: 'buyer', action: 'order.nickname_changed', subjectId: orderId };
      await db.collection('bare_audit').insertOne(entry, { session });
      const lane = await outbox.addEmail(shopId, session);
      return { orderId, previousNickname, nickname, changedAt: at, lane };
    });
    outbox.wake(emailLane);
    return changed;
  };
}

// What `npm run bench` compares the service with: an Express 5 handler for each endpoint, with the native driver. Each makes the
// queries of the service, also those that follow the response (outbox.js), and returns the same fields. docs/api.md has the number of
// the queries. The bare handlers read the credential and the membership one after the other. `validate` also reads the shop, of which
// the service remembers the currency, and counts the product and the server, of which the service finds the id. They have no
// validation, no rate limits, no log and no layers, and each request makes its own queries: nothing is shared.
// Reads MONGODB_URI, JWT_SECRET, ENCRYPTION_KEY and SIGNING_SECRETS from the environment, and prints the port that it listens on.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import express from 'express';
import { MongoClient, ObjectId } from 'mongodb';
import { coverOf, QUARTER_MS } from '../../dist/analytics/stats/rollups/time-cells.js';
import { nicknameHandler } from './nicknames.js';
import { checkoutHandler, copyIndexes } from './orders.js';
import { outboxOf } from './outbox.js';
import { webhookHandler } from './payments.js';
import { transactionsOf } from './transactions.js';

const MAX_KEYS = 51;
const PERIOD_MS = 30 * 86_400_000;
const client = await new MongoClient(process.env.MONGODB_URI, {
  ...{ maxPoolSize: 50, readConcern: { level: 'majority' }, writeConcern: { w: 'majority', journal: true } },
}).connect();
const db = client.db();
const inTransaction = transactionsOf(client);
const outbox = outboxOf(db, inTransaction);
const OF_MEMBER = { shopId: 1, userId: 1, role: 1, joinedAt: 1, lastActiveAt: 1 };

/** The key of a request, and the membership of its person in the shop of the path. */
async function enter(request) {
  const hash = createHash('sha256').update(request.headers['x-api-key']).digest('hex');
  const key = await db.collection('api_keys').findOne({ hashes: hash });
  const shopId = new ObjectId(request.params.shopId);
  const member = await db.collection('members').findOne({ shopId, userId: key.userId }, { projection: OF_MEMBER });
  if (!key.shopId.equals(shopId) || member === null) throw new Error('no access');
  return shopId;
}

/** The person of a bearer token (JWT, HS256) whose session has not ended. */
async function personOf(request) {
  const [head, payload, signature] = request.headers.authorization.slice('Bearer '.length).split('.');
  const expected = createHmac('sha256', process.env.JWT_SECRET).update(`${head}.${payload}`).digest();
  if (!timingSafeEqual(expected, Buffer.from(signature, 'base64url'))) throw new Error('a wrong signature');
  const { sub, sid, exp } = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const now = new Date();
  const session = await db
    .collection('sessions')
    .findOne(
      { _id: new ObjectId(sid), revokedAt: null, expiresAt: { $gt: now } },
      { projection: { userId: 1, expiresAt: 1 } },
    );
  if (exp * 1000 < now.getTime() || session.userId.toHexString() !== sub) throw new Error('no session');
  return session.userId;
}

const toKey = ({ _id, name, scopes, type, preview, createdAt, revokedAt }) => ({
  ...{ id: _id, name, permissions: [...new Set(scopes.map((scope) => scope.split(':')[1]))] },
  ...{ type, keyPreview: preview, isActive: revokedAt === null, createdAt },
});

async function team(request) {
  const shopId = await enter(request);
  const [members, invitations] = await Promise.all([
    db.collection('members').find({ shopId }, { projection: OF_MEMBER }).sort({ _id: 1 }).toArray(),
    db
      .collection('invitations')
      .find({ shopId, expiresAt: { $gt: new Date() } })
      .sort({ _id: 1 })
      .toArray(),
  ]);
  const people = await db
    .collection('users')
    .find({ _id: { $in: members.map(({ userId }) => userId) } }, { projection: { email: 1, name: 1, createdAt: 1 } })
    .toArray();
  const byId = new Map(people.map((person) => [person._id.toHexString(), person]));
  const shown = members.map(({ _id, userId, role, joinedAt, lastActiveAt }) => {
    const { name, email } = byId.get(userId.toHexString());
    return { id: _id, userId, name, email, role, status: 'active', joinedAt, lastActiveAt };
  });
  return { members: shown, invitations, total: members.length + invitations.length };
}

async function updateKey(request) {
  const userId = await personOf(request);
  const keys = db.collection('api_keys');
  const own = { _id: new ObjectId(request.params.keyId), userId };
  await keys.findOne(own, { projection: { hashes: 0 } });
  return inTransaction(async (session) => {
    const before = await keys.findOne(own, { projection: { hashes: 0 }, session });
    const change = { $set: { name: request.body.name } };
    const after = await keys.findOneAndUpdate(own, change, {
      ...{ projection: { hashes: 0 }, returnDocument: 'after', session },
    });
    const entry = {
      shopId: after.shopId,
      at: new Date(),
      action: 'api_key.updated',
      target: own._id,
      before: before.name,
    };
    await db.collection('bare_audit').insertOne(entry, { session });
    const ofShop = { shopId: after.shopId, isActive: true };
    await db
      .collection('webhooks')
      .find(ofShop, { projection: { events: 1 } })
      .toArray();
    return toKey(after);
  });
}

async function listKeys(request) {
  const userId = await personOf(request);
  const found = db.collection('api_keys').find({ userId }, { projection: { hashes: 0 } });
  return (await found.sort({ _id: -1 }).limit(MAX_KEYS).toArray()).map(toKey);
}

async function validate(request) {
  const shopId = await enter(request);
  const { code, orderValue, productId, serverId } = request.body;
  const counted = (name, id) =>
    db.collection(name).countDocuments({ shopId, archivedAt: null, _id: { $in: [new ObjectId(id)] } });
  const [shop, discount, products, servers] = await Promise.all([
    db.collection('shops').findOne({ _id: shopId }),
    db.collection('discounts').findOne({ shopId, code }),
    ...[counted('products', productId), counted('game_servers', serverId)],
  ]);
  if (products + servers !== 2) throw new Error('unknown product or server');
  const orderMinor = Math.round(orderValue * 100);
  const discountMinor = Math.round((orderMinor * discount.value) / 100);
  return {
    ...{ valid: true, code, discountId: discount._id, type: discount.type, value: discount.value, orderValue },
    ...{ discountAmount: discountMinor / 100, finalValue: (orderMinor - discountMinor) / 100, currency: shop.currency },
    ...{ reasons: [], endsAt: null },
  };
}

async function removeDomain(request) {
  const shopId = await enter(request);
  const { _id, uniqueName, displayName, isActive, createdAt } = await db.collection('shops').findOne({ _id: shopId });
  return { _id, uniqueName, displayName, frontEndUrl: `https://${uniqueName}.shops.localhost`, isActive, createdAt };
}

/** Sums of two periods of 30 times 24 hours, without the numbers of buyers: those that end now, or one that begins at `from`. */
async function compare(request) {
  const shopId = await enter(request);
  const { currency } = await db.collection('shops').findOne({ _id: shopId });
  const begin = request.query.from === undefined ? Date.now() - PERIOD_MS : Date.parse(request.query.from);
  const periods = [begin, begin - PERIOD_MS].map((from) => {
    const window = { from: new Date(from), to: new Date(from + PERIOD_MS) };
    return { from, ...coverOf(window, [window]) };
  });
  const ofShop = { shopId, currency };
  const at = (fromMs, toMs) => ({ $gte: new Date(fromMs), $lt: new Date(toMs) });
  const endDays = periods.flatMap((period) => [...period.endDays]);
  const cutQuarters = periods.flatMap((period) => [...period.cutQuarters]);
  const [rollups, entries] = await inTransaction(
    async (session) => {
      const ledger = db.collection('stats_ledger');
      const { version } = await db.collection('stats_states').findOne({ shopId }, { session });
      const part = { ...ofShop, version, by: 'shop', key: null };
      const days = periods.map((period) => ({ ...part, per: 'day', at: at(period.days.fromMs, period.days.toMs) }));
      const quarters = { ...part, per: 'quarter', at: { $in: endDays.map((day) => new Date(day)) } };
      const lacking = cutQuarters.map((from) => ({
        ...ofShop,
        events: { $elemMatch: { at: at(from, from + QUARTER_MS) } },
      }));
      lacking.push({ ...ofShop, pending: true });
      return [
        await db
          .collection('stats_rollups')
          .find({ $or: [...days, quarters] }, { session, batchSize: 20_000 })
          .toArray(),
        await ledger.find({ $or: lacking }, { session }).toArray(),
      ];
    },
    { readConcern: { level: 'snapshot' } },
  );
  const grossOf = ({ from }) =>
    rollups
      .filter((rollup) => rollup.at >= from && rollup.at < from + PERIOD_MS)
      .reduce((sum, { grossMinor = 0 }) => sum + grossMinor, 0);
  const [current, previous] = periods.map((period) => grossOf(period) / 100);
  return { currency, metrics: { grossRevenue: { current, previous } }, unfolded: entries.length };
}

async function status(request) {
  const id = new ObjectId(request.params.serverId);
  const { name, heartbeat = null } = await db.collection('game_servers').findOne({ _id: id, archivedAt: null });
  const lastSeenAt = heartbeat?.at ?? null;
  return {
    id,
    name,
    status: 'unknown',
    players: null,
    version: null,
    latencyMs: null,
    lastSeenAt,
    checkedAt: new Date(),
  };
}

const app = express();
app.disable('x-powered-by');
const respond = (handler) => async (request, response) => {
  response.json({ success: true, data: await handler(request), message: 'Done' });
};
app.get(
  '/api/v2/health/live',
  respond(() => ({ status: 'ok' })),
);
app.get('/api/v2/shops/:shopId/team', respond(team));
app.patch('/api/v2/api-keys/:keyId', express.json(), respond(updateKey));
app.get('/api/v2/api-keys', respond(listKeys));
app.post('/api/v2/discounts/:shopId/validate', express.json(), respond(validate));
app.delete('/api/v2/shops/:shopId/domain', respond(removeDomain));
app.get('/api/v2/stats/:shopId/comparison', respond(compare));
app.get('/api/v2/servers/public/:serverId/status', respond(status));
await copyIndexes(db);
app.post('/api/v2/checkout/:shopId/orders', express.json(), respond(checkoutHandler(db, inTransaction, enter, outbox)));
app.post(
  '/api/v2/orders/public/:orderId/nickname/change',
  express.json(),
  respond(nicknameHandler(db, inTransaction, outbox)),
);
app.post(
  '/api/v2/payments/webhooks/custom/:shopId/:secret',
  express.raw({ type: 'application/json' }),
  respond(webhookHandler(db, inTransaction, outbox)),
);
const server = app.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));

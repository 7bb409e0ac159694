// The requests about orders. Each needs an order, or a code, that no other request has used.
import { createHmac, randomUUID } from 'node:crypto';
import { ObjectId } from 'mongodb';
import { deriveKey, keyedHash } from '../../dist/lib/crypto/keyed-hash.js';

const JSON_HEADERS = { 'content-type': 'application/json' };
const CODE = '04711729';
const CODE_LIFETIME_MS = 600_000;
/** How the service knows a request without the token of its order: by its address. */
const ADDRESS = '127.0.0.1';
/** The numbers of copied orders begin far above those that the service gives out in a run. */
let lastNumber = 10_000_000;

/** Copies an order of a shop, each copy for another buyer. Returns the ids of the copies. */
async function copies(database, orderId, count) {
  if (count === 0) return [];
  const orders = database.collection('orders');
  const template = await orders.findOne({ _id: new ObjectId(orderId) }, { projection: { slots: 0 } });
  const made = Array.from({ length: count }, () => {
    const buyer = randomUUID();
    const keys = { buyerKey: `${buyer}@example.com`, nicknameKey: buyer };
    return { ...template, ...keys, _id: new ObjectId(), number: ++lastNumber, accessTokenHash: buyer };
  });
  await orders.insertMany(made);
  return made.map(({ _id }) => _id.toHexString());
}

/** Takes the next one. There must be enough for a round. */
function take(list) {
  if (list.length === 0) throw new Error('a round had more requests than orders: prepare more');
  return list.pop();
}

/**
 * Endpoint 5. Nobody gets an email for each request, so the code of each order is written into the database as the service would.
 * The orders are not paid, so they have no delivery yet that gets the new nickname.
 * @param perRound how many requests a round may have
 */
export function nicknameChange(database, encryptionKey, perRound) {
  const pepper = deriveKey(encryptionKey, 'nickname-codes');
  const codes = database.collection('nickname_change_codes');
  let names = 0;

  /** The code of an order as the service stores it. */
  const codeOf = (orderId) => {
    const holder = keyedHash(pepper, `${orderId} network ${ADDRESS}`);
    return {
      ...{ orderId: new ObjectId(orderId), holder, codeHash: keyedHash(pepper, `${orderId}:${holder}:${CODE}`) },
      ...{ failedToday: 0, sentToday: 1, sentAt: [new Date()], day: new Date().toISOString().slice(0, 10) },
      ...{ attemptsLeft: 5, usedAt: null, expiresAt: new Date(Date.now() + CODE_LIFETIME_MS) },
    };
  };
  return {
    name: '5 nickname change',
    prepare: async (callers) => {
      for (const caller of callers) {
        caller.renamed ??= await copies(database, caller.orderId, Math.ceil(perRound / callers.length));
        caller.toRename = [...caller.renamed];
      }
      const orderIds = callers.flatMap(({ renamed }) => renamed);
      await codes.deleteMany({ orderId: { $in: orderIds.map((id) => new ObjectId(id)) } });
      await codes.insertMany(orderIds.map(codeOf));
    },
    next: (caller) => {
      const body = JSON.stringify({ verificationCode: CODE, newNickname: `Alex_${++names}` });
      const path = `/orders/public/${take(caller.toRename)}/nickname/change`;
      return { path, method: 'POST', headers: JSON_HEADERS, body };
    },
    essence: ({ previousNickname, nickname }) => [nickname.startsWith('Alex_'), nickname !== previousNickname],
  };
}

/** The signed webhook that pays an order of a caller's shop. */
export function paymentOf({ webhook }, { id: orderId, total }) {
  const payment = { type: 'payment.succeeded', orderId, paymentId: `pay_${orderId}`, amount: total };
  const body = JSON.stringify({ ...payment, currency: 'EUR', occurredAt: new Date().toISOString() });
  const id = `msg_${randomUUID()}`;
  const timestamp = String(Math.floor(Date.now() / 1000));
  const key = Buffer.from(webhook.signingSecret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  const signed = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
  return { path: webhook.path.replace('/api/v2', ''), method: 'POST', headers: { ...JSON_HEADERS, ...signed }, body };
}

/** What both handlers must respond to a webhook. */
export const essenceOfPayment = ({ received, events }) => [
  received,
  events.map(({ state, duplicate }) => [state, duplicate]),
];

/** Endpoint 9: a signed webhook that pays another order each. */
export function paymentWebhook(database, perRound) {
  return {
    name: '9 payment webhook',
    prepare: async (callers) => {
      const each = Math.ceil(perRound / callers.length);
      for (const caller of callers) {
        caller.unpaid ??= [];
        caller.unpaid.push(...(await copies(database, caller.orderId, each - caller.unpaid.length)));
      }
    },
    next: (caller) => paymentOf(caller, { id: take(caller.unpaid), total: caller.total }),
    essence: essenceOfPayment,
  };
}

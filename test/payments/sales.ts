import { setTimeout as pause } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { type Db, type Document } from 'mongodb';
import { type Response } from 'supertest';
import { aDiscount, type TestOrder } from '../support/actors.js';
import { type Client } from '../support/client.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { leftOf } from '../support/records.js';
import { aSellingShop, payment, type SellingShop, sendCustom, sendStripe } from './senders.js';

const BUYERS = 8;
const MAX_USES = 100_000;
const PAUSE_MS = 20;

/** A shop whose buyers have a code. */
export interface Seller extends SellingShop {
  readonly discount: { readonly id: string; readonly code: string };
}

export async function aSeller(api: Client): Promise<Seller> {
  const shop = await aSellingShop(api);
  return { ...shop, discount: await aDiscount(api, shop, { maxUses: MAX_USES }) };
}

/** Buyers who order, and two providers that report their payments. After a 503 they repeat the request. */
export interface Sales {
  /** What the service has accepted. */
  readonly orders: readonly TestOrder[];
  /** Those whose payment it has acknowledged. */
  readonly paid: readonly TestOrder[];
  /** How many requests got 503. */
  readonly rejected: () => number;
  /** Waits until this many more orders are paid. */
  readonly untilPaid: (more: number) => Promise<void>;
  /** Waits until this many more requests got 503. */
  readonly untilRejected: (more: number) => Promise<void>;
  /** Ends the sales. Fails when a request got anything but 200, or 503 with `Retry-After`. */
  readonly end: () => Promise<void>;
}

/** The notification of a payment, the same each time it is sent. */
type Notification = () => Promise<Response>;

function byCustom(api: Client, { custom }: Seller, order: TestOrder): Notification {
  const event = payment(order, { occurredAt: new Date().toISOString() });
  return () => sendCustom(api, custom, event, { eventId: `msg_${order.id}` });
}

function byStripe(api: Client, { stripe }: Seller, { id, total }: TestOrder): Notification {
  const session = { id: `cs_${id}`, payment_status: 'paid', currency: 'eur', amount_total: Math.round(total * 100) };
  const references = { payment_intent: `pi_${id}`, client_reference_id: id };
  const event = { ...session, ...references };
  return () => sendStripe(api, stripe, 'checkout.session.completed', event, { eventId: `evt_${id}` });
}

/** Eight buyers, each with one order after the other. Every third order has the code, every fourth one is never paid. */
export function startSales(api: Client, seller: Seller): Sales {
  const { shopId, orderRequest, discount } = seller;
  const [orders, paid]: [TestOrder[], TestOrder[]] = [[], []];
  const unexpected: unknown[] = [];
  let [isOver, placed, rejected] = [false, 0, 0];
  const goesOn = (): boolean => !isOver && unexpected.length === 0;

  const accepted = async (request: () => Promise<Response>): Promise<Response | null> => {
    while (goesOn()) {
      const response = await request();
      const { status, headers, body } = response;
      if (status === 200) return response;
      if (status === 503 && headers['retry-after'] !== undefined) rejected++;
      else unexpected.push({ status, headers, body: body as unknown });
      await pause(PAUSE_MS);
    }
    return null;
  };
  const buy = async (buyer: number): Promise<void> => {
    const number = placed++;
    const nickname = `Buyer_${buyer}`;
    const { productId, serverId } = orderRequest;
    const body = { items: [{ productId, quantity: 1 }], serverId, nickname, email: `${nickname}@example.com` };
    const code = number % 3 === 0 ? { discountCode: discount.code } : {};
    const response = await accepted(() => api.post(`/checkout/${shopId}/orders`, { ...body, ...code }));
    if (response === null) return;
    const order = expectSuccess<TestOrder>(response);
    orders.push(order);
    if (number % 4 === 3) return;
    const notification = (number % 2 === 0 ? byCustom : byStripe)(api, seller, order);
    if ((await accepted(notification)) !== null) paid.push(order);
  };
  const buyAll = async (buyer: number): Promise<void> => {
    try {
      while (goesOn()) await buy(buyer);
    } catch (error) {
      unexpected.push(error);
    }
  };
  const buyers = Promise.all(Array.from({ length: BUYERS }, (_, buyer) => buyAll(buyer)));

  const until = async (isReached: () => boolean): Promise<void> => {
    await eventually(() => Promise.resolve(isReached() || unexpected.length > 0));
    expect(unexpected).toEqual([]);
  };
  return {
    orders,
    paid,
    rejected: () => rejected,
    untilPaid: (more) => {
      const before = paid.length;
      return until(() => paid.length >= before + more);
    },
    untilRejected: (more) => {
      const before = rejected;
      return until(() => rejected >= before + more);
    },
    end: async () => {
      isOver = true;
      await buyers;
      expect(unexpected).toEqual([]);
    },
  };
}

const documentsOf = (db: Db, collection: string): Promise<Document[]> => db.collection(collection).find().toArray();

const idsOf = (documents: readonly Document[], field: '_id' | 'orderId'): string[] =>
  documents.map((document) => String(document[field])).sort();

/** Checks everything that a sale changes in one transaction. Returns the orders. */
export async function requireConsistent(db: Db, { discount }: Seller): Promise<Document[]> {
  const [orders, events] = [await documentsOf(db, 'orders'), await documentsOf(db, 'payment_events')];
  const [deliveries, uses] = [await documentsOf(db, 'deliveries'), await documentsOf(db, 'redemptions')];
  const ledger = await documentsOf(db, 'stats_ledger');
  const withCode = orders.filter(({ discount: used }) => used !== null);
  const paid = orders.filter(({ paymentStatus }) => paymentStatus === 'paid');
  const processed = events.filter(({ state }) => state === 'processed');
  const redeemed = uses.filter(({ state }) => state === 'redeemed');
  const payments = orders.flatMap(({ _id: orderId, payments: some }) => (some as unknown[]).map(() => ({ orderId })));
  expect({
    payments: idsOf(payments, 'orderId'),
    events: idsOf(processed, 'orderId'),
    deliveries: idsOf(deliveries, 'orderId'),
    ledger: [...new Set(idsOf(ledger, 'orderId'))],
    uses: idsOf(uses, 'orderId'),
    redeemed: idsOf(redeemed, 'orderId'),
  }).toEqual({
    payments: idsOf(paid, '_id'),
    events: idsOf(paid, '_id'),
    deliveries: idsOf(paid, '_id'),
    ledger: idsOf(orders, '_id'),
    uses: idsOf(withCode, '_id'),
    redeemed: idsOf(
      paid.filter(({ discount: used }) => used !== null),
      '_id',
    ),
  });
  expect(await leftOf(db, discount.id)).toBe(MAX_USES - withCode.length);
  return orders;
}

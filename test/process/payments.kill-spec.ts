import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Document } from 'mongodb';
import { type Response } from 'supertest';
import { type PaymentEventType } from '../../src/orders/order/payment-event.types.js';
import { aSellingShop, payment, type SellingShop, sendCustom, sendStripe } from '../payments/senders.js';
import { type Comparison, comparisonPath } from '../stats/comparisons.js';
import { countedByHand, type SoldOrder } from '../stats/sold-orders.js';
import { aDiscount, aKey, anOrder, type TestOrder } from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { printFigures } from '../support/figures.js';
import { idOf, leftOf, type Records, recordsOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { testDatabaseUri } from '../support/test-database.js';

/** `npm run long -- kill-payments` has more. */
const KILLS = Number(process.env['PAYMENT_KILLS'] ?? 3);
/** So that each life of an order below occurs at each provider. */
const ORDERS = Math.max(12, 2 * KILLS);
const ORDERS_AT_ONCE = 12;
const MAX_USES = 10_000;
const MINUTE_MS = 60_000;
const BEGIN = Date.now() - 60 * MINUTE_MS;

/** What a provider reports about an order, and repeats until the service has accepted it. */
interface Report {
  readonly eventId: string;
  readonly type: PaymentEventType;
  readonly send: () => Promise<Response>;
}

/** What happens to an order, one step after the other, and how it ends. */
interface Life {
  readonly steps: readonly (PaymentEventType | 'rest')[];
  readonly paymentStatus: string;
  /** The state of its delivery. The items of an order that is disputed or refunded before its payment arrives are never queued. */
  readonly delivery: 'queued' | 'held' | 'revoked';
  /** The share of the total that the buyer gets back in the end. */
  readonly back: (totalMinor: number) => number;
}

const PART_MINOR = 500;
const LIVES: readonly Life[] = [
  { steps: [], paymentStatus: 'paid', delivery: 'queued', back: () => 0 },
  { steps: ['refund.succeeded'], paymentStatus: 'partially_refunded', delivery: 'queued', back: () => PART_MINOR },
  { steps: ['refund.succeeded', 'rest'], paymentStatus: 'refunded', delivery: 'revoked', back: (total) => total },
  { steps: ['dispute.opened'], paymentStatus: 'disputed', delivery: 'held', back: () => 0 },
  { steps: ['dispute.opened', 'dispute.won'], paymentStatus: 'paid', delivery: 'queued', back: () => 0 },
  {
    steps: ['dispute.opened', 'dispute.lost'],
    paymentStatus: 'charged_back',
    delivery: 'revoked',
    back: (total) => total,
  },
];

interface Sale {
  readonly order: TestOrder;
  readonly life: Life;
  readonly provider: 'custom' | 'stripe';
  readonly hasCode: boolean;
  readonly reports: readonly Report[];
}

const databaseUri = testDatabaseUri();
let app: TestApp;
let records: Records;
let shop: SellingShop;
/** Reads the statistics: a token of the owner would end after 15 minutes. */
let key: string;
let discount: { readonly id: string; readonly code: string };
/** How often the providers sent an event. */
let requests = 0;

beforeAll(async () => {
  app = await startTestApp({ databaseUri });
  records = await recordsOf(app);
  shop = await aSellingShop(app.api);
  ({ key } = await aKey(app.api, shop));
  discount = await aDiscount(app.api, shop, { maxUses: MAX_USES });
});
afterAll(async () => {
  await app.close();
  await records.db.dropDatabase();
  await records.close();
});

const minorOf = ({ total }: TestOrder): number => Math.round(total * 100);
const at = (step: number): Date => new Date(BEGIN + step * MINUTE_MS);

/** As a shop's own payment system tells it: each event names the order. */
function reportsOfCustom(order: TestOrder, { steps }: Life): Report[] {
  return (['payment.succeeded', ...steps] as const).map((step, index) => {
    const type = step === 'rest' ? 'refund.succeeded' : step;
    const minor =
      step === 'rest' ? minorOf(order) - PART_MINOR : step === 'refund.succeeded' ? PART_MINOR : minorOf(order);
    const eventId = `${order.id}-${index}`;
    const body = payment(order, { type, amount: minor / 100, occurredAt: at(index).toISOString() });
    return { eventId, type, send: () => sendCustom(app.api, shop.custom, body, { eventId }) };
  });
}

/** As Stripe tells it: only the session names the order, and refunds name the sum so far. */
function reportsOfStripe({ id, ...order }: TestOrder, { steps }: Life): Report[] {
  const total = minorOf({ id, ...order });
  const common = { payment_intent: `pi_${id}`, currency: 'eur', metadata: {} };
  const session = { ...common, id: `cs_${id}`, payment_status: 'paid', amount_total: total, client_reference_id: id };
  const dispute = { ...common, id: `dp_${id}`, charge: `ch_${id}`, amount: total };
  const report = (name: string, object: object, type: PaymentEventType, step: number): Report => {
    const eventId = `evt_${id}_${name}_${step}`.replaceAll('.', '_');
    return {
      eventId,
      type,
      send: () => sendStripe(app.api, shop.stripe, name, object, { eventId, at: at(step) }),
    };
  };
  const refunded = (sum: number): object => ({ ...common, id: `ch_${id}`, amount_refunded: sum });
  const make: Readonly<Record<string, (step: number) => Report>> = {
    'refund.succeeded': (step) => report('charge.refunded', refunded(PART_MINOR), 'refund.succeeded', step),
    rest: (step) => report('charge.refunded', refunded(total), 'refund.succeeded', step),
    'dispute.opened': (step) => report('charge.dispute.created', dispute, 'dispute.opened', step),
    'dispute.won': (step) => report('charge.dispute.closed', { ...dispute, status: 'won' }, 'dispute.won', step),
    'dispute.lost': (step) => report('charge.dispute.closed', { ...dispute, status: 'lost' }, 'dispute.lost', step),
  };
  const intent = { ...common, id: `pi_${id}`, amount_received: total };
  return [
    report('checkout.session.completed', session, 'payment.succeeded', 0),
    report('payment_intent.succeeded', intent, 'payment.succeeded', 0),
    ...steps.flatMap((name, index) => make[name]?.(index + 1) ?? []),
  ];
}

async function aSale(index: number): Promise<Sale> {
  const life = LIVES[index % LIVES.length];
  if (life === undefined) throw new Error('there is no such life');
  const provider = Math.floor(index / LIVES.length) % 2 === 0 ? 'custom' : 'stripe';
  const hasCode = (index + Math.floor(index / LIVES.length)) % 2 === 0;
  const code = hasCode ? { discountCode: discount.code } : {};
  const order = await anOrder(app.api, shop.shopId, { ...shop.orderRequest, nickname: `Buyer_${index % 50}`, ...code });
  const reports = provider === 'custom' ? reportsOfCustom(order, life) : reportsOfStripe(order, life);
  return { order, life, provider, hasCode, reports };
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  const keyed = items.map((item) => ({ item, key: Math.random() }));
  return keyed.sort((one, other) => one.key - other.key).map(({ item }) => item);
}

/** Tells an event. Returns it when the service did not accept it: then the provider tells it again. */
async function sendReport(event: Report): Promise<Report[]> {
  requests++;
  const { status } = await event.send().catch(() => ({ status: 0 }));
  return status >= 200 && status < 300 ? [] : [event];
}

/** Sends events in parallel while the process is killed after a time. Returns those that must be sent again. */
async function sendAndKill(events: readonly Report[], afterMs: number): Promise<Report[]> {
  const telling = Promise.all(events.map(sendReport));
  await sleep(afterMs);
  await app.kill();
  const rejected = (await telling).flat();
  app = await startTestApp({ databaseUri });
  return rejected;
}

const ofShop = (collection: string): Promise<Document[]> =>
  records.db
    .collection(collection)
    .find({ shopId: idOf(shop.shopId) })
    .toArray();

function soldOrder({ shopId, serverId, discount: used, ...order }: Document): SoldOrder {
  const discountMinor = (used as { amountMinor: number } | null)?.amountMinor ?? 0;
  return { ...order, shopId: String(shopId), serverId: String(serverId), discountMinor } as unknown as SoldOrder;
}

/** Compares everything that a payment changes with what the providers reported. */
async function requireAppliedOnce(sales: readonly Sale[]): Promise<void> {
  const [orders, inbox] = [await ofShop('orders'), await ofShop('payment_events')];
  const [deliveries, redemptions] = [await ofShop('deliveries'), await ofShop('redemptions')];
  const entries = await records.db.collection('audit_log').find({ action: 'order.payment_changed' }).toArray();
  const processed = new Set(inbox.filter(({ state }) => state === 'processed').map(({ eventId }): unknown => eventId));
  const effectsOf = ({ order }: Sale): number =>
    entries.filter(({ subjectId }) => String(subjectId) === order.id).length;
  printFigures({
    kills: KILLS,
    orders: orders.length,
    events: sales.reduce((sum, { reports }) => sum + reports.length, 0),
    requests,
    effects: entries.length,
    lost: sales.reduce((sum, { reports }) => sum + reports.filter(({ eventId }) => !processed.has(eventId)).length, 0),
    doubled: sales.reduce((sum, sale) => sum + Math.max(0, effectsOf(sale) - sale.reports.length), 0),
  });
  for (const sale of sales) {
    const { order, life, provider, hasCode, reports } = sale;
    const stored = orders.find(({ _id }) => String(_id) === order.id);
    const mine = ({ orderId }: Document): boolean => String(orderId) === order.id;
    const history = stored?.['history'] as readonly { readonly actor: string; readonly action: string }[];
    const reversals = stored?.['reversals'] as readonly { readonly amountMinor: number }[];
    // Stripe tells of one payment twice. The second event decides nothing, so the history does not have it.
    const entriesOf = (types: readonly string[]): string[] =>
      (provider === 'stripe' ? [...new Set(types)] : [...types]).sort();
    const delivered = deliveries.filter(mine).map(({ kind, state }) => `${String(kind)} ${String(state)}`);
    expect({
      paymentStatus: stored?.['paymentStatus'] as unknown,
      status: stored?.['status'] as unknown,
      back: reversals.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
      inbox: inbox
        .filter(mine)
        .map(({ eventId, state }) => `${String(eventId)} ${String(state)}`)
        .sort(),
      history: entriesOf(history.filter(({ actor }) => actor === `provider:${provider}`).map(({ action }) => action)),
      audited: effectsOf(sale),
      deliveries: delivered,
      redemptions: redemptions.filter(mine).map(({ state }): unknown => state),
    }).toEqual({
      paymentStatus: life.paymentStatus,
      status: 'completed',
      back: life.back(minorOf(order)),
      inbox: reports.map(({ eventId }) => `${eventId} processed`).sort(),
      history: entriesOf(reports.map(({ type }) => type)),
      audited: reports.length,
      deliveries: life.delivery !== 'queued' && delivered.length === 0 ? [] : [`purchase ${life.delivery}`],
      redemptions: hasCode ? ['redeemed'] : [],
    });
  }
  expect(inbox).toHaveLength(sales.reduce((sum, { reports }) => sum + reports.length, 0));
  expect(await leftOf(records.db, discount.id)).toBe(MAX_USES - sales.filter(({ hasCode }) => hasCode).length);
}

async function requireRightStatistics(): Promise<void> {
  const to = new Date(Date.now() + MINUTE_MS).toISOString();
  const query = { period: 'custom', from: at(-1).toISOString(), to, timezone: 'UTC' };
  const read = await app.api.get(comparisonPath(shop.shopId, query), { key });
  const { metrics, period } = expectSuccess<Comparison>(read, 'Statistics compared');
  const orders = (await ofShop('orders')).map(soldOrder);
  const current = Object.fromEntries(Object.entries(metrics).map(([name, metric]) => [name, metric.current]));
  expect(current).toEqual(countedByHand(orders, period, {}));
}

it('applies every payment exactly once, with its deliveries, codes and sums, while the service is killed', async () => {
  const sales: Sale[] = [];
  while (sales.length < ORDERS) {
    const next = Array.from({ length: Math.min(ORDERS_AT_ONCE, ORDERS - sales.length) }, (_, at) => sales.length + at);
    sales.push(...(await Promise.all(next.map(aSale))));
  }
  // Providers repeat events now and then, also accepted ones, and keep no order.
  const events = sales.flatMap(({ reports }) => reports);
  let unsent = shuffled([...events, ...events.filter(() => Math.random() < 0.4)]);
  const share = Math.ceil(unsent.length / (KILLS + 1));

  const began = performance.now();
  const first = (await Promise.all(unsent.splice(0, share).map(sendReport))).flat();
  const longest = performance.now() - began;
  unsent.push(...first);
  for (let kills = 0; kills < KILLS; kills++) {
    unsent = shuffled([...unsent, ...(await sendAndKill(unsent.splice(0, share), Math.random() * longest))]);
  }
  for (const event of unsent) await eventually(async () => (await sendReport(event)).length === 0);

  await requireAppliedOnce(sales);
  await requireRightStatistics();
});

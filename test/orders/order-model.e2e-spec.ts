import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canMove, type Transitions } from '../../src/lib/states/transitions.js';
import {
  DELIVERY_STATUS_TRANSITIONS,
  ORDER_TRANSITIONS,
  PAYMENT_TRANSITIONS,
  REVIEW_TRANSITIONS,
} from '../../src/orders/order/order-transitions.js';
import { type DeliveryStatus, type OrderStatus, type PaymentStatus } from '../../src/orders/order/order.types.js';
import {
  acknowledge,
  aDeliveringShop,
  type DeliveringShop,
  type Leased,
  lease,
} from '../deliveries/delivery-actors.js';
import { payment, sendCustom } from '../payments/senders.js';
import { aDiscount, anOrder, aProduct, type TestOrder } from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { idOf, leftOf, OVERDUE, type Records, recordsOf } from '../support/records.js';
import { repetitions } from '../support/repetitions.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const RUNS = repetitions(2, 1_000);
const MAX_STEPS = 40;
const STOCK = 40;
const EVENT_TYPES = [
  'payment.authorized',
  'payment.failed',
  'payment.succeeded',
  'refund.succeeded',
  'dispute.opened',
  'dispute.won',
  'dispute.lost',
];

interface OrderView {
  readonly id: string;
  readonly status: OrderStatus;
  readonly paymentStatus: PaymentStatus;
  readonly deliveryStatus: DeliveryStatus;
  readonly discountCode: string | null;
  readonly total: number;
  readonly paidAt: string | null;
}

/** The orders as they were after the latest step, by id. */
type Model = Map<string, OrderView>;

let app: TestApp;
let records: Records;
let shop: DeliveringShop;

beforeAll(async () => {
  app = await startTestApp({ config: { sweepIntervalMs: 20 } });
  records = await recordsOf(app);
});
beforeEach(async () => {
  shop = await aDeliveringShop(app.api);
});
afterAll(async () => {
  await records.close();
  await app.close();
});

/** One sale after the other in a shop: a product with a stock, a code with a limit, and everything that can happen to an order. */
class Sales {
  readonly orders: TestOrder[] = [];
  private leases: Leased[] = [];

  private constructor(
    private readonly productId: string,
    private readonly discount: { readonly id: string; readonly code: string },
  ) {}

  static async open(): Promise<Sales> {
    const productId = await aProduct(app.api, shop, { stock: STOCK, takeBackCommands: ['deop {nickname}'] });
    return new Sales(productId, await aDiscount(app.api, shop, { maxUses: STOCK }));
  }

  async place(quantity: number, hasCode: boolean): Promise<void> {
    const { shopId, serverId } = shop;
    const code = hasCode ? { discountCode: this.discount.code } : {};
    const items = [{ productId: this.productId, quantity }];
    this.orders.push(await anOrder(app.api, shopId, { productId: this.productId, serverId, items, ...code }));
  }

  /** Sends an event about an order, once or twice. @param share of the total: 1 for the right amount */
  async report(order: TestOrder, type: string, { share, second, twice }: Reported): Promise<void> {
    const amount = Math.round(order.total * share * 100) / 100;
    const body = payment(order, { type, amount, paymentId: `pay_${order.id}_${second ? 2 : 1}` });
    const eventId = `${type}-${share}-${String(second)}-${order.id}`.replaceAll('.', '-');
    const sent = await sendCustom(app.api, shop.webhook, body, { eventId });
    expectSuccess(sent);
    if (twice) expectSuccess(await sendCustom(app.api, shop.webhook, body, { eventId }));
  }

  /** Runs an action of staff, which can be rejected because of the state of the order. */
  async staff(order: TestOrder, action: string, body: object = {}): Promise<void> {
    const path = `/orders/${shop.shopId}/${order.id}/${action}`;
    const { status } = await app.api.post(path, { ...body, reason: 'A test' }, { token: shop.owner.token });
    expect([200, 409]).toContain(status);
  }

  /** Ends the time to pay of an order, and the time for money that is on its way. */
  async expire(order: TestOrder): Promise<void> {
    const open = { _id: idOf(order.id), status: 'open' };
    await records.db.collection('orders').updateOne(open, { $set: { ...OVERDUE, awaitedUntil: null } });
    await eventually(async () => (await records.db.collection('orders').countDocuments(open)) === 0);
  }

  async lease(): Promise<void> {
    this.leases.push(...(await lease(app.api, shop, { limit: 3, players: ['Steve_42'] })));
  }

  /** Reports an attempt, perhaps an old one. */
  async acknowledge(index: number, status: string): Promise<void> {
    const leased = this.leases[index % Math.max(this.leases.length, 1)];
    if (leased !== undefined) await acknowledge(app.api, shop, leased, status);
  }

  /** Reads every order; each may have made one step of each table. Then compares the sums. */
  async check(model: Model): Promise<void> {
    for (const { id } of this.orders) {
      const read = await app.api.get(`/orders/${shop.shopId}/${id}`, { token: shop.owner.token });
      const now = expectSuccess<OrderView>(read);
      const before = model.get(id);
      if (before !== undefined) requireSteps(before, now);
      model.set(id, now);
    }
    const orders = [...model.values()];
    expect(await leftOf(records.db, this.productId)).toBe(STOCK - (await this.unitsHeld(orders)));
    const uses = orders.filter(({ status, paidAt }) => status === 'open' || status === 'completed' || paidAt !== null);
    const used = uses.filter(({ discountCode }) => discountCode !== null).length;
    expect(await leftOf(records.db, this.discount.id)).toBe(STOCK - used);
  }

  /** The units that orders hold: a full refund gives back those of an item that nobody received, and the order remembers that it did. */
  private async unitsHeld(orders: readonly OrderView[]): Promise<number> {
    const ids = orders.filter(({ status }) => status === 'open' || status === 'completed').map(({ id }) => idOf(id));
    const holding = await records.db
      .collection<HoldingOrder>('orders')
      .find({ _id: { $in: ids } })
      .toArray();
    const held = holding.flatMap(({ items }) => items).filter(({ restocked }) => restocked !== true);
    return held.reduce((sum, { quantity }) => sum + quantity, 0);
  }
}

/** What an order remembers about the stock that it took. */
interface HoldingOrder {
  readonly items: readonly { readonly quantity: number; readonly restocked?: boolean }[];
}

interface Reported {
  readonly share: number;
  /** Whether it is about the second payment of the order. */
  readonly second: boolean;
  /** Whether the provider sends it twice. */
  readonly twice: boolean;
}

function requireStep<State extends string>(tables: readonly Transitions<State>[], before: State, now: State): void {
  if (before === now || tables.some((table) => canMove(table, before, now))) return;
  throw new Error(`No table has the step from ${before} to ${now}`);
}

function requireSteps(before: OrderView, now: OrderView): void {
  requireStep([ORDER_TRANSITIONS], before.status, now.status);
  requireStep([PAYMENT_TRANSITIONS, REVIEW_TRANSITIONS], before.paymentStatus, now.paymentStatus);
  requireStep([DELIVERY_STATUS_TRANSITIONS], before.deliveryStatus, now.deliveryStatus);
}

/** A step of the test, with a name for the report of a failure. */
class Step implements fc.AsyncCommand<Model, Sales> {
  constructor(
    private readonly name: string,
    private readonly work: (sales: Sales) => Promise<void>,
  ) {}

  check(): boolean {
    return true;
  }

  async run(model: Model, sales: Sales): Promise<void> {
    await this.work(sales);
    await sales.check(model);
  }

  toString(): string {
    return this.name;
  }
}

/** A step for one of the orders, if there is one. */
const ofOrder = (name: string, number: number, work: (sales: Sales, order: TestOrder) => Promise<void>): Step =>
  new Step(`${name} of order ${number}`, async (sales) => {
    const order = sales.orders[number % Math.max(sales.orders.length, 1)];
    if (order !== undefined) await work(sales, order);
  });

const anyOrder = fc.nat({ max: 3 });
const placed = fc
  .tuple(fc.integer({ min: 1, max: 2 }), fc.boolean())
  .map(
    ([quantity, hasCode]) => new Step(`place ${quantity}, code: ${hasCode}`, (sales) => sales.place(quantity, hasCode)),
  );
const reported = fc
  .tuple(anyOrder, fc.constantFrom(...EVENT_TYPES), fc.constantFrom(1, 1, 0.5), fc.boolean(), fc.boolean())
  .map(([number, type, share, second, twice]) =>
    ofOrder(`${type} ${share} ${second ? 'second' : 'first'}`, number, (sales, order) =>
      sales.report(order, type, { share, second, twice }),
    ),
  );
const byStaff = fc
  .tuple(anyOrder, fc.constantFrom('cancel', 'redeliver', 'accept', 'reject'))
  .map(([number, action]) =>
    ofOrder(action, number, (sales, order) =>
      action === 'accept' || action === 'reject'
        ? sales.staff(order, 'resolve', { decision: action })
        : sales.staff(order, action),
    ),
  );
const expired = anyOrder.map((number) => ofOrder('expiry', number, (sales, order) => sales.expire(order)));
const leased = fc.constant(new Step('lease', (sales) => sales.lease()));
const acknowledged = fc
  .tuple(fc.nat({ max: 9 }), fc.constantFrom('delivered', 'failed'))
  .map(([index, status]) => new Step(`${status} ${index}`, (sales) => sales.acknowledge(index, status)));
const paid = anyOrder.map((number) =>
  ofOrder('payment', number, (sales, order) =>
    sales.report(order, 'payment.succeeded', { share: 1, second: false, twice: false }),
  ),
);

it('keeps every order in the state tables, and all sums right, for any sequence of calls, payment events and deliveries', async () => {
  const steps = fc.commands([placed, paid, reported, byStaff, expired, leased, acknowledged], {
    maxCommands: MAX_STEPS,
    size: 'max',
  });
  const property = fc.asyncProperty(steps, async (commands) => {
    const real = await Sales.open();
    await fc.asyncModelRun(() => ({ model: new Map() as Model, real }), commands);
  });
  await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
});

import { type IANAZone } from 'luxon';
import { Types } from 'mongoose';
import { zoneOf } from '../../src/lib/time/local-time.js';
import { additiveFigures, figuresOf } from '../../src/analytics/stats/reports/comparison-rules.js';
import { bucketsOf, GRANULARITIES } from '../../src/analytics/stats/reports/stats-buckets.js';
import { BREAKDOWNS, type PartsQuery } from '../../src/analytics/stats/rollups/breakdown-rules.js';
import { type BuyerSumRecord } from '../../src/analytics/stats/rollups/buyer-sum.schema.js';
import { type Interval, type SalesQuery } from '../../src/analytics/stats/rollups/sales.types.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/lib/time/durations.js';
import { newObjectId } from '../../src/lib/ids/object-id.js';
import { type RollupStore, type Sold, TIMEZONE } from './rollup-store.js';
import { brokenDownByHand, countedByHand, subtotalOf } from './sold-orders.js';

/** The clocks of these places change by an hour or half an hour, at midnight too, or are off by quarters of an hour. */
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'America/Havana', 'Asia/Kolkata', 'Asia/Kathmandu'].concat([
  'Australia/Lord_Howe',
  'Pacific/Chatham',
]);
/** Around changes of the clocks in 2026. */
const BEGINNINGS = ['2026-03-01T00:00Z', '2026-10-01T00:00Z', '2026-06-20T07:11:13.017Z'].map((text) =>
  Date.parse(text),
);
const DAYS = 45;
const MONEY = ['grossRevenue', 'refunds', 'chargebacks', 'netRevenue', 'averageOrderValue', 'discountTotal'] as const;

/** Numbers that follow from a seed: a linear congruential generator. */
export class Dice {
  constructor(private state: number) {}

  below(limit: number): number {
    this.state = (this.state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((this.state / 2_147_483_648) * limit);
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }
}

/** A shop whose orders are placed, paid and refunded at random. It knows them, and counts them in the slow and simple way. */
export class RandomShop {
  readonly shopId = newObjectId();
  readonly sold: Sold[] = [];
  private readonly dice: Dice;
  private readonly beginning: number;
  private readonly servers = [newObjectId(), newObjectId()];
  private readonly products = [newObjectId(), newObjectId(), newObjectId()];

  constructor(
    private readonly store: RollupStore,
    seed: number,
  ) {
    this.dice = new Dice(seed);
    this.beginning = this.dice.pick(BEGINNINGS);
  }

  /** Something happens to an order, often to a new one. */
  async act(): Promise<void> {
    const index = this.dice.below(this.sold.length * 2 + 1);
    const known = this.sold[index];
    if (known === undefined) {
      const order = this.order();
      this.sold.push(order);
      await this.store.place(order);
      return;
    }
    const after = { ...known, ...this.change(known) };
    this.sold[index] = after;
    await this.store.change(known, after);
  }

  /** Stores an order that the ledger lacks, as a rebuild may find it. */
  async actUncounted(): Promise<void> {
    const order = this.order();
    const after = { ...order, ...this.change(order) };
    this.sold.push(after);
    await this.store.placeUncounted(after);
  }

  /** Runs a query. @param about all of the time and all orders, or what is drawn @returns the sales of the service, and the expected ones */
  async query(
    about: 'everything' | 'anything' = 'anything',
  ): Promise<{ query: SalesQuery; figures: unknown; expected: unknown }> {
    const zone = zoneOf(this.dice.pick(ZONES)) as IANAZone;
    const always = { from: new Date(this.beginning), to: new Date(this.beginning + (DAYS + 1) * DAY_MS) };
    const isDrawn = about === 'anything';
    const windows = { current: isDrawn ? this.window(zone) : always, previous: this.window(zone) };
    const unit = this.dice.pick(GRANULARITIES);
    const cut = (window: Interval): Interval[] => (unit === 'none' ? [window] : bucketsOf(window, unit, zone));
    const filter = {
      ...(this.dice.below(2) === 0 || !isDrawn ? {} : { serverId: this.dice.pick(this.servers) }),
      ...(this.dice.below(2) === 0 || !isDrawn ? {} : { productId: this.dice.pick(this.products) }),
    };
    const buckets = { current: cut(windows.current), previous: cut(windows.previous) };
    const query = { shopId: this.shopId, currency: 'EUR', windows, buckets, ...filter };
    const sales = await this.store.sales.salesOf(query);
    const inEuro = this.sold.filter(({ currency }) => currency === 'EUR');
    const count = ({ from, to }: Interval): unknown =>
      countedByHand(inEuro, { from: from.toISOString(), to: to.toISOString() }, filter);
    const figures = (['current', 'previous'] as const).map((name) => ({
      whole: inMajor(figuresOf(sales[name])),
      buckets: sales[name].buckets.map((sums) => ({
        ...inMajor(figuresOf({ buckets: [sums], uniqueBuyers: 0 })),
        uniqueBuyers: null,
      })),
    }));
    const expected = (['current', 'previous'] as const).map((name) => ({
      whole: count(windows[name]),
      buckets: buckets[name].map((bucket) => ({ ...(count(bucket) as object), uniqueBuyers: null })),
    }));
    return { query, figures, expected };
  }

  /** Runs a query for the parts of sales. @returns the parts of the service, and the expected ones */
  async queryParts(): Promise<{ query: PartsQuery; parts: unknown; expected: unknown }> {
    const zone = zoneOf(this.dice.pick(ZONES)) as IANAZone;
    const [window, by] = [this.window(zone), this.dice.pick(BREAKDOWNS)];
    const query = { shopId: this.shopId, currency: 'EUR', window, by };
    const parts = (await this.store.sales.partsOf(query)).map(({ key, sums }) => {
      const { orders: _orders, ...figures } = additiveFigures(sums);
      const money = MONEY.filter((name) => name !== 'averageOrderValue').map((name) => [name, figures[name] / 100]);
      return { key, ...figures, ...Object.fromEntries(money) };
    });
    const inEuro = this.sold.filter(({ currency }) => currency === 'EUR');
    const period = { from: window.from.toISOString(), to: window.to.toISOString() };
    return { query, parts, expected: brokenDownByHand(inEuro, period, by) };
  }

  /** The sums of buyers that are kept, and what they should be. A sum of 0 is none. */
  async buyerSums(): Promise<{ kept: unknown; expected: unknown }> {
    const kept = await this.store.connection
      .collection<BuyerSumRecord>('stats_buyer_sums')
      .find({ shopId: new Types.ObjectId(this.shopId) })
      .toArray();
    const berlin = new Intl.DateTimeFormat('en-CA', { timeZone: TIMEZONE, year: 'numeric', month: '2-digit' });
    const expected = new Map<string, number>();
    const add = ({ currency, buyerKey }: Sold, at: Date, netMinor: number): void => {
      for (const month of ['always', berlin.format(at)]) {
        const name = `${currency} ${month} ${buyerKey}`;
        expected.set(name, (expected.get(name) ?? 0) + netMinor);
      }
    };
    for (const order of this.sold) {
      if (order.paidAt !== null) add(order, order.paidAt, subtotalOf(order) - order.discountMinor);
      for (const { at, amountMinor } of order.reversals) add(order, at, -amountMinor);
    }
    const shown = (sums: Iterable<[string, number]>): unknown =>
      Object.fromEntries([...sums].filter(([, netMinor]) => netMinor !== 0).sort());
    return {
      kept: shown(kept.map((sum) => [`${sum.currency} ${sum.month ?? 'always'} ${sum.buyerKey}`, sum.netMinor])),
      expected: shown(expected),
    };
  }

  /** An instant; many are near one of a few others. */
  private at(): Date {
    const { dice } = this;
    const day = dice.below(3) === 0 ? dice.below(3) : dice.below(DAYS);
    const time = dice.below(3) === 0 ? dice.below(3) * MINUTE_MS + dice.below(3) * 500 : dice.below(DAY_MS);
    return new Date(this.beginning + day * DAY_MS + time);
  }

  private order(): Sold {
    const { dice } = this;
    const items = this.products
      .filter(() => dice.below(2) === 0)
      .map((productId) => ({ productId, quantity: 1 + dice.below(3), unitPriceMinor: dice.pick([0, 333, 1_000]) }));
    const [productId = ''] = this.products;
    const wanted = items.length > 0 ? items : [{ productId, quantity: 1, unitPriceMinor: 999 }];
    const subtotal = wanted.reduce((sum, { quantity, unitPriceMinor }) => sum + quantity * unitPriceMinor, 0);
    return {
      id: newObjectId(),
      shopId: this.shopId,
      serverId: dice.pick(this.servers),
      buyerKey: `buyer${dice.below(12)}@example.com`,
      items: wanted,
      ...(dice.below(3) === 0
        ? { discountMinor: Math.floor(subtotal / 3), discountCode: dice.pick(['SUMMER', 'WINTER']) }
        : { discountMinor: 0 }),
      currency: dice.below(12) === 0 ? 'USD' : 'EUR',
      createdAt: this.at(),
      paidAt: null,
      isFirstPurchase: null,
      reversals: [],
    };
  }

  /** A payment, one that was reported late and moves the payment, refunds, or other refunds than before. */
  private change(sold: Sold): Partial<Sold> {
    const { dice } = this;
    const { reversals } = sold;
    const paid = {
      ...{ paidAt: this.at(), isFirstPurchase: dice.below(2) === 0 },
      ...(subtotalOf(sold) === 0 ? {} : { provider: dice.pick(['custom', 'stripe']) }),
    };
    const kind = dice.pick(['refund', 'chargeback'] as const);
    const back = { kind, amountMinor: dice.pick([100, 333]), at: this.at() };
    // Nobody gets money back for what was free.
    return subtotalOf(sold) === 0
      ? paid
      : { ...paid, reversals: dice.pick([reversals, [...reversals, back], [back, back]]) };
  }

  private window(zone: IANAZone): Interval {
    const { dice } = this;
    const [one, other] = [this.at().getTime(), this.at().getTime()];
    const round = dice.pick([1, MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, DAY_MS]);
    const rounded = (ms: number): number => Math.floor(ms / round) * round;
    const [from, to] = [rounded(Math.min(one, other)), rounded(Math.max(one, other)) + dice.pick([0, 1, DAY_MS])];
    const [day] = bucketsOf({ from: new Date(from), to: new Date(to + 2 * DAY_MS) }, 'day', zone);
    return { from: dice.below(2) === 0 ? new Date(from) : (day?.to ?? new Date(from)), to: new Date(to + 3 * DAY_MS) };
  }
}

function inMajor(figures: ReturnType<typeof figuresOf>): object {
  const money = MONEY.map((name) => [name, figures[name] === null ? null : figures[name] / 100] as const);
  return { ...figures, ...Object.fromEntries(money) };
}

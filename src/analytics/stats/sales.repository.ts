import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type PipelineStage, trusted, Types } from 'mongoose';
import { afterShop } from '../../platform/database/after-id.js';
import { fromStored } from '../../platform/database/stored.js';
import { type Transaction } from '../../platform/database/transactions.js';
import { type RebuildCursor } from './rollup-phases.js';
import { type SaleFacts, type SaleState } from '../../orders/ledger/sale-events.js';
import { SALE_MODEL, type SaleRecord } from './sale.schema.js';
import { type Interval, type SalesQuestion, type SalesSums, type SlotGrid } from '../../orders/ledger/sales.types.js';

/** Sums of the orders in one slot that are in the same windows: in one of them, or in both where they overlap. */
export interface SalesRow extends Partial<SalesSums> {
  readonly at: Date | null;
  readonly current: boolean;
  readonly previous: boolean;
}

/** An order as figures count it. */
export interface Sale {
  readonly facts: SaleFacts;
  readonly state: SaleState;
}

/** How many buyers paid in each window. */
export interface BuyerCounts {
  readonly current: number;
  readonly previous: number;
}

/** A row as `$group` returns it. */
type GroupRow = Partial<SalesSums> & {
  readonly _id: { readonly at?: Date; readonly current: boolean; readonly previous: boolean };
};

/** An expression of the aggregation language; mongoose's own type allows anything at all. */
type Expression = Readonly<Record<string, unknown>>;
/** An expression, or the path of a field. */
type Value = Expression | string;

/** Two windows of a year in hours are 17,568 rows: the database returns all of them at once, in one command. */
const ALL_ROWS = { batchSize: 20_000 };

const within = ({ from, to }: Interval): { $gte: Date; $lt: Date } => ({ $gte: from, $lt: to });

const toRow = ({ _id: { at, current, previous }, ...sums }: GroupRow): SalesRow => ({
  ...sums,
  at: at ?? null,
  current,
  previous,
});

/** What statistics read of an order. */
const SALE_FIELDS = {
  serverId: 1,
  currency: 1,
  buyerKey: 1,
  'items.productId': 1,
  'items.quantity': 1,
  'items.totalMinor': 1,
  itemCount: 1,
  subtotalMinor: 1,
  'discount.code': 1,
  discountMinor: 1,
  totalMinor: 1,
  createdAt: 1,
  paidAt: 1,
  isFirstPurchase: 1,
  'payments.provider': 1,
  'payments.type': 1,
  'payments.occurredAt': 1,
  reversals: 1,
} as const;

function toSale(record: SaleRecord): Sale {
  const { id, discount, createdAt, paidAt, isFirstPurchase, payments, reversals, ...facts } = fromStored(record);
  return {
    facts: { ...facts, orderId: id, discountCode: discount?.code ?? null },
    state: { createdAt, paidAt, isFirstPurchase, payments, reversals },
  };
}

const countIf = (condition: Expression): Expression => ({ $cond: [condition, 1, 0] });

/** The orders of a question, at any time. */
function scope({ shopId, currency, serverId, productId }: SalesQuestion): Record<string, unknown> {
  return {
    shopId: new Types.ObjectId(shopId),
    currency,
    ...(serverId === undefined ? {} : { serverId: new Types.ObjectId(serverId) }),
    ...(productId === undefined ? {} : { 'items.productId': new Types.ObjectId(productId) }),
  };
}

/**
 * The orders of a question that have a moment in one of its windows. Each window is an alternative with the whole condition,
 * so the database reads one range of an index for each and nothing between two distant windows.
 * @param has the condition that an interval puts on an order
 */
function inWindows(question: SalesQuestion, has: (window: Interval) => Expression): PipelineStage.Match {
  const { current, previous } = question.windows;
  return { $match: { $or: [current, previous].map((window) => ({ ...scope(question), ...has(window) })) } };
}

/** Sets `sold` to the items of the product in question. Without a product there is no stage. */
function soldStages({ productId }: SalesQuestion): PipelineStage.Set[] {
  if (productId === undefined) return [];
  const isIt: Expression = { $eq: ['$$item.productId', new Types.ObjectId(productId)] };
  return [{ $set: { sold: { $filter: { input: '$items', as: 'item', cond: isIt } } } }];
}

const SOLD_MINOR: Expression = { $sum: '$sold.totalMinor' };

/**
 * The part of an order's amount that counts: all of it, or the product's share, which is the part that its items have in the
 * subtotal. Rounded half up for each order, so all sums are whole minor units, however finely they are split.
 */
function share(amount: string, { productId }: SalesQuestion): Value {
  if (productId === undefined) return amount;
  const part: Expression = { $divide: [{ $multiply: [amount, SOLD_MINOR] }, '$subtotalMinor'] };
  return { $cond: [{ $gt: ['$subtotalMinor', 0] }, { $floor: { $add: [part, 0.5] } }, 0] };
}

/**
 * The key of a group: the windows that contain a moment, and its slot. Slots need only plain arithmetic, so the database
 * needs no calendar and no time zones.
 */
function groupKey(field: string, { windows: { current, previous }, slots }: SalesQuestion): Record<string, Expression> {
  const inside = ({ from, to }: Interval): Expression => ({ $and: [{ $gte: [field, from] }, { $lt: [field, to] }] });
  const key = { current: inside(current), previous: inside(previous) };
  return slots === null ? key : { at: slotStart(field, slots), ...key };
}

function slotStart(field: string, { sizeMs, phaseMs }: SlotGrid): Expression {
  return { $subtract: [field, { $mod: [{ $subtract: [field, new Date(phaseMs)] }, sizeMs] }] };
}

const total = (...names: readonly (keyof SalesSums)[]): Record<string, { $sum: string }> =>
  Object.fromEntries(names.map((name) => [name, { $sum: `$${name}` }]));

/** Sums over a shop's orders. Each command reads the orders of its windows by an index, and no others. */
@Injectable()
export class SalesRepository {
  constructor(@InjectModel(SALE_MODEL) private readonly sales: Model<SaleRecord>) {}

  /** The next shop, by its id, that has orders; null: there is none. */
  async nextShop(after: string | null): Promise<string | null> {
    const inOrder = { shopId: 1, createdAt: -1, _id: -1 } as const;
    const record = await this.sales.findOne(afterShop(after), { shopId: 1 }).sort(inOrder).lean();
    return record?.shopId.toHexString() ?? null;
  }

  /** Some orders of a shop, the oldest first. @param after the last one before them */
  async portion(shopId: string, after: RebuildCursor | null, limit: number, transaction: Transaction): Promise<Sale[]> {
    const later = after && {
      createdAt: trusted({ $gte: after.createdAt }),
      $or: [{ createdAt: trusted({ $gt: after.createdAt }) }, { _id: trusted({ $gt: after.orderId }) }],
    };
    const records = await this.sales
      .find({ shopId, ...later }, SALE_FIELDS)
      .sort({ createdAt: 1, _id: 1 })
      .limit(limit)
      .session(transaction)
      .lean<SaleRecord[]>();
    return records.map(toSale);
  }

  /** The orders that were paid in a stretch of time, or of which something was given back in it. */
  async *paidOrReversed(shopId: string, currency: string, window: Interval): AsyncGenerator<Sale, void> {
    const isPaid = { shopId, currency, paidAt: trusted(within(window)) };
    const isReversed = { shopId, currency, reversals: trusted({ $elemMatch: { at: within(window) } }) };
    const records = this.sales
      .find({ $or: [isPaid, isReversed] }, SALE_FIELDS)
      .lean<SaleRecord>()
      .cursor();
    for await (const record of records) yield toSale(record);
  }

  /** Orders created: their number, and how many of them were paid. */
  async created(question: SalesQuestion, transaction: Transaction): Promise<SalesRow[]> {
    const rows = await this.sales.aggregate<GroupRow>(
      [
        inWindows(question, (window) => ({ createdAt: within(window) })),
        {
          $group: {
            _id: groupKey('$createdAt', question),
            orders: { $sum: 1 },
            convertedOrders: { $sum: countIf({ $gt: ['$paidAt', null] }) },
          },
        },
      ],
      { ...ALL_ROWS, session: transaction },
    );
    return rows.map(toRow);
  }

  /** Orders paid: revenue, discounts, items, new buyers, and the number of buyers. */
  async paid(question: SalesQuestion, transaction: Transaction): Promise<{ rows: SalesRow[]; buyers: BuyerCounts }> {
    const isPart = question.productId !== undefined;
    const grossMinor = share('$totalMinor', question);
    const stages: PipelineStage[] = [
      inWindows(question, (window) => ({ paidAt: within(window) })),
      ...soldStages(question),
      {
        $project: {
          _id: 0,
          buyerKey: 1,
          key: groupKey('$paidAt', question),
          grossMinor,
          discountMinor: isPart ? { $subtract: [SOLD_MINOR, grossMinor] } : '$discountMinor',
          itemsSold: isPart ? { $sum: '$sold.quantity' } : '$itemCount',
          newBuyers: countIf({ $eq: ['$isFirstPurchase', true] }),
        },
      },
      {
        $facet: {
          rows: [
            {
              $group: {
                _id: '$key',
                paidOrders: { $sum: 1 },
                ...total('grossMinor', 'discountMinor', 'itemsSold', 'newBuyers'),
              },
            },
          ],
          buyers: [
            {
              $group: {
                _id: '$buyerKey',
                current: { $max: countIf({ $eq: ['$key.current', true] }) },
                previous: { $max: countIf({ $eq: ['$key.previous', true] }) },
              },
            },
            { $group: { _id: null, current: { $sum: '$current' }, previous: { $sum: '$previous' } } },
          ],
        },
      },
    ];
    const [result] = await this.sales
      .aggregate<{ rows: GroupRow[]; buyers: BuyerCounts[] }>(stages)
      .session(transaction);
    const { current = 0, previous = 0 } = result?.buyers[0] ?? {};
    return { rows: (result?.rows ?? []).map(toRow), buyers: { current, previous } };
  }

  /** Money that buyers got back: refunds and chargebacks. */
  async reversed(question: SalesQuestion, transaction: Transaction): Promise<SalesRow[]> {
    const { current, previous } = question.windows;
    const amountOf = (kind: string): Expression => ({ $cond: [{ $eq: ['$kind', kind] }, '$amountMinor', 0] });
    const rows = await this.sales.aggregate<GroupRow>(
      [
        inWindows(question, (window) => ({ reversals: { $elemMatch: { at: within(window) } } })),
        ...soldStages(question),
        { $unwind: '$reversals' },
        { $match: { $or: [{ 'reversals.at': within(current) }, { 'reversals.at': within(previous) }] } },
        {
          $project: {
            _id: 0,
            key: groupKey('$reversals.at', question),
            kind: '$reversals.kind',
            amountMinor: share('$reversals.amountMinor', question),
          },
        },
        {
          $group: {
            _id: '$key',
            refundsMinor: { $sum: amountOf('refund') },
            chargebacksMinor: { $sum: amountOf('chargeback') },
          },
        },
      ],
      { ...ALL_ROWS, session: transaction },
    );
    return rows.map(toRow);
  }
}

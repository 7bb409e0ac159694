import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type QueryFilter, trusted, type Types } from 'mongoose';
import { statesBefore } from '../../lib/states/transitions.js';
import { Page, type PageRequest } from '../../lib/paging/page.js';
import { countedById } from '../../infrastructure/database/count-listed.js';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { madeFrom } from '../../infrastructure/database/made-in-last.js';
import { grouped, type Totals } from '../../infrastructure/totals/totals.js';
import { DUE_TOTALS, type DueDeliveries, type DueTotal, dueTotals } from './due-deliveries.js';
import { DELIVERY_TRANSITIONS } from './delivery-transitions.js';
import { DELIVERY_MODEL, type DeliveryRecord, waitsFor } from './delivery.schema.js';
import {
  type Delivery,
  DELIVERY_STATES,
  type DeliveryFilter,
  type DeliveryReport,
  type DeliveryTime,
  isDone,
} from './delivery.types.js';

const DONE = DELIVERY_STATES.filter(isDone);

/** The request of a plugin: deliveries for its game server, and for the players who are online. */
interface DueRequest {
  readonly serverId: string;
  readonly playerKeys: readonly string[];
  readonly now: Date;
}

/** What is due for one of these players, or for nobody in particular. */
const dueFor = (shopId: string, playerKeys: readonly string[], now: Date): QueryFilter<DeliveryRecord> => ({
  shopId,
  waitsFor: oneOf([null, ...playerKeys]),
  dueAt: trusted({ $lte: now }),
});

/** The conditions of the deliveries that readers see in a state (`shownState`); undefined: in any. */
function conditionsOf(state: DeliveryFilter['state'], now: Date): QueryFilter<DeliveryRecord>[] {
  switch (state) {
    case undefined:
      return [{}];
    case 'queued':
      return [{ state }, { state: 'leased', dueAt: trusted({ $lte: now }) }];
    case 'leased':
      return [{ state, dueAt: trusted({ $gt: now }) }];
    default:
      return [{ state }];
  }
}

/** How many records several counts have found together; null when one of them is not known. */
function sumOf(totals: readonly (number | null)[]): number | null {
  return totals.reduce((sum, total) => (sum === null || total === null ? null : sum + total), 0);
}

/** The deliveries of shops, as staff list them and plugins lease and report them. */
@Injectable()
export class DeliveriesRepository {
  constructor(@InjectModel(DELIVERY_MODEL) private readonly deliveries: Model<DeliveryRecord>) {}

  /**
   * @param only deliveries of these servers and those that are for any server; null: all
   * @param filter its state is as readers see it (`shownState`)
   */
  async list(
    shopId: string,
    only: ReadonlySet<string> | null,
    filter: DeliveryFilter,
    page: PageRequest,
    now: Date,
  ): Promise<Page<Delivery>> {
    const { serverId, state, orderId, kind } = filter;
    const conditions: QueryFilter<DeliveryRecord>[] = [
      ...(only === null ? [] : [{ serverId: oneOf([null, ...only]) }]),
      ...(serverId === undefined ? [] : [{ serverId }]),
      ...(orderId === undefined ? [] : [{ orderId }]),
      // All states are named, so that one index serves a kind with and without a state.
      ...(kind === undefined ? [] : [{ kind, state: oneOf(DELIVERY_STATES) }]),
    ];
    const read = (ofState: QueryFilter<DeliveryRecord>) =>
      countedById<DeliveryRecord>(this.deliveries, { shopId, $and: [...conditions, ofState] }, page);
    // One query for each stored state: each reads one range of an index in the order of the list.
    const parts = await Promise.all(conditionsOf(state, now).map(read));
    const deliveries = parts.map(([records]) => records.map(fromStored));
    return Page.ofParts<Delivery>(deliveries, page).counted(sumOf(parts.map(([, total]) => total)));
  }

  /** When the latest purchases that a server has delivered were queued and delivered, newest first. */
  async timesOf(shopId: string, serverId: string, since: Date, limit: number): Promise<DeliveryTime[]> {
    const records = await this.deliveries
      .find(
        { shopId, serverId, state: oneOf(DONE), kind: 'purchase', ...madeFrom(since) },
        { createdAt: 1, deliveredAt: 1 },
      )
      .sort({ _id: -1 })
      .limit(limit)
      .lean();
    return records.flatMap(({ createdAt, deliveredAt }) => (deliveredAt === null ? [] : [{ createdAt, deliveredAt }]));
  }

  /** These deliveries of the shop. */
  async findByIds(shopId: string, ids: readonly string[], transaction: Transaction): Promise<Delivery[]> {
    const records = await this.deliveries
      .find({ _id: oneOf(ids), shopId })
      .session(transaction)
      .lean();
    return records.map(fromStored);
  }

  /** Whether `findDue` finds something, in one read. */
  async hasDue(shopId: string, { serverId, playerKeys, now }: DueRequest): Promise<boolean> {
    const filter = {
      ...dueFor(shopId, playerKeys, now),
      serverId: oneOf([serverId, null]),
      state: oneOf(['leased', 'queued'] as const),
    };
    return (await this.deliveries.exists(filter)) !== null;
  }

  /**
   * The deliveries that a server may lease now: first those with an expired lease, then those for this server, then those for
   * any server. A delivery that requires a player is found only if that player is named.
   */
  async findDue(
    shopId: string,
    { serverId, playerKeys, now, limit }: DueRequest & { readonly limit: number },
    transaction: Transaction,
  ): Promise<Delivery[]> {
    const found: Delivery[] = [];
    for (const condition of [
      { serverId, state: 'leased' },
      { serverId, state: 'queued' },
      { serverId: null, state: 'queued' },
    ] as const) {
      if (found.length === limit) break;
      const records = await this.deliveries
        .find({ ...dueFor(shopId, playerKeys, now), ...condition })
        .sort({ waitsFor: 1, dueAt: 1 })
        .limit(limit - found.length)
        .session(transaction)
        .lean();
      found.push(...records.map(fromStored));
    }
    return found;
  }

  /** Gives deliveries that are due to a server until `leaseUntil`. @returns how many of them were still due */
  async lease(
    shopId: string,
    ids: readonly string[],
    { serverId, now, leaseUntil, saysBegun }: { serverId: string; now: Date; leaseUntil: Date; saysBegun: boolean },
    transaction: Transaction,
  ): Promise<number> {
    const { matchedCount } = await this.deliveries.updateMany(
      { _id: oneOf(ids), shopId, state: oneOf(['queued', 'leased'] as const), dueAt: trusted({ $lte: now }) },
      {
        $set: { state: 'leased', serverId, dueAt: leaseUntil, isUnbegun: saysBegun },
        $inc: { attempt: 1, attemptsLeft: -1 },
      },
      { session: transaction },
    );
    // After its last attempt it no longer waits for a player: the next lease finds it and marks it as failed.
    await this.deliveries.updateMany(
      { _id: oneOf(ids), shopId, attemptsLeft: 0 },
      { $set: { waitsFor: null } },
      { session: transaction },
    );
    return matchedCount;
  }

  /** Ends deliveries that cannot be leased any more. */
  async end(
    shopId: string,
    ids: readonly string[],
    state: 'failed' | 'uncertain',
    transaction: Transaction,
  ): Promise<void> {
    await this.deliveries.updateMany(
      { _id: oneOf(ids), shopId, state: oneOf(statesBefore(DELIVERY_TRANSITIONS, state)) },
      { $set: { state } },
      { session: transaction },
    );
  }

  /** Stores what an acknowledgement changes. @param before the delivery as it was read in the same transaction */
  async acknowledge(before: Delivery, changes: DeliveryReport, transaction: Transaction): Promise<void> {
    await this.deliveries.updateOne(
      { _id: before.id, shopId: before.shopId, state: before.state, attempt: before.attempt },
      { $set: changes.state === 'queued' ? { ...changes, waitsFor: waitsFor(before) } : changes },
      { session: transaction },
    );
  }

  /** What waits for a server and not for a player. Index: `{ waitsFor, serverId, dueAt }`. */
  totals(): Totals<DueTotal> {
    return {
      gauges: DUE_TOTALS,
      read: async (now, maxTimeMS) => {
        const due = { state: 'queued', waitsFor: null, dueAt: { $lte: now } };
        const values = { due: { $sum: 1 }, oldestAt: { $min: '$dueAt' } };
        const servers = await grouped<Omit<DueDeliveries, 'serverId'>, Types.ObjectId | null>(
          this.deliveries,
          due,
          { serverId: '$serverId' },
          values,
          maxTimeMS,
        );
        const named = servers.map(({ labels, ...of }) => ({
          serverId: labels['serverId']?.toHexString() ?? null,
          ...of,
        }));
        return dueTotals(named, now);
      },
    };
  }
}

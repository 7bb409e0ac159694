import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted, type UpdateQuery } from 'mongoose';
import { statesBefore } from '../../lib/states/transitions.js';
import { DAY_MS, HOUR_MS } from '../../lib/time/durations.js';
import { afterId } from '../../infrastructure/database/after-id.js';
import { orConflict } from '../../infrastructure/database/database-errors.js';
import { madeInLast } from '../../infrastructure/database/made-in-last.js';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { forInsert, fromStored, type Stored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { ages, counts, grouped, type Totals } from '../../infrastructure/totals/totals.js';
import { OUTBOX_TOTALS, type OutboxTotal } from './outbox-totals.js';
import { ENTRY_TRANSITIONS, type EntryState, type MessageState, type WaitingEntry } from './outbox.types.js';
import { OUTBOX_ENTRY_MODEL, type OutboxEntryRecord } from './outbox-entry.schema.js';

type EndState = Exclude<EntryState, 'waiting'>;

/** How long an entry stays after its payload was deleted. */
const RETENTION_MS: Readonly<Record<EndState, number>> = {
  sent: 7 * DAY_MS,
  failed: 30 * DAY_MS,
};

export type NewEntry = Pick<
  WaitingEntry,
  'id' | 'topic' | 'shopId' | 'orderId' | 'lane' | 'stream' | 'sealedPayload'
> & {
  /** Whether it is the first message of its stream. */
  readonly beginsStream: boolean;
};

type EntryKey = Pick<WaitingEntry, 'id'>;

/** The encrypted payload of a waiting entry. */
export type SealedPayload = Pick<WaitingEntry, 'id' | 'sealedPayload'>;

/** A waiting entry, read with the fields of a `WaitingEntry`: it always has a payload. */
type WaitingRecord = Stored<WaitingEntry, 'shopId' | 'orderId'>;
const MESSAGE_FIELDS = { sealedPayload: 0, lane: 0, stream: 0, position: 0, forgetAt: 0 } as const;
const WAITING_FIELDS = { state: 0, lastError: 0, settledAt: 0, forgetAt: 0 } as const;

/** The name of a stream, among those of all lanes. */
function nameOf({ lane, stream }: Pick<WaitingEntry, 'lane' | 'stream'>): string {
  return JSON.stringify([lane, stream]);
}

function ending(state: EndState, now: Date): UpdateQuery<OutboxEntryRecord> {
  const forgetAt = new Date(now.getTime() + RETENTION_MS[state]);
  return { $set: { state, sealedPayload: null, settledAt: now, forgetAt } };
}

/** The waiting messages of one topic. */
interface Backlog {
  readonly waiting: number;
  readonly oldestAt: Date;
}

@Injectable()
export class OutboxEntriesRepository {
  constructor(@InjectModel(OUTBOX_ENTRY_MODEL) private readonly entries: Model<OutboxEntryRecord>) {}

  get collection(): string {
    return this.entries.collection.collectionName;
  }

  /** Stores messages behind the waiting ones of their streams. Of two transactions that add to one stream at once, one runs again. */
  async insert(entries: readonly NewEntry[], now: Date, transaction: Transaction): Promise<void> {
    const begun = new Set(entries.filter(({ beginsStream }) => beginsStream).map(nameOf));
    const next = await this.nextPositions(
      entries.filter((entry) => !begun.has(nameOf(entry))),
      transaction,
    );
    const records = entries.map(({ id, beginsStream: _, ...entry }) => {
      const name = nameOf(entry);
      const position = next.get(name) ?? 0;
      next.set(name, position + 1);
      return { ...entry, _id: id, state: 'waiting', position, attempts: 0, createdAt: now, dueAt: now };
    });
    await orConflict(this.entries.insertMany(forInsert(records), { session: transaction }));
  }

  /** The next lane by its name, and when its earliest message is due; null: no later lane has messages. */
  async nextLane(after: string): Promise<{ lane: string; dueAt: Date } | null> {
    const later = trusted({ $gt: after });
    return this.entries
      .findOne({ state: 'waiting', lane: later }, { lane: 1, dueAt: 1, _id: 0 })
      .sort({ lane: 1, dueAt: 1 })
      .lean();
  }

  /** Messages of a lane that are due, the longest due first. Earlier ones of their streams may have to be sent first. */
  async due(lane: string, now: Date, limit: number): Promise<WaitingEntry[]> {
    const records = await this.entries
      .find({ state: 'waiting', lane, dueAt: trusted({ $lte: now }) }, WAITING_FIELDS)
      .sort({ dueAt: 1 })
      .limit(limit)
      .lean<WaitingRecord[]>();
    return records.map(fromStored);
  }

  /** The waiting messages of a lane, due or not, the longest due first. Earlier ones of their streams may have to be handled first. */
  async next(lane: string, limit: number, transaction: Transaction): Promise<WaitingEntry[]> {
    const records = await this.entries
      .find({ state: 'waiting', lane }, WAITING_FIELDS)
      .sort({ dueAt: 1 })
      .limit(limit)
      .session(transaction)
      .lean<WaitingRecord[]>();
    return records.map(fromStored);
  }

  /** When the earliest message of a lane is due; null: the lane is empty. */
  async nextDueAt(lane: string): Promise<Date | null> {
    const record = await this.entries.findOne({ state: 'waiting', lane }, { dueAt: 1 }).sort({ dueAt: 1 }).lean();
    return record?.dueAt ?? null;
  }

  /** The waiting messages of some streams, stream by stream, in their order. */
  async ofStreams(
    lane: string,
    streams: readonly string[],
    limit: number,
    transaction: Transaction | null,
  ): Promise<WaitingEntry[]> {
    const records = await this.entries
      .find({ state: 'waiting', lane, stream: oneOf(streams) }, WAITING_FIELDS)
      .sort({ stream: 1, position: 1 })
      .limit(limit)
      .session(transaction)
      .lean<WaitingRecord[]>();
    return records.map(fromStored);
  }

  /**
   * Ends a message and deletes its payload.
   * @param transaction null: nothing else is written with it
   * @returns false when it has ended already
   */
  async settle({ id }: EntryKey, state: EndState, now: Date, transaction: Transaction | null): Promise<boolean> {
    const waiting = { _id: id, state: oneOf(statesBefore(ENTRY_TRANSITIONS, state)) };
    const { modifiedCount } = await this.entries.updateOne(waiting, ending(state, now)).session(transaction);
    return modifiedCount === 1;
  }

  /**
   * Ends messages as sent, and deletes their payloads.
   * @throws Error when one of them has ended already: then the transaction must not commit
   */
  async settleAll(entries: readonly EntryKey[], now: Date, transaction: Transaction): Promise<void> {
    const ids = entries.map(({ id }) => id);
    const waiting = { _id: oneOf(ids), state: oneOf(statesBefore(ENTRY_TRANSITIONS, 'sent')) };
    const { modifiedCount } = await this.entries.updateMany(waiting, ending('sent', now)).session(transaction);
    if (modifiedCount !== ids.length) throw new Error(`${ids.length - modifiedCount} messages have ended already`);
  }

  /** Counts a failed attempt. @param dueAt when the next one is; null: absent */
  async countFailure({ id }: EntryKey, lastError: string, dueAt: Date | null, transaction: Transaction): Promise<void> {
    const change = { $set: { lastError, ...(dueAt === null ? {} : { dueAt }) }, $inc: { attempts: 1 } };
    await this.entries.updateOne({ _id: id, state: 'waiting' }, change).session(transaction);
  }

  /** Postpones all messages of a stream to a time. */
  async postpone(lane: string, stream: string, until: Date, transaction: Transaction): Promise<void> {
    const earlier = { state: 'waiting' as const, lane, stream, dueAt: trusted({ $lt: until }) };
    await this.entries.updateMany(earlier, { $set: { dueAt: until } }).session(transaction);
  }

  /** How many messages were set aside since a time, and when the latest one. @param topic null: of all topics */
  async failures(topic: string | null, since: Date, limit: number): Promise<{ count: number; latest: Date | null }> {
    const records = await this.entries
      .find(
        { state: 'failed', ...(topic === null ? {} : { topic }), settledAt: trusted({ $gte: since }) },
        { settledAt: 1 },
      )
      .sort({ settledAt: -1 })
      .limit(limit)
      .lean();
    return { count: records.length, latest: records[0]?.settledAt ?? null };
  }

  /** How many messages of a topic wait, since when the oldest one does, and the latest error of the oldest one that has failed. */
  async backlog(
    topic: string,
    limit: number,
  ): Promise<{ count: number; oldest: Date | null; lastError: string | null }> {
    const records = await this.entries
      .find({ state: 'waiting', topic }, { createdAt: 1, lastError: 1 })
      .sort({ createdAt: 1 })
      .limit(limit)
      .lean();
    const failed = records.find(({ lastError }) => lastError !== null);
    return {
      count: records.length,
      oldest: records[0]?.createdAt ?? null,
      lastError: failed?.lastError ?? null,
    };
  }

  /**
   * The waiting messages of a shop. The condition about the topic selects the index of all waiting ones: few, except in an outage.
   * @param onlyOf the orders that they are about; null: any, or none
   */
  async ofShop(
    shopId: string,
    onlyOf: readonly string[] | null,
    transaction: Transaction,
  ): Promise<(SealedPayload & Pick<WaitingEntry, 'topic'>)[]> {
    const ofOrders = onlyOf === null ? {} : { orderId: oneOf(onlyOf) };
    const records = await this.entries
      .find({ state: 'waiting', topic: trusted({ $gt: '' }), shopId, ...ofOrders }, { topic: 1, sealedPayload: 1 })
      .session(transaction)
      .lean<Pick<WaitingRecord, '_id' | 'topic' | 'sealedPayload'>[]>();
    return records.map(fromStored);
  }

  /** What became of the messages about an order. */
  async ofOrder(orderId: string): Promise<MessageState[]> {
    const records = await this.entries
      .find({ orderId }, MESSAGE_FIELDS)
      .sort({ _id: 1 })
      .lean<Stored<MessageState, 'shopId' | 'orderId'>[]>();
    return records.map(fromStored);
  }

  /** Deletes a message that waits. */
  async delete(shopId: string, { id }: EntryKey, transaction: Transaction): Promise<void> {
    await this.entries.deleteOne({ _id: id, shopId, state: 'waiting' }).session(transaction);
  }

  /** All waiting messages in the order of their ids. @param id null: from the first one */
  async listAfter(id: string | null, limit: number): Promise<SealedPayload[]> {
    const records = await this.entries
      .find({ ...afterId(id), state: 'waiting' }, { sealedPayload: 1 })
      .sort({ _id: 1 })
      .limit(limit)
      .lean<Pick<WaitingRecord, '_id' | 'sealedPayload'>[]>();
    return records.map(fromStored);
  }

  /** Replaces an encrypted payload. Returns false when it has changed since it was read. */
  async reseal({ id, sealedPayload }: SealedPayload, resealed: string, transaction: Transaction): Promise<boolean> {
    const { matchedCount } = await this.entries.updateOne(
      { _id: id, state: 'waiting', sealedPayload },
      { $set: { sealedPayload: resealed } },
      { session: transaction },
    );
    return matchedCount === 1;
  }

  /** The positions behind the waiting messages of the streams of some entries, by `nameOf`. */
  private async nextPositions(entries: readonly NewEntry[], transaction: Transaction): Promise<Map<string, number>> {
    if (entries.length === 0) return new Map();
    const [lanes, streams] = [new Set(entries.map(({ lane }) => lane)), new Set(entries.map(({ stream }) => stream))];
    const waiting = await this.entries
      .find({ state: 'waiting', lane: oneOf(lanes), stream: oneOf(streams) }, { lane: 1, stream: 1, position: 1 })
      .sort({ position: -1 })
      // Of a single stream, the last message is enough. 0: no limit.
      .limit(lanes.size * streams.size === 1 ? 1 : 0)
      .session(transaction)
      .lean();
    return new Map(waiting.reverse().map((entry) => [nameOf(entry), entry.position + 1]));
  }

  /** The messages that wait, and those of the last hour. The waiting ones and the given-up ones have indexes of their own. */
  totals(): Totals<OutboxTotal> {
    const { entries } = this;
    return {
      gauges: OUTBOX_TOTALS,
      async read(now, maxTimeMS) {
        const topic = '$topic';
        const waiting = { waiting: { $sum: 1 }, oldestAt: { $min: '$createdAt' } };
        const givenUp = { state: 'failed', settledAt: { $gte: new Date(now.getTime() - HOUR_MS) } };
        const [backlog, messages, failed] = await Promise.all([
          grouped<Backlog>(entries, { state: 'waiting', lane: { $gt: '' } }, { topic }, waiting, maxTimeMS),
          counts(entries, madeInLast(HOUR_MS, now), { topic, state: '$state' }, maxTimeMS),
          counts(entries, givenUp, { topic }, maxTimeMS),
        ]);
        return {
          outbox_waiting: backlog.map(({ labels, waiting: value }) => ({ labels, value })),
          outbox_oldest_age_seconds: ages(backlog, now),
          outbox_messages_last_hour: messages,
          outbox_given_up_last_hour: failed,
        };
      },
    };
  }
}

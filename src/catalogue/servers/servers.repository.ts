import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { Page, type PageRequest } from '../../lib/paging/page.js';
import { claimDue } from '../../infrastructure/database/claim-due.js';
import { countedById } from '../../infrastructure/database/count-listed.js';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { forInsert, fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type SoldServer } from '../snapshot/catalogue-snapshot.js';
import { type GameServerRecord, SERVER_MODEL } from './server.schema.js';
import {
  type DeletedServer,
  type GameServer,
  type Heartbeat,
  type Presence,
  type ReportedProblem,
  type ServerChange,
  type TimedServer,
} from './server.types.js';

/** A deleted server is for statistics only. */
const NOT_ARCHIVED = { archivedAt: null };

/**
 * A process of a version before can store a server without `seenAt` or `medianSeconds` until it ends (migrations 1 and 7), and the servers of
 * earlier versions have no `problem`.
 */
const serverOf = ({ timesDueAt: _timesDueAt, ...record }: GameServerRecord): GameServer =>
  fromStored({
    ...record,
    seenAt: record.seenAt ?? record.heartbeat?.at ?? null,
    medianSeconds: record.medianSeconds ?? null,
    problem: record.problem ?? null,
  });

@Injectable()
export class ServersRepository {
  constructor(@InjectModel(SERVER_MODEL) private readonly servers: Model<GameServerRecord>) {}

  async insert(
    shopId: string,
    values: Omit<GameServer, 'id' | 'shopId'>,
    transaction: Transaction,
  ): Promise<GameServer> {
    const stored = forInsert({ ...values, shopId, timesDueAt: values.createdAt });
    const record = await this.servers.insertOne(stored, { session: transaction });
    return serverOf(record.toObject());
  }

  /** Finds a server for its public status. The only query without a shop: the public path has no shop. */
  async findPublic(serverId: string): Promise<GameServer | null> {
    const record = await this.servers.findOne({ _id: serverId, ...NOT_ARCHIVED }).lean();
    return record && serverOf(record);
  }

  async find(shopId: string, serverId: string, transaction: Transaction | null): Promise<GameServer | null> {
    const record = await this.servers
      .findOne({ _id: serverId, shopId, ...NOT_ARCHIVED })
      .session(transaction)
      .lean();
    return record && serverOf(record);
  }

  /**
   * @param only these servers; null: all servers of the shop
   * @param onlyVisible whether hidden servers are left out
   */
  async list(
    shopId: string,
    only: ReadonlySet<string> | null,
    onlyVisible: boolean,
    page: PageRequest,
  ): Promise<Page<GameServer>> {
    const visible = {
      shopId,
      ...NOT_ARCHIVED,
      ...(only === null ? {} : { _id: oneOf(only) }),
      ...(onlyVisible ? { isHidden: false } : {}),
    };
    const [records, total] = await countedById<GameServerRecord>(this.servers, visible, page);
    return Page.of(records.map(serverOf), page.limit).counted(total);
  }

  /** Counts those of these servers that the shop has, each once. */
  async countKnown(shopId: string, serverIds: readonly string[]): Promise<number> {
    return this.servers.countDocuments({ _id: oneOf(serverIds), shopId, ...NOT_ARCHIVED });
  }

  /** All servers that are not deleted, for a snapshot. */
  async listSold(shopId: string, transaction: Transaction): Promise<SoldServer[]> {
    const records = await this.servers
      .find({ shopId, ...NOT_ARCHIVED }, { name: 1, game: 1, address: 1, isHidden: 1 })
      .session(transaction)
      .lean();
    return records.map(fromStored);
  }

  /** Returns whether the shop has or had a server. */
  async exists(shopId: string, serverId: string): Promise<boolean> {
    return (await this.servers.exists({ _id: serverId, shopId })) !== null;
  }

  async namesOf(shopId: string, serverIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const records = await this.servers.find({ shopId, _id: oneOf(serverIds) }, { name: 1 }).lean();
    return new Map(records.map(({ _id, name }) => [_id.toHexString(), name]));
  }

  /** Returns the changed server, or null when it does not exist. */
  async update(
    shopId: string,
    serverId: string,
    change: ServerChange,
    transaction: Transaction,
  ): Promise<GameServer | null> {
    return this.set(shopId, serverId, change, transaction);
  }

  /** Deletes a server; only statistics still include it. Returns it, or null when it does not exist. */
  async archive(shopId: string, serverId: string, at: Date, transaction: Transaction): Promise<GameServer | null> {
    return this.set(shopId, serverId, { archivedAt: at, deliveriesEndAt: at }, transaction);
  }

  /** Claims deleted servers of all shops whose deliveries are to be ended: see `claimDue`. */
  async claimDeleted(now: Date, leaseUntil: Date, limit: number, transaction: Transaction): Promise<DeletedServer[]> {
    const due = { field: 'deliveriesEndAt' } as const;
    const records = await claimDue<GameServerRecord>(this.servers, due, { now, leaseUntil, limit }, transaction);
    return records.flatMap(({ _id, shopId, archivedAt }) =>
      archivedAt === null ? [] : [{ id: _id.toHexString(), shopId: shopId.toHexString(), deletedAt: archivedAt }],
    );
  }

  /** Claims servers of all shops whose usual time until a delivery is due to be found, until `nextAt`, when it is due again: see `claimDue`. */
  async claimTimed(now: Date, nextAt: Date, limit: number, transaction: Transaction): Promise<TimedServer[]> {
    const due = { field: 'timesDueAt', filter: NOT_ARCHIVED } as const;
    const lease = { now, leaseUntil: nextAt, limit };
    const records = await claimDue<GameServerRecord>(this.servers, due, lease, transaction);
    return records.map(({ _id, shopId }) => ({ id: _id.toHexString(), shopId: shopId.toHexString() }));
  }

  async recordMedian(
    { id, shopId }: TimedServer,
    medianSeconds: number | null,
    transaction: Transaction,
  ): Promise<void> {
    await this.servers.updateOne({ _id: id, shopId }, { $set: { medianSeconds } }, { session: transaction });
  }

  /** Records that no delivery can wait for a deleted server any more. */
  async endClaims(shopId: string, serverId: string, transaction: Transaction): Promise<void> {
    await this.servers.updateOne(
      { _id: serverId, shopId },
      { $unset: { deliveriesEndAt: 1 } },
      { session: transaction },
    );
  }

  /** Which of these servers the shop has deleted. */
  async deletedOf(shopId: string, serverIds: readonly string[], transaction: Transaction): Promise<string[]> {
    const deleted = { _id: oneOf(serverIds), shopId, archivedAt: trusted({ $ne: null }) };
    const records = await this.servers.find(deleted, { _id: 1 }).session(transaction).lean();
    return records.map(({ _id }) => _id.toHexString());
  }

  /** Counts the servers of a shop, at most up to a number. */
  async countAll(shopId: string, upTo: number, transaction: Transaction): Promise<number> {
    return this.servers.countDocuments({ shopId, ...NOT_ARCHIVED }, { limit: upTo, session: transaction });
  }

  /** Records a sign of life, unless there was a later one. */
  async recordSeen(shopId: string, serverId: string, at: Date, transaction: Transaction): Promise<void> {
    await this.servers.updateOne(
      { _id: serverId, shopId, ...NOT_ARCHIVED },
      { $max: { seenAt: at } },
      { session: transaction },
    );
  }

  /** Stores a heartbeat, which is also a sign of life, in place of the last one. Returns whether the shop has the server. */
  async recordHeartbeat(
    shopId: string,
    serverId: string,
    heartbeat: Heartbeat,
    transaction: Transaction,
  ): Promise<boolean> {
    const { matchedCount } = await this.servers.updateOne(
      { _id: serverId, shopId, ...NOT_ARCHIVED },
      { $set: { heartbeat, seenAt: heartbeat.at } },
      { session: transaction },
    );
    return matchedCount === 1;
  }

  /** Stores why the plugin of a server cannot deliver, in place of what it said before. Returns whether the shop has the server. */
  async recordProblem(
    shopId: string,
    serverId: string,
    problem: ReportedProblem,
    transaction: Transaction,
  ): Promise<boolean> {
    const { matchedCount } = await this.servers.updateOne(
      { _id: serverId, shopId, ...NOT_ARCHIVED },
      { $set: { problem } },
      { session: transaction },
    );
    return matchedCount === 1;
  }

  /**
   * Servers of all shops that are now online, or offline, while subscribers were notified otherwise. A server that was
   * never seen is neither.
   * @param aliveSince an older sign of life means offline
   */
  async findChangedPresence(
    presence: Presence,
    aliveSince: Date,
    limit: number,
    transaction: Transaction,
  ): Promise<Pick<GameServer, 'id' | 'shopId' | 'name'>[]> {
    const changed =
      presence === 'online'
        ? { announced: oneOf([null, 'offline' as const]), seenAt: trusted({ $gte: aliveSince }) }
        : { announced: 'online' as const, seenAt: trusted({ $lt: aliveSince }) };
    const records = await this.servers
      .find({ ...changed, ...NOT_ARCHIVED }, { shopId: 1, name: 1 })
      .limit(limit)
      .session(transaction)
      .lean();
    return records.map(fromStored);
  }

  /** Records what subscribers are notified of, for servers of all shops. */
  async recordPresence(serverIds: readonly string[], announced: Presence, transaction: Transaction): Promise<void> {
    await this.servers.updateMany({ _id: oneOf(serverIds) }, { $set: { announced } }, { session: transaction });
  }

  private async set(
    shopId: string,
    serverId: string,
    values: Partial<Omit<GameServer, 'id' | 'shopId'>> & Pick<GameServerRecord, 'deliveriesEndAt'>,
    transaction: Transaction,
  ): Promise<GameServer | null> {
    const options = { session: transaction, returnDocument: 'after' } as const;
    const record = await this.servers
      .findOneAndUpdate({ _id: serverId, shopId, ...NOT_ARCHIVED }, { $set: values }, options)
      .lean();
    return record && serverOf(record);
  }
}

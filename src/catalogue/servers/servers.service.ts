import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { AppError } from '../../domain/errors/app-error.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { type Page, type PageRequest } from '../../lib/paging/page.js';
import { present, requireChange } from '../../domain/errors/change.js';
import { MINUTE_MS, SECOND_MS } from '../../lib/time/durations.js';
import { isDatabaseUnavailable } from '../../infrastructure/database/database-errors.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { QuotasService } from '../../infrastructure/quotas/quotas.service.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { type SoldServer } from '../snapshot/catalogue-snapshot.js';
import { CatalogueWritesService } from '../snapshot/catalogue-writes.service.js';
import { type CreateServerDto } from './dto/create-server.dto.js';
import { type ServerFields } from './dto/server-fields.dto.js';
import { HEARTBEAT_SECONDS, type ServerStatus, statusAt } from './server-status.js';
import {
  type DeletedServer,
  type GameServer,
  type PluginReport,
  type ServerChange,
  type TimedServer,
} from './server.types.js';
import { ServersRepository } from './servers.repository.js';

/** For how long a status is returned from memory while the database is not available. */
const STALE_MS = MINUTE_MS;
const MAX_REMEMBERED = 1_000;

const DEFAULTS: Omit<ServerFields, 'name' | 'game'> = { address: null, isHidden: false };

export interface PublicStatus extends ServerStatus {
  readonly id: string;
  readonly name: string;
  readonly checkedAt: Date;
}

/** A server with its status. */
export interface ListedServer {
  readonly server: GameServer;
  readonly status: ServerStatus;
}

/** Game servers, and what their plugins report. */
@Injectable()
export class ServersService {
  private readonly recent = new LRUCache<string, GameServer>({ max: MAX_REMEMBERED, ttl: STALE_MS });

  constructor(
    private readonly servers: ServersRepository,
    private readonly shops: ShopsService,
    private readonly quotas: QuotasService,
    private readonly writes: CatalogueWritesService,
    private readonly transactions: Transactions,
  ) {}

  /** @throws AppError quota_reached */
  create(context: ShopContext, input: Readonly<CreateServerDto>): Promise<GameServer> {
    const { shopId } = context;
    const fields = { ...DEFAULTS, ...present(input) };
    const values = {
      ...fields,
      heartbeat: null,
      seenAt: null,
      problem: null,
      medianSeconds: null,
      archivedAt: null,
      createdAt: new Date(),
      createdBy: context.principal,
    };
    return this.writes.run(shopId, async (transaction) => {
      const count = (upTo: number): Promise<number> => this.servers.countAll(shopId, upTo, transaction);
      await this.quotas.requireRoom('serversPerShop', shopId, count, transaction);
      const created = await this.servers.insert(shopId, values, transaction);
      const changes = changesBetween(null, fields);
      await this.writes.record(context, { action: 'server.created', subjectId: created.id, changes }, transaction);
      return created;
    });
  }

  /** A key that is bound to game servers gets these servers only, a storefront key no hidden ones. */
  list({ shopId, serverIds, publicView }: ShopContext, page: PageRequest): Promise<Page<GameServer>> {
    return this.servers.list(shopId, serverIds, publicView, page);
  }

  /** @throws AppError server_not_found, for a storefront key also for a hidden server */
  async get({ shopId, publicView }: ShopContext, serverId: string): Promise<GameServer> {
    const server = orNotFound(await this.servers.find(shopId, serverId, null), 'server_not_found');
    if (publicView && server.isHidden) throw new AppError('server_not_found');
    return server;
  }

  /** @throws AppError validation_failed without a field to change, server_not_found */
  update(context: ShopContext, serverId: string, change: ServerChange): Promise<GameServer> {
    const { shopId } = context;
    requireChange(change);
    return this.writes.run(shopId, async (transaction) => {
      const before = orNotFound(await this.servers.find(shopId, serverId, transaction), 'server_not_found');
      const changes = changesBetween(fieldsOf(before), present(change));
      if (changes.length === 0) return before;
      const updated = await this.servers.update(shopId, serverId, present(change), transaction);
      const after = orNotFound(updated, 'server_not_found');
      await this.writes.record(context, { action: 'server.updated', subjectId: serverId, changes }, transaction);
      return after;
    });
  }

  /**
   * Deletes a server. Its record stays for the statistics of its orders; everything else treats it as unknown. A job ends the
   * deliveries that wait for it (`DeletedServersService`).
   * @returns the server as it was
   * @throws AppError server_not_found
   */
  delete(context: ShopContext, serverId: string): Promise<GameServer> {
    return this.writes.run(context.shopId, async (transaction) => {
      const archived = await this.servers.archive(context.shopId, serverId, new Date(), transaction);
      const deleted = orNotFound(archived, 'server_not_found');
      const changes = changesBetween(fieldsOf(deleted), null);
      await this.writes.record(context, { action: 'server.deleted', subjectId: serverId, changes }, transaction);
      return deleted;
    });
  }

  /**
   * Stores what a plugin reports. Of two concurrent reports, the later write stays.
   * @throws AppError server_not_found
   */
  async recordHeartbeat(
    { shopId }: Pick<ShopContext, 'shopId'>,
    serverId: string,
    report: PluginReport,
  ): Promise<void> {
    const at = new Date();
    const isKnown = await this.transactions.run((transaction) =>
      'problem' in report
        ? this.servers.recordProblem(shopId, serverId, { text: report.problem, at }, transaction)
        : this.servers.recordHeartbeat(shopId, serverId, { ...report, at }, transaction),
    );
    if (!isKnown) throw new AppError('server_not_found');
  }

  /**
   * Records that the plugin of a server sent a request: the server is online, although its heartbeats may be missing. A later sign
   * of life is written only when a heartbeat is overdue.
   * @throws AppError server_not_found
   */
  async recordSeen(shopId: string, serverId: string): Promise<void> {
    const { seenAt } = orNotFound(await this.servers.find(shopId, serverId, null), 'server_not_found');
    const now = new Date();
    if (seenAt !== null && now.getTime() - seenAt.getTime() <= HEARTBEAT_SECONDS * SECOND_MS) return;
    await this.transactions.run((transaction) => this.servers.recordSeen(shopId, serverId, now, transaction));
  }

  /**
   * Returns what everybody may know about a server. A hidden server, and a server of a closed shop, does not exist. While
   * the database is not available, it returns what was read in the last minute, marked as stale.
   * @throws AppError server_not_found
   */
  async publicStatus(serverId: string): Promise<PublicStatus> {
    const checkedAt = new Date();
    const { value, fresh } = await this.read(serverId);
    const server = orNotFound(value, 'server_not_found');
    const status = statusAt(server, checkedAt);
    return { id: server.id, name: server.name, checkedAt, ...status, stale: status.stale || !fresh };
  }

  /**
   * The servers that everybody may see, with their status.
   * @throws AppError shop_not_found, also for a closed shop
   */
  async publicList(shopId: string, page: PageRequest): Promise<Page<ListedServer>> {
    if (!(await this.shops.isOpen(shopId))) throw new AppError('shop_not_found');
    const now = new Date();
    const servers = await this.servers.list(shopId, null, true, page);
    return servers.map((server) => ({ server, status: statusAt(server, now) }));
  }

  /** @throws AppError server_not_found unless all are servers of the shop */
  async requireAll(shopId: string, serverIds: readonly string[]): Promise<void> {
    if (serverIds.length === 0) return;
    const count = await this.servers.countKnown(shopId, serverIds);
    if (count !== new Set(serverIds).size) throw new AppError('server_not_found');
  }

  /** All servers that are not deleted, for a snapshot of the catalogue. */
  sold(shopId: string, transaction: Transaction): Promise<SoldServer[]> {
    return this.servers.listSold(shopId, transaction);
  }

  /** Which of these servers the shop has deleted. */
  deletedOf(shopId: string, serverIds: readonly string[], transaction: Transaction): Promise<readonly string[]> {
    return this.servers.deletedOf(shopId, serverIds, transaction);
  }

  /** Claims deleted servers of all shops whose deliveries are to be ended: no other process gets them before `until`. */
  claimDeleted(until: Date, limit: number, transaction: Transaction): Promise<readonly DeletedServer[]> {
    return this.servers.claimDeleted(new Date(), until, limit, transaction);
  }

  /** Records that no delivery can wait for a deleted server any more, so that it is not claimed again. */
  endClaims({ shopId, id }: DeletedServer, transaction: Transaction): Promise<void> {
    return this.servers.endClaims(shopId, id, transaction);
  }

  /** Claims servers of all shops whose usual time until a delivery is due to be found. It is due again at `nextAt`. */
  claimTimed(nextAt: Date, limit: number, transaction: Transaction): Promise<readonly TimedServer[]> {
    return this.servers.claimTimed(new Date(), nextAt, limit, transaction);
  }

  /** Records how long purchases usually wait for a server; null: too few to say. */
  recordMedian(server: TimedServer, medianSeconds: number | null, transaction: Transaction): Promise<void> {
    return this.servers.recordMedian(server, medianSeconds, transaction);
  }

  /** The names, by id, of those servers that the shop has or had, for statistics. */
  namesOf(shopId: string, serverIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.servers.namesOf(shopId, serverIds);
  }

  /** For statistics. @throws AppError server_not_found unless the shop has or had the server */
  async requireKnown(shopId: string, serverId: string): Promise<void> {
    if (!(await this.servers.exists(shopId, serverId))) throw new AppError('server_not_found');
  }

  /** null: the shop has no such server. */
  find(shopId: string, serverId: string, transaction: Transaction | null): Promise<GameServer | null> {
    return this.servers.find(shopId, serverId, transaction);
  }

  /** null: the shop has no such server. */
  async nameOf(shopId: string, serverId: string, transaction: Transaction): Promise<string | null> {
    return (await this.find(shopId, serverId, transaction))?.name ?? null;
  }

  private async read(serverId: string): Promise<{ value: GameServer | null; fresh: boolean }> {
    try {
      const server = await this.servers.findPublic(serverId);
      const isVisible = server !== null && !server.isHidden && (await this.shops.isOpen(server.shopId));
      const visible = isVisible ? server : null;
      if (visible === null) this.recent.delete(serverId);
      else this.recent.set(serverId, visible);
      return { value: visible, fresh: true };
    } catch (error) {
      const known = isDatabaseUnavailable(error) ? this.recent.get(serverId) : undefined;
      if (known === undefined) throw error;
      return { value: known, fresh: false };
    }
  }
}

/** The fields that a shop writes. */
function fieldsOf({ name, game, address, isHidden }: GameServer): Required<ServerChange> {
  return { name, game, address, isHidden };
}

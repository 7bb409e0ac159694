import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { changesBetween } from '../audit/audit-rules.js';
import { AuditService } from '../audit/audit.service.js';
import { type ShopContext } from '../common/auth/auth-context.js';
import { AppError } from '../common/errors/app-error.js';
import { Page } from '../common/http/page.js';
import { type PageQuery } from '../common/http/page.query.dto.js';
import { isDatabaseUnavailable } from '../database/database-errors.js';
import { Transactions } from '../database/transactions.js';
import { ShopsService } from '../shops/shops.service.js';
import { type ServerStatus, statusAt } from './server-status.js';
import { type GameServer, type Heartbeat } from './server.types.js';
import { ServersRepository } from './servers.repository.js';

/** For how long a status may be told from memory while the database is away. */
const STALE_MS = 60_000;
const MAX_REMEMBERED = 1_000;

export interface NewServer {
  readonly name: string;
  readonly game: string;
  readonly address?: string | null;
  readonly isHidden?: boolean;
}

export interface PublicStatus extends ServerStatus {
  readonly id: string;
  readonly name: string;
  readonly checkedAt: Date;
}

/** Game servers and what their plugins tell of them. */
@Injectable()
export class ServersService {
  private readonly recent = new LRUCache<string, GameServer>({ max: MAX_REMEMBERED, ttl: STALE_MS });

  constructor(
    private readonly servers: ServersRepository,
    private readonly shops: ShopsService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
  ) {}

  create(context: ShopContext, input: NewServer): Promise<GameServer> {
    const server = {
      name: input.name,
      game: input.game,
      address: input.address ?? null,
      isHidden: input.isHidden ?? false,
      createdAt: new Date(),
      createdBy: context.principal,
    };
    return this.transactions.run(async (transaction) => {
      const created = await this.servers.insert(context.shopId, server, transaction);
      const changes = changesBetween(null, { name: created.name });
      await this.audit.record(context, { action: 'server.created', subjectId: created.id, changes }, transaction);
      return created;
    });
  }

  async list({ shopId, serverIds }: ShopContext, query: PageQuery): Promise<Page<GameServer>> {
    return Page.of(await this.servers.list(shopId, serverIds, query.after, query.limit + 1), query.limit);
  }

  /** @throws AppError server_not_found */
  async beat({ shopId }: Pick<ShopContext, 'shopId'>, serverId: string, report: Omit<Heartbeat, 'at'>): Promise<void> {
    if (!(await this.servers.beat(shopId, serverId, { ...report, at: new Date() }))) {
      throw new AppError('server_not_found');
    }
  }

  /**
   * What everybody may know of a server; a hidden one, and one of a closed shop, does not exist. While the database is
   * away, what was read in the last minute is told, marked as stale.
   * @throws AppError server_not_found
   */
  async publicStatus(serverId: string): Promise<PublicStatus> {
    const checkedAt = new Date();
    const { value: server, fresh } = await this.read(serverId);
    if (server === null) throw new AppError('server_not_found');
    const status = statusAt(server.heartbeat, checkedAt);
    return { id: server.id, name: server.name, checkedAt, ...status, stale: status.stale || !fresh };
  }

  /** @throws AppError server_not_found unless all are servers of the shop */
  async requireAll(shopId: string, serverIds: readonly string[]): Promise<void> {
    if (serverIds.length === 0) return;
    if ((await this.servers.count(shopId, serverIds)) !== new Set(serverIds).size) {
      throw new AppError('server_not_found');
    }
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

import { Injectable } from '@nestjs/common';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { requireTimeRange } from '../../domain/errors/require-valid.js';
import { AuditService } from '../../events/audit/audit.service.js';
import { type AuditEntry, type AuditFilter } from '../../events/audit/audit.types.js';
import { type Page, type PageRequest } from '../../lib/paging/page.js';
import { type Moment } from '../../lib/time/instant.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { ActorsService } from '../actors/actors.service.js';
import { auditLookupsOf } from './audit-search-rules.js';

/** A search of staff in the audit log: as `AuditFilter`, as they type it. */
export interface AuditSearch extends Omit<AuditFilter, 'principal' | 'lookups' | 'from' | 'to'> {
  /** See `auditLookupsOf`. */
  readonly q?: string | undefined;
  readonly actor?: string | undefined;
  readonly from?: Moment | undefined;
  readonly to?: Moment | undefined;
}

/** An entry with the name of its author; null for one without a name. */
export interface NamedEntry extends AuditEntry {
  readonly actorName: string | null;
}

/** The audit log as the staff of a shop read it. */
@Injectable()
export class AuditLogService {
  constructor(
    private readonly audit: AuditService,
    private readonly actors: ActorsService,
    private readonly shops: ShopsService,
  ) {}

  /** The entries that a search finds, newest first, and how many there are. @throws AppError validation_failed */
  async list(context: ShopContext, sent: AuditSearch, page: PageRequest): Promise<Page<NamedEntry>> {
    const { shopId } = context;
    const { q, action, actor, subjectId, from, to } = await this.shops.withInstants(shopId, sent);
    requireTimeRange({ from, to });
    const lookups = q === undefined ? undefined : auditLookupsOf(q, await this.actors.named(shopId, q));
    const filter = { action, principal: actor?.toLowerCase(), subjectId: subjectId?.toLowerCase(), from, to, lookups };
    const found = await this.audit.list(context, filter, page);
    const names = await this.actors.namesOf(shopId, new Set(found.items.map(({ principal }) => principal)));
    return found.map((entry) => ({ ...entry, actorName: names.get(entry.principal) ?? null }));
  }
}

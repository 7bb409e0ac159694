import { Injectable } from '@nestjs/common';
import { ServersService } from '../../catalogue/servers/servers.service.js';
import { requireValid } from '../../domain/errors/require-valid.js';
import { type Moment } from '../../lib/time/instant.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { addressProblems } from './address-rules.js';
import { expiryProblems } from './key-rules.js';

/** Where a key may be used; null: no limit. */
export interface KeyRestrictions {
  readonly serverIds: readonly string[] | null;
  readonly ipAllowlist: readonly string[] | null;
}

/** How long, and where, a key of a shop may be used. */
@Injectable()
export class KeyLimitsService {
  constructor(
    private readonly shops: ShopsService,
    private readonly servers: ServersService,
  ) {}

  /**
   * When a new key expires; null: never.
   * @throws AppError validation_failed unless it is in the future
   */
  async expiryFor(shopId: string, requested: { readonly expiresAt?: Moment | null }): Promise<Date | null> {
    const { expiresAt = null } = await this.shops.withInstants(shopId, { expiresAt: requested.expiresAt });
    requireValid(expiryProblems(expiresAt, new Date()));
    return expiresAt;
  }

  /** @throws AppError validation_failed, server_not_found unless all servers belong to the shop */
  async restrictionsFor(shopId: string, requested: Partial<KeyRestrictions>): Promise<KeyRestrictions> {
    const { serverIds = null, ipAllowlist = null } = requested;
    requireValid(addressProblems(ipAllowlist ?? []));
    await this.servers.requireAll(shopId, serverIds ?? []);
    return { serverIds, ipAllowlist: ipAllowlist && [...new Set(ipAllowlist)] };
  }
}

import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { isLoopbackUrl } from '../../lib/network/loopback.js';
import { SECOND_MS } from '../../lib/time/durations.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { isDatabaseUnavailable } from '../../infrastructure/database/database-errors.js';
import { shopAddress } from './hostname-rules.js';
import { UNIQUE_NAME } from './shop-rules.js';
import { type WholeShop } from './shop.types.js';
import { ShopsRepository } from './shops.repository.js';

/** For how long it is remembered whether an origin is a front end: long enough for the requests of one page. */
const FRONT_END_MS = 10 * SECOND_MS;
const MAX_REMEMBERED = 10_000;

/** Finds the shop of a storefront with one indexed read, or none for a name that no shop can have. */
@Injectable()
export class PublicShopsService {
  private readonly platformDomain: string;
  private readonly isProduction: boolean;
  /** Whether an origin is one of a shop. */
  private readonly frontEnds = new LRUCache<string, boolean>({ max: MAX_REMEMBERED, ttl: FRONT_END_MS });

  constructor(
    private readonly shops: ShopsRepository,
    config: AppConfig,
  ) {
    this.platformDomain = config.platformDomain;
    this.isProduction = config.environment === 'production';
  }

  /** Whether a shop has this unique name. */
  async isNamed(uniqueName: string): Promise<boolean> {
    return (await this.shops.findByUniqueName(uniqueName)) !== null;
  }

  /** @throws AppError shop_not_found */
  async byName(uniqueName: string): Promise<WholeShop> {
    const name = uniqueName.toLowerCase();
    return found(UNIQUE_NAME.test(name) ? await this.shops.findByUniqueName(name) : null);
  }

  /**
   * Finds a shop by its address below the platform's domain, or by its verified custom domain.
   * @param host as in a `Host` header
   * @throws AppError shop_not_found, also for a domain that is claimed but not verified
   */
  async byHost(host: string): Promise<WholeShop> {
    const address = shopAddress(host, this.platformDomain);
    if (address === null) return found(null);
    return found(
      'uniqueName' in address
        ? await this.shops.findByUniqueName(address.uniqueName)
        : await this.shops.findByVerifiedHostname(address.hostname),
    );
  }

  /**
   * Whether an origin of a browser is the front end of a shop: its verified domain, an address below the platform's domain, or an origin that
   * it lists; outside production also each origin of this computer. Nobody but the platform serves pages below its domain, so no shop is read
   * for them. Any other origin costs one indexed read in ten seconds. While the database is not available, it is none. A closed shop keeps
   * its front end: buyers still look at their orders there.
   */
  async isFrontEnd(origin: string): Promise<boolean> {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) return false;
    if (!this.isProduction && isLoopbackUrl(origin)) return true;
    if (!origin.startsWith('https://')) return false;
    const host = origin.slice('https://'.length);
    const address = shopAddress(host, this.platformDomain);
    if (address !== null && 'uniqueName' in address && host === `${address.uniqueName}.${this.platformDomain}`)
      return true;
    const known = this.frontEnds.get(origin);
    if (known !== undefined) return known;
    try {
      const isFrontEnd = await this.shops.isOrigin(origin, host);
      this.frontEnds.set(origin, isFrontEnd);
      return isFrontEnd;
    } catch (error) {
      if (isDatabaseUnavailable(error)) return false;
      throw error;
    }
  }
}

function found(shop: WholeShop | null): WholeShop {
  return orNotFound(shop, 'shop_not_found');
}

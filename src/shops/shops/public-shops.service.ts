import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { AppError } from '../../domain/errors/app-error.js';
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

const ORIGIN = /^https:\/\/([^/:]+)$/;

/** Finds the shop of a storefront with one indexed read, or none for a name that no shop can have. A closed shop is not found. */
@Injectable()
export class PublicShopsService {
  private readonly platformDomain: string;
  /** Whether a hostname is the verified domain of an open shop. */
  private readonly frontEnds = new LRUCache<string, boolean>({ max: MAX_REMEMBERED, ttl: FRONT_END_MS });

  constructor(
    private readonly shops: ShopsRepository,
    config: AppConfig,
  ) {
    this.platformDomain = config.platformDomain;
  }

  /** @throws AppError shop_not_found */
  async byName(uniqueName: string): Promise<WholeShop> {
    const name = uniqueName.toLowerCase();
    return open(UNIQUE_NAME.test(name) ? await this.shops.findByUniqueName(name) : null);
  }

  /**
   * Finds a shop by its address below the platform's domain, or by its verified custom domain.
   * @param host as in a `Host` header
   * @throws AppError shop_not_found, also for a domain that is claimed but not verified
   */
  async byHost(host: string): Promise<WholeShop> {
    const address = shopAddress(host, this.platformDomain);
    if (address === null) return open(null);
    return open(
      'uniqueName' in address
        ? await this.shops.findByUniqueName(address.uniqueName)
        : await this.shops.findByVerifiedHostname(address.hostname),
    );
  }

  /**
   * Whether an origin of a browser is the front end of a shop: its verified domain, or an address below the platform's domain.
   * Nobody but the platform serves pages there, so no shop is read. A custom domain costs one indexed read in ten seconds. While
   * the database is not available, it is none.
   */
  async isFrontEnd(origin: string): Promise<boolean> {
    const host = ORIGIN.exec(origin)?.[1] ?? '';
    const address = shopAddress(host, this.platformDomain);
    if (address === null) return false;
    if ('uniqueName' in address) return host === `${address.uniqueName}.${this.platformDomain}`;
    if (host !== address.hostname) return false;
    const known = this.frontEnds.get(host);
    if (known !== undefined) return known;
    try {
      const isFrontEnd = (await this.shops.findByVerifiedHostname(host))?.isActive ?? false;
      this.frontEnds.set(host, isFrontEnd);
      return isFrontEnd;
    } catch (error) {
      if (isDatabaseUnavailable(error)) return false;
      throw error;
    }
  }
}

function open(shop: WholeShop | null): WholeShop {
  if (!shop?.isActive) throw new AppError('shop_not_found');
  return shop;
}

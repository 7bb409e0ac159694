import { Injectable } from '@nestjs/common';
import { AppError } from '../common/errors/app-error.js';
import { AppConfig } from '../config/app-config.js';
import { shopAddress } from './hostname-rules.js';
import { UNIQUE_NAME } from './shop-rules.js';
import { type Shop } from './shop.types.js';
import { ShopsRepository } from './shops.repository.js';

/** Finds the shop of a storefront with one indexed read, or none for a name that no shop can have. A closed shop is not found. */
@Injectable()
export class PublicShopsService {
  private readonly platformDomain: string;

  constructor(
    private readonly shops: ShopsRepository,
    config: AppConfig,
  ) {
    this.platformDomain = config.platformDomain;
  }

  /** @throws AppError shop_not_found */
  async byName(uniqueName: string): Promise<Shop> {
    const name = uniqueName.toLowerCase();
    return open(UNIQUE_NAME.test(name) ? await this.shops.findByUniqueName(name) : null);
  }

  /**
   * Finds a shop by its address below the platform's domain, or by its verified custom domain.
   * @param host as in a `Host` header
   * @throws AppError shop_not_found, also for a domain that is claimed but not verified
   */
  async byHost(host: string): Promise<Shop> {
    const address = shopAddress(host, this.platformDomain);
    if (address === null) return open(null);
    return open(
      'uniqueName' in address
        ? await this.shops.findByUniqueName(address.uniqueName)
        : await this.shops.findByVerifiedHostname(address.hostname),
    );
  }
}

function open(shop: Shop | null): Shop {
  if (!shop?.isActive) throw new AppError('shop_not_found');
  return shop;
}

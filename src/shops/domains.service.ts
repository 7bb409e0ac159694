import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { type ShopContext } from '../common/auth/auth-context.js';
import { AppError } from '../common/errors/app-error.js';
import { type AppConfig } from '../config/app-config.js';
import { DOMAIN_PROBLEMS, domainProblem, normaliseHostname, txtRecordName, txtRecordValue } from './domain-rules.js';
import { DomainResolver } from './domain-resolver.js';
import { type Shop } from './shop.types.js';
import { ShopsRepository } from './shops.repository.js';

/** Custom domains: claimed, proved by a TXT record, removed. */
@Injectable()
export class DomainsService {
  private readonly platformDomain: string;

  constructor(
    private readonly shops: ShopsRepository,
    private readonly resolver: DomainResolver,
    config: ConfigService<AppConfig, true>,
  ) {
    this.platformDomain = config.get('platformDomain', { infer: true });
  }

  /**
   * Claims a hostname; the answer tells the record to publish. Nothing changes for buyers until it is verified.
   * @throws AppError domain_not_allowed, domain_taken
   */
  async claim({ shopId }: ShopContext, text: string): Promise<Shop> {
    const hostname = normaliseHostname(text);
    const problem = domainProblem(hostname, this.platformDomain);
    if (problem !== null) throw new AppError('domain_not_allowed', { message: DOMAIN_PROBLEMS[problem] });
    const current = await this.shops.find(shopId);
    // The same claim again keeps its token: a record that is being published stays right.
    if (current?.domain?.hostname === hostname) return current;
    if (await this.shops.isHostnameHeld(hostname, shopId)) throw new AppError('domain_taken');
    return found(await this.shops.claimDomain(shopId, hostname, randomBytes(16).toString('hex')));
  }

  /** @throws AppError domain_not_verified, domain_taken */
  async verify({ shopId }: ShopContext): Promise<Shop> {
    const shop = found(await this.shops.find(shopId));
    const { domain } = shop;
    if (domain === null) throw new AppError('domain_not_verified', { message: 'There is no domain to verify' });
    if (domain.status === 'verified') return shop;
    const name = txtRecordName(domain.hostname);
    const records = await this.resolver.txt(name);
    if (!records.includes(txtRecordValue(domain.token))) {
      throw new AppError('domain_not_verified', { message: `There is no TXT record ${name} with the expected value` });
    }
    const verified = await this.shops.verifyDomain(shopId, domain.hostname, domain.token);
    if (verified === null) throw new AppError('state_conflict');
    return verified;
  }

  /** Gives a shop a verified domain that nobody has to prove: the demo shop's, below a name reserved for examples. */
  async grantForDemo(shopId: string, hostname: string): Promise<Shop> {
    const token = randomBytes(16).toString('hex');
    await this.shops.claimDomain(shopId, hostname, token);
    return found(await this.shops.verifyDomain(shopId, hostname, token));
  }

  /** Back to the platform's own address. Without a custom domain it changes nothing and answers the same. */
  async remove({ shopId }: ShopContext): Promise<Shop> {
    return found(await this.shops.removeDomain(shopId));
  }
}

function found(shop: Shop | null): Shop {
  if (shop === null) throw new AppError('shop_not_found');
  return shop;
}

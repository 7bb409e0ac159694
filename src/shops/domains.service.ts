import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { changesBetween } from '../audit/audit-rules.js';
import { AuditService } from '../audit/audit.service.js';
import { type ShopContext } from '../common/auth/auth-context.js';
import { AppError } from '../common/errors/app-error.js';
import { AppConfig } from '../config/app-config.js';
import { Transactions } from '../database/transactions.js';
import { firstProof } from './domain-proof-rules.js';
import { DomainResolver } from './domain-resolver.js';
import { DOMAIN_PROBLEMS, domainProblem, normaliseHostname, txtRecordName, txtRecordValue } from './domain-rules.js';
import { type DomainProofRecord } from './shop.schema.js';
import { type Shop } from './shop.types.js';
import { found, stampOf } from './shop-writes.js';
import { ShopsRepository } from './shops.repository.js';

interface Claim {
  readonly hostname: string;
  readonly token: string;
}

/** Custom domains: claimed, proved by a TXT record, removed. */
@Injectable()
export class DomainsService {
  private readonly platformDomain: string;
  private readonly apiHost: string | undefined;

  constructor(
    private readonly shops: ShopsRepository,
    private readonly resolver: DomainResolver,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
    config: AppConfig,
  ) {
    this.platformDomain = config.platformDomain;
    const publicUrl = config.publicUrl;
    this.apiHost = publicUrl === null ? undefined : new URL(publicUrl).hostname;
  }

  /**
   * Claims a hostname; the answer tells the record to publish. Nothing changes for buyers until it is verified.
   * @throws AppError domain_not_allowed, domain_taken
   */
  async claim(context: ShopContext, text: string): Promise<Shop> {
    const hostname = normaliseHostname(text);
    const problem = domainProblem(hostname, this.platformDomain, this.apiHost);
    if (problem !== null) throw new AppError('domain_not_allowed', { message: DOMAIN_PROBLEMS[problem] });
    // A courtesy: whoever verifies first has the hostname, and the index decides that.
    if (await this.shops.isHostnameHeld(hostname, context.shopId)) throw new AppError('domain_taken');
    return this.writeClaim(context, hostname);
  }

  /** @throws AppError domain_not_verified, domain_taken, state_conflict when the claim changes meanwhile */
  async verify(context: ShopContext): Promise<Shop> {
    const shop = found(await this.shops.find(context.shopId));
    const { domain } = shop;
    if (domain === null) throw new AppError('domain_not_verified', { message: 'There is no domain to verify' });
    if (domain.status === 'verified') return shop;
    const name = txtRecordName(domain.hostname);
    const records = await this.resolver.txt(name);
    if (!records?.includes(txtRecordValue(domain.token))) {
      throw new AppError('domain_not_verified', { message: `There is no TXT record ${name} with the expected value` });
    }
    return this.writeProof(context, domain, firstProof(domain.token, new Date(), Math.random()));
  }

  /** Gives a shop a verified domain that nobody has to prove: the demo shop's, below a name reserved for examples. */
  async grantForDemo(context: ShopContext, hostname: string): Promise<Shop> {
    const { domain } = await this.writeClaim(context, hostname);
    if (domain === null) throw new AppError('state_conflict');
    return this.writeProof(context, domain, null);
  }

  /** Back to the platform's own address. Without a custom domain it changes nothing and answers the same. */
  async remove(context: ShopContext): Promise<Shop> {
    const { shopId } = context;
    const shop = found(await this.shops.find(shopId));
    if (shop.domain === null) return shop;
    const hostname = shop.verifiedHostname ?? shop.domain.hostname;
    const removed = await this.transactions.run(async (transaction) => {
      const after = await this.shops.removeDomain(shopId, stampOf(context), transaction);
      const changes = changesBetween({ hostname }, { hostname: null });
      if (after !== null) await this.audit.record(context, { action: 'domain.removed', changes }, transaction);
      return after;
    });
    return removed ?? found(await this.shops.find(shopId));
  }

  private writeClaim(context: ShopContext, hostname: string): Promise<Shop> {
    const { shopId } = context;
    const token = randomBytes(16).toString('hex');
    return this.transactions.run(async (transaction) => {
      const before = found(await this.shops.find(shopId, transaction));
      // The same claim again keeps its token: a record that is being published stays right.
      if (before.domain?.hostname === hostname) return before;
      // So does going back to the hostname in use: its record is the one that is looked at.
      const known = before.verifiedHostname === hostname ? before.proof?.token : undefined;
      const claim: Claim = { hostname, token: known ?? token };
      const after = found(await this.shops.claimDomain(shopId, claim, stampOf(context), transaction));
      const changes = changesBetween({ hostname: before.domain?.hostname }, { hostname });
      await this.audit.record(context, { action: 'domain.claimed', changes }, transaction);
      return after;
    });
  }

  private writeProof(context: ShopContext, claim: Claim, proof: DomainProofRecord | null): Promise<Shop> {
    const { shopId } = context;
    return this.transactions.run(async (transaction) => {
      const before = found(await this.shops.find(shopId, transaction));
      // Another request with the same proof was faster: this one changes nothing.
      if (before.domain?.status === 'verified' && before.domain.hostname === claim.hostname) return before;
      const after = await this.shops.verifyDomain(shopId, claim, proof, stampOf(context), transaction);
      if (after === null) throw new AppError('state_conflict');
      const changes = changesBetween({ hostname: before.verifiedHostname }, { hostname: claim.hostname });
      await this.audit.record(context, { action: 'domain.verified', changes }, transaction);
      return after;
    });
  }
}

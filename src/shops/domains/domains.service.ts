import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { AuditService } from '../../events/audit/audit.service.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { AppError } from '../../domain/errors/app-error.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { Transactions } from '../../infrastructure/database/transactions.js';
import { asciiDomain } from '../../lib/strings/domain.js';
import { HOSTNAME_PROBLEMS, hostnameProblem, txtRecordName, txtRecordValue } from '../shops/hostname-rules.js';
import { ShopHostnamesService } from '../shops/shop-hostnames.service.js';
import { type HostnameClaim } from '../shops/shop-hostname.types.js';
import { type WholeShop } from '../shops/shop.types.js';
import { ShopsService } from '../shops/shops.service.js';
import { firstProof, proofProblem, verdictOn } from './domain-proof-rules.js';
import { DomainResolver } from './domain-resolver.js';

/** Custom domains: claimed, verified by a TXT record, removed. */
@Injectable()
export class DomainsService {
  constructor(
    private readonly shops: ShopsService,
    private readonly hostnames: ShopHostnamesService,
    private readonly resolver: DomainResolver,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
    private readonly config: AppConfig,
  ) {}

  /**
   * Claims a hostname. The result contains the TXT record to publish. Buyers see no change until the hostname is verified.
   * @throws AppError domain_not_allowed, domain_taken, shop_not_found
   */
  async claim(context: ShopContext, text: string): Promise<WholeShop> {
    const hostname = asciiDomain(text);
    const { platformDomain, publicUrl } = this.config;
    const apiHost = publicUrl === null ? undefined : new URL(publicUrl).hostname;
    const problem = hostnameProblem(hostname, platformDomain, apiHost);
    if (problem !== null) throw new AppError('domain_not_allowed', { message: HOSTNAME_PROBLEMS[problem] });
    // Only for an early error: several shops may claim a hostname, and the unique index decides who verifies it first.
    if (await this.hostnames.isHeld(hostname, context.shopId)) throw new AppError('domain_taken');
    return this.writeClaim(context, hostname);
  }

  /**
   * Looks up the TXT record of the claimed hostname, and gives the hostname to the shop.
   * @throws AppError domain_not_verified, domain_taken, shop_not_found; state_conflict when the claim changes meanwhile
   */
  async verify(context: ShopContext): Promise<WholeShop> {
    const shop = await this.shops.get(context);
    const { domain } = shop;
    if (domain === null)
      throw new AppError('domain_not_verified', { message: 'Claim a custom domain before you verify it' });
    if (domain.status === 'verified') return shop;
    const name = txtRecordName(domain.hostname);
    const records = await this.resolver.txt(name);
    if (verdictOn(records, txtRecordValue(domain.token)) !== 'present') {
      throw new AppError('domain_not_verified', { message: proofProblem(name, records) });
    }
    return this.writeProof(context, domain);
  }

  /**
   * Removes the custom domain, so that the shop is at its platform address again. Without a custom domain it changes nothing
   * and returns the same.
   * @throws AppError shop_not_found
   */
  async remove(context: ShopContext): Promise<WholeShop> {
    const { shopId } = context;
    const shop = await this.shops.get(context);
    if (shop.domain === null) return shop;
    const hostname = shop.verifiedHostname ?? shop.domain.hostname;
    const removed = await this.transactions.run(async (transaction) => {
      const after = await this.hostnames.remove(shopId, context, transaction);
      const changes = changesBetween({ hostname }, { hostname: null });
      if (after !== null) await this.audit.record(context, { action: 'domain.removed', changes }, transaction);
      return after;
    });
    return removed ?? this.shops.get(context);
  }

  private writeClaim(context: ShopContext, hostname: string): Promise<WholeShop> {
    const { shopId } = context;
    const token = randomBytes(16).toString('hex');
    return this.transactions.run(async (transaction) => {
      const before = await this.shops.getWhole(shopId, transaction);
      // A repeated claim keeps its token, so that a record that is already published stays valid.
      if (before.domain?.hostname === hostname) return before;
      // A claim on the verified hostname also keeps its token: the daily checks look for its record.
      const known = before.verifiedHostname === hostname ? before.proof?.token : undefined;
      const claim: HostnameClaim = { hostname, token: known ?? token };
      const after = orNotFound(await this.hostnames.claim(shopId, claim, context, transaction), 'shop_not_found');
      const changes = changesBetween({ hostname: before.domain?.hostname }, { hostname });
      await this.audit.record(context, { action: 'domain.claimed', changes }, transaction);
      return after;
    });
  }

  private writeProof(context: ShopContext, claim: HostnameClaim): Promise<WholeShop> {
    const { shopId } = context;
    const proof = firstProof(claim.token, new Date(), Math.random());
    return this.transactions.run(async (transaction) => {
      const before = await this.shops.getWhole(shopId, transaction);
      // A parallel request verified it first: there is nothing left to change.
      if (before.domain?.status === 'verified' && before.domain.hostname === claim.hostname) return before;
      const after = await this.hostnames.verify(shopId, claim, proof, context, transaction);
      if (after === null) throw new AppError('state_conflict');
      const changes = changesBetween({ hostname: before.verifiedHostname }, { hostname: claim.hostname });
      await this.audit.record(context, { action: 'domain.verified', changes }, transaction);
      return after;
    });
  }
}

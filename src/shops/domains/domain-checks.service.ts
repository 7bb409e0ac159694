import { Injectable } from '@nestjs/common';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { AuditService } from '../../events/audit/audit.service.js';
import { inParallel } from '../../lib/concurrency/in-parallel.js';
import { BackgroundJobs } from '../../infrastructure/jobs/background-jobs.js';
import { type Job } from '../../infrastructure/jobs/job.js';
import { MINUTE_MS } from '../../lib/time/durations.js';
import { Transactions } from '../../infrastructure/database/transactions.js';
import { OwnerEmailsService } from '../owner-emails/owner-emails.service.js';
import { txtRecordName, txtRecordValue } from '../shops/hostname-rules.js';
import { ShopHostnamesService } from '../shops/shop-hostnames.service.js';
import { type VerifiedHostname } from '../shops/shop-hostname.types.js';
import { domainLostEmail, recordMissingEmail } from './domain-emails.js';
import { stateAfter, verdictOn } from './domain-proof-rules.js';
import { DomainResolver } from './domain-resolver.js';

/** How many due domains a round reads at most. */
const BATCH_SIZE = 100;
/** Checks mostly wait for the DNS, so several run in parallel. */
const PARALLEL_CHECKS = 8;
/** Much longer than a check takes. When a process dies during a check, another process repeats it after this time. */
const LEASE_MS = 10 * MINUTE_MS;
const SYSTEM = { principal: 'system' };

/**
 * Checks the TXT record of every verified domain about once a day. A shop whose record is missing for several days loses the
 * hostname (`domain-proof-rules.ts` decides when), because the name may have a new holder in the DNS. Any number of processes
 * may run it: one conditional write leases each check, and the result is stored only if the domain has not changed since.
 */
@Injectable()
export class DomainChecksService {
  private readonly job: Job;

  constructor(
    private readonly hostnames: ShopHostnamesService,
    private readonly resolver: DomainResolver,
    private readonly emails: OwnerEmailsService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
    jobs: BackgroundJobs,
  ) {
    this.job = jobs.add('domain-checks', () => this.round());
  }

  private async round(): Promise<void> {
    const due = await this.hostnames.findDue(new Date(), BATCH_SIZE);
    await inParallel(due, PARALLEL_CHECKS, (domain) => this.leaseAndCheck(domain));
  }

  private async leaseAndCheck(domain: VerifiedHostname): Promise<void> {
    if (this.job.isStopped) return;
    const until = new Date(Date.now() + LEASE_MS);
    const leased = await this.transactions.run((transaction) => this.hostnames.lease(domain, until, transaction));
    if (leased !== null) await this.check(leased);
  }

  private async check(domain: VerifiedHostname): Promise<void> {
    const records = await this.resolver.txt(txtRecordName(domain.hostname));
    const verdict = verdictOn(records, txtRecordValue(domain.token));
    const state = stateAfter(domain, verdict, new Date(), Math.random());
    if (state === null) {
      await this.release(domain);
      return;
    }
    await this.transactions.run(async (transaction) => {
      const isStored = await this.hostnames.recordCheck(domain, state, transaction);
      if (isStored && domain.missingSince === null && state.missingSince !== null) {
        await this.emails.add(domain.shopId, (shop) => recordMissingEmail(shop, domain), transaction);
      }
    });
  }

  private release(domain: VerifiedHostname): Promise<void> {
    const { shopId, hostname } = domain;
    return this.transactions.run(async (transaction) => {
      const isReleased = await this.hostnames.release(domain, SYSTEM, transaction);
      if (!isReleased) return;
      const changes = changesBetween({ hostname }, { hostname: null });
      await this.audit.record({ shopId, ...SYSTEM }, { action: 'domain.lost', changes }, transaction);
      await this.emails.add(shopId, (shop) => domainLostEmail(shop, domain), transaction);
    });
  }
}

import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { changesBetween } from '../audit/audit-rules.js';
import { AuditService } from '../audit/audit.service.js';
import { Rounds } from '../common/concurrency/rounds.js';
import { describeError } from '../common/logging/logger.js';
import { AppConfig } from '../config/app-config.js';
import { Transactions } from '../database/transactions.js';
import { DomainChecksRepository, type HeldDomain } from './domain-checks.repository.js';
import { DomainNoticesService } from './domain-notices.service.js';
import { stateAfter, verdictOn } from './domain-proof-rules.js';
import { DomainResolver } from './domain-resolver.js';
import { txtRecordName, txtRecordValue } from './domain-rules.js';
import { stampOf } from './shop-writes.js';

const PORTION = 100;
/** Looks at once: they mostly wait for the DNS. */
const PARALLEL_LOOKS = 8;
/** Much longer than a look takes. Whoever dies during one leaves the domain to others after this time. */
const LEASE_MS = 10 * 60_000;
const SYSTEM = { principal: 'system' };

/**
 * Looks at the TXT record of every verified domain about once a day and takes the hostname of a shop whose record is gone
 * for good, so that a name that changed hands in the DNS does not stay with the shop that had it (`domain-proof-rules.ts`
 * says when). Any number of processes may do it at once: each look is leased by one conditional write, and what it found is
 * written only if the domain is still the one that was looked at.
 */
@Injectable()
export class DomainChecksService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Domains');
  private readonly rounds: Rounds;

  constructor(
    private readonly domains: DomainChecksRepository,
    private readonly resolver: DomainResolver,
    private readonly notices: DomainNoticesService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
    config: AppConfig,
  ) {
    this.rounds = new Rounds(
      config.sweepIntervalMs,
      () => this.sweep(),
      (error) => {
        this.logger.warn('Not all domains were looked at; the next round tries again', describeError(error));
      },
    );
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.rounds.stop();
  }

  private async sweep(): Promise<void> {
    const due = (await this.domains.findDue(new Date(), PORTION)).values();
    const looking = Array.from({ length: PARALLEL_LOOKS }, () => this.lookAtAll(due));
    for (const result of await Promise.allSettled(looking)) if (result.status === 'rejected') throw result.reason;
  }

  /** Takes domains from a common list until it is empty, or the service stops. */
  private async lookAtAll(due: Iterable<HeldDomain>): Promise<void> {
    for (const domain of due) {
      if (this.rounds.isStopped) return;
      const leased = await this.domains.lease(domain, new Date(Date.now() + LEASE_MS));
      if (leased !== null) await this.look(leased);
    }
  }

  private async look(domain: HeldDomain): Promise<void> {
    const records = await this.resolver.txt(txtRecordName(domain.hostname));
    const verdict = verdictOn(records, txtRecordValue(domain.token));
    const state = stateAfter(domain, verdict, new Date(), Math.random());
    if (state === null) {
      if (await this.release(domain)) await this.notices.domainLost(domain);
      return;
    }
    const isNoted = await this.domains.note(domain, state);
    if (isNoted && domain.missingSince === null && state.missingSince !== null) {
      await this.notices.recordMissing(domain);
    }
  }

  private release(domain: HeldDomain): Promise<boolean> {
    const { shopId, hostname } = domain;
    return this.transactions.run(async (transaction) => {
      const isReleased = await this.domains.release(domain, stampOf(SYSTEM), transaction);
      if (!isReleased) return false;
      const changes = changesBetween({ hostname }, { hostname: null });
      await this.audit.record({ shopId, ...SYSTEM }, { action: 'domain.lost', changes }, transaction);
      return true;
    });
  }
}

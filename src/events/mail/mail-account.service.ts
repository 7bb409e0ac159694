import { type KeyObject } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { describeError } from '../../infrastructure/logging/logger.js';
import { deriveKey, keyedHash } from '../../lib/crypto/keyed-hash.js';
import { HOUR_MS } from '../../lib/time/durations.js';
import { EmailRefusedError } from './email-refused-error.js';
import { DOMAIN_RETENTION_MS, MailDomainsRepository } from './mail-domains.repository.js';
import { ACCEPTING_MS, isFinal, REFUSED_DOMAINS, refusalOf } from './mail-rules.js';

/** How often a process repeats its line in the log while the mail server refuses the account. */
const ALARM_INTERVAL_MS = HOUR_MS;

/**
 * Tells refusals of our account at the mail server from refusals of one mailbox, by what the server accepts and refuses for other
 * domains. All processes share what they have seen.
 */
@Injectable()
export class MailAccountService {
  private readonly logger = new Logger('Mail');
  private readonly key: KeyObject;
  private alarmedAt: number | null = null;

  constructor(
    private readonly domains: MailDomainsRepository,
    config: AppConfig,
  ) {
    this.key = deriveKey(config.encryptionKey, 'mail-domains');
  }

  /** Records that the mail server has accepted an email. Never throws: an email that was sent must not be sent again. */
  async accepted(to: string): Promise<void> {
    try {
      await this.domains.accepted(this.hashOf(to), new Date());
    } catch (error) {
      this.logger.warn('It was not recorded that the mail server accepts emails', describeError(error));
    }
  }

  /**
   * Records that the mail server has refused an email, unless the refusal is about the mailbox.
   * @param createdAt when the email was written
   * @param error what the attempt threw
   * @returns the error of the attempt, which says whether it was the last one
   */
  async refused(to: string, createdAt: Date, error: unknown): Promise<unknown> {
    const refusal = refusalOf(error);
    if (refusal === null) return error;
    const domain = this.hashOf(to);
    const now = new Date();
    const context = {
      isAccepting: refusal !== 'mailbox' && (await this.isAccepting(domain, now)),
      ageMs: now.getTime() - createdAt.getTime(),
    };
    if (refusal !== 'mailbox') {
      await this.domains.refused(domain, now);
      await this.alarm();
    }
    return new EmailRefusedError(error, isFinal(refusal, context));
  }

  /** Whether the mail server refuses the account: emails to three domains, and it has accepted none since. */
  async isRefused(): Promise<boolean> {
    const since = new Date(Date.now() - DOMAIN_RETENTION_MS);
    const acceptedAt = await this.domains.latestAcceptance(since, null);
    return (await this.domains.countRefused(acceptedAt ?? since, null, REFUSED_DOMAINS)) >= REFUSED_DOMAINS;
  }

  /** Whether the server has accepted an email to another domain in the last hour, and has refused none to others since. */
  private async isAccepting(domain: string, now: Date): Promise<boolean> {
    const acceptedAt = await this.domains.latestAcceptance(new Date(now.getTime() - ACCEPTING_MS), domain);
    return acceptedAt !== null && (await this.domains.countRefused(acceptedAt, domain, 1)) === 0;
  }

  private async alarm(): Promise<void> {
    if (this.alarmedAt !== null && performance.now() - this.alarmedAt < ALARM_INTERVAL_MS) return;
    if (!(await this.isRefused())) return;
    this.alarmedAt = performance.now();
    // Without the server's words, which can contain an address.
    this.logger.error(
      'The mail server refuses the emails of this service: check its account (limit, verified sender, relay). They are retried',
    );
  }

  private hashOf(to: string): string {
    return keyedHash(this.key, to.slice(to.lastIndexOf('@') + 1).toLowerCase());
  }
}

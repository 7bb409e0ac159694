import { type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { mailboxOf } from '../../domain/buyers/mailbox.js';
import { quotaOf, windowMsOf } from '../../domain/limits/limits.js';
import { type PersonalData } from '../../infrastructure/buyers/personal-data.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { deriveKey, keyedHash } from '../../lib/crypto/keyed-hash.js';
import { type EmailCause, type ShopEmail } from './email.types.js';
import { type MailboxLimit } from './mailbox-count.schema.js';
import { MailboxCountsRepository } from './mailbox-counts.repository.js';

/**
 * Limits the emails to the buyers of orders by mailbox. Anybody can type any address into a checkout, from any address and in any shop,
 * so emails that this alone causes count over all shops. A hostile shop can cause any email of its orders: so all emails of one shop to
 * a mailbox have a limit, which no buyer reaches.
 */
@Injectable()
export class MailboxLimitsService {
  private readonly key: KeyObject;

  constructor(
    private readonly counts: MailboxCountsRepository,
    private readonly config: AppConfig,
  ) {
    this.key = deriveKey(config.encryptionKey, 'mailbox-limits');
  }

  /** Counts an email. @returns whether it can be sent; otherwise only the metrics of the operator show that it was withheld */
  async take({ to, shop }: ShopEmail, cause: EmailCause, transaction: Transaction): Promise<boolean> {
    const mailbox = mailboxOf(to);
    const now = new Date();
    if (cause === 'anybody' && !(await this.count('strangerEmails', mailbox, null, now, transaction))) return false;
    return this.count('shopEmails', mailbox, shop.id, now, transaction);
  }

  /** The counts of a shop. Those over all shops are not the shop's: they are deleted an hour after the latest email. */
  personalData(): PersonalData {
    return this.counts.personalData(({ shopId, mailbox }) =>
      mailbox === null ? [] : [this.idOf('shopEmails', mailbox, shopId)],
    );
  }

  private count(
    limit: MailboxLimit,
    mailbox: string,
    shopId: string | null,
    now: Date,
    transaction: Transaction,
  ): Promise<boolean> {
    const quota = quotaOf(limit, this.config.rateLimitFactor);
    const counted = { id: this.idOf(limit, mailbox, shopId), limit, quota, windowMs: windowMsOf(limit) };
    return this.counts.take(counted, now, transaction);
  }

  /** Nobody can compute the mailbox from it, or tell that a mailbox is known in two shops. */
  private idOf(limit: MailboxLimit, mailbox: string, shopId: string | null): string {
    return keyedHash(this.key, JSON.stringify([limit, shopId, mailbox]));
  }
}

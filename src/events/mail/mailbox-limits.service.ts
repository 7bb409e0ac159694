import { type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { mailboxOf } from '../../domain/buyers/mailbox.js';
import { quotaOf, windowMsOf } from '../../domain/limits/limits.js';
import { type PersonalData } from '../../infrastructure/buyers/personal-data.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { deriveKey, keyedHash } from '../../lib/crypto/keyed-hash.js';
import { type EmailCause, type ShopEmail } from './email.types.js';
import { type CountedMailbox, type MailboxCount, withEmail } from './mailbox-count-rules.js';
import { type MailboxLimit } from './mailbox-count.schema.js';
import { MailboxCountsRepository } from './mailbox-counts.repository.js';

/** An email to the buyer of an order. */
export interface CountedEmail {
  readonly email: ShopEmail;
  readonly cause: EmailCause;
}

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

  /**
   * Counts emails in their order: with one read and one write, however many there are, or with one write of a single one that counts for
   * one limit below its quota.
   * @returns those that can be sent; only the operator's metrics show that others were withheld
   */
  async take<Counted extends CountedEmail>(emails: readonly Counted[], transaction: Transaction): Promise<Counted[]> {
    if (emails.length === 0) return [];
    const now = new Date();
    const limited = emails.map((counted) => ({ counted, mailboxes: this.limitsOf(counted) }));
    const all = limited.flatMap(({ mailboxes }) => mailboxes);
    const [single, ...others] = all;
    if (single !== undefined && others.length === 0 && (await this.counts.add(single, now, transaction)))
      return [...emails];
    const ids = new Set(all.map(({ id }) => id));
    const found = await this.counts.find([...ids], transaction);
    const before = new Map(found.map((count) => [count.id, count]));
    const changed = new Map<string, MailboxCount>();
    const allowed = limited.filter(({ mailboxes }) =>
      // An email that is withheld over all shops counts for no shop.
      mailboxes.every((mailbox) => {
        const count = changed.get(mailbox.id) ?? before.get(mailbox.id) ?? null;
        const { hasRoom, after } = withEmail(count, mailbox, now);
        changed.set(mailbox.id, after);
        return hasRoom;
      }),
    );
    await this.counts.save([...changed.values()], transaction);
    return allowed.map(({ counted }) => counted);
  }

  /** The counts of a shop. Those over all shops are not the shop's: they are deleted an hour after the latest email. */
  personalData(): PersonalData {
    return this.counts.personalData(({ shopId, mailbox }) =>
      mailbox === null ? [] : [this.idOf('shopEmails', mailbox, shopId)],
    );
  }

  private limitsOf({ email: { to, shop }, cause }: CountedEmail): CountedMailbox[] {
    const mailbox = mailboxOf(to);
    const ofShop = this.limitOf('shopEmails', mailbox, shop.id);
    return cause === 'anybody' ? [this.limitOf('strangerEmails', mailbox, null), ofShop] : [ofShop];
  }

  private limitOf(limit: MailboxLimit, mailbox: string, shopId: string | null): CountedMailbox {
    const quota = quotaOf(limit, this.config.rateLimitFactor);
    return { id: this.idOf(limit, mailbox, shopId), limit, quota, windowMs: windowMsOf(limit) };
  }

  /** Nobody can compute the mailbox from it, or tell that a mailbox is known in two shops. */
  private idOf(limit: MailboxLimit, mailbox: string, shopId: string | null): string {
    return keyedHash(this.key, JSON.stringify([limit, shopId, mailbox]));
  }
}

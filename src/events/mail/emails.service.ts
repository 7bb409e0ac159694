import { Injectable } from '@nestjs/common';
import { isErasedMailbox } from '../../domain/buyers/erased-buyer.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { AppError } from '../../domain/errors/app-error.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { OutboxService } from '../outbox/outbox.service.js';
import { type Email, type EmailCause, type ShopEmail } from './email.types.js';
import { type CountedEmail, MailboxLimitsService } from './mailbox-limits.service.js';

/** The topic of emails in the outbox. */
export const EMAIL_TOPIC = 'email';

/** An email that is added: to the buyer of an order with what can cause it, or to somebody else with the order that it is about. */
export type EmailAddition = CountedEmail | { readonly email: Email; readonly aboutOrderId: string | null };

function isToBuyer(addition: EmailAddition): addition is CountedEmail {
  return 'cause' in addition;
}

/** Adds emails to the outbox. `MailService` sends them. */
@Injectable()
export class EmailsService {
  /** Whether `SMTP_URL=none` has switched emails off: those that are added are dropped. */
  readonly areOff: boolean;

  constructor(
    private readonly outbox: OutboxService,
    private readonly mailboxes: MailboxLimitsService,
    config: AppConfig,
  ) {
    this.areOff = config.mailServer === 'none';
  }

  /**
   * For what is of no use without its email.
   * @param instead what the caller can do without emails: the end of a sentence
   * @throws AppError emails_off
   */
  require(instead: string): void {
    if (this.areOff) throw new AppError('emails_off', { message: `This service sends no emails; ${instead}` });
  }

  /** Sends emails in the background, if and only if the transaction commits. Those to erased buyers are dropped. */
  add(emails: readonly Email[], transaction: Transaction): Promise<void> {
    return this.addAll(
      emails.map((email) => ({ email, aboutOrderId: null })),
      transaction,
    );
  }

  /**
   * As `add`, for an email to the buyer of an order. It is withheld when the mailbox has reached its limit: nobody may learn that, not even
   * the shop, because the mailbox may have reached it elsewhere.
   */
  addToBuyer(email: ShopEmail, cause: EmailCause, transaction: Transaction): Promise<void> {
    return this.addAll([{ email, cause }], transaction);
  }

  /** As `add` and `addToBuyer`, for emails of both kinds, in one batch: the number of database commands does not grow with the emails. */
  async addAll(additions: readonly EmailAddition[], transaction: Transaction): Promise<void> {
    if (this.areOff) return;
    const reachable = additions.filter(({ email }) => !isErasedMailbox(email.to));
    const allowed = new Set<EmailAddition>(await this.mailboxes.take(reachable.filter(isToBuyer), transaction));
    const messages = reachable
      .filter((addition) => !isToBuyer(addition) || allowed.has(addition))
      .map((addition) => ({
        topic: EMAIL_TOPIC,
        shopId: addition.email.shop?.id ?? null,
        orderId: addition.email.orderId ?? (isToBuyer(addition) ? null : addition.aboutOrderId),
        lane: laneFor(addition.email),
        stream: null,
        payload: addition.email,
      }));
    await this.outbox.add(messages, transaction);
  }
}

/** Returns the lane of an email, so that many emails of one shop delay neither those of another shop nor a code that a person waits for. */
function laneFor({ isAwaited, shop }: Email): string {
  if (isAwaited) return 'awaited';
  return shop === null ? 'accounts' : `shop ${shop.id}`;
}

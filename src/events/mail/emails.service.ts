import { Injectable } from '@nestjs/common';
import { isErasedMailbox } from '../../domain/buyers/erased-buyer.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { AppError } from '../../domain/errors/app-error.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { OutboxService } from '../outbox/outbox.service.js';
import { type Email, type EmailCause, type ShopEmail } from './email.types.js';
import { MailboxLimitsService } from './mailbox-limits.service.js';

/** The topic of emails in the outbox. */
export const EMAIL_TOPIC = 'email';

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

  /**
   * Sends emails in the background, if and only if the transaction commits. Those to erased buyers are dropped.
   * @param aboutOrderId the order that emails to others than its buyer are about
   */
  async add(emails: readonly Email[], transaction: Transaction, aboutOrderId: string | null = null): Promise<void> {
    if (this.areOff) return;
    const reachable = emails.filter(({ to }) => !isErasedMailbox(to));
    const messages = reachable.map((email) => ({
      ...{ topic: EMAIL_TOPIC, shopId: email.shop?.id ?? null, orderId: email.orderId ?? aboutOrderId },
      ...{ lane: laneFor(email), stream: null, payload: email },
    }));
    await this.outbox.add(messages, transaction);
  }

  /**
   * As `add`, for an email to the buyer of an order. It is withheld when the mailbox has reached its limit: nobody may learn that, not even
   * the shop, because the mailbox may have reached it elsewhere.
   */
  async addToBuyer(email: ShopEmail, cause: EmailCause, transaction: Transaction): Promise<void> {
    if (this.areOff || isErasedMailbox(email.to)) return;
    if (await this.mailboxes.take(email, cause, transaction)) await this.add([email], transaction);
  }
}

/** Returns the lane of an email, so that many emails of one shop delay neither those of another shop nor a code that a person waits for. */
function laneFor({ isAwaited, shop }: Email): string {
  if (isAwaited) return 'awaited';
  return shop === null ? 'accounts' : `shop ${shop.id}`;
}

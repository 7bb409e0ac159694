import { Injectable } from '@nestjs/common';
import { PageLinks } from '../../http/addresses/page-links.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type EmailedShop } from '../../events/mail/email.types.js';
import { EmailsService } from '../../events/mail/emails.service.js';
import { type EmailedOrder, nicknameChangedEmail, nicknameCodeEmail } from './nickname-change-emails.js';
import { type NicknameChange } from './nickname-change.types.js';

type Addressed = Omit<EmailedOrder, 'link'>;

/** Writes the emails about the nickname of an order, in the transaction of what they report. */
@Injectable()
export class NicknameEmailsService {
  constructor(
    private readonly emails: EmailsService,
    private readonly links: PageLinks,
  ) {}

  /** Whether codes reach anybody. */
  sendsCodes(): boolean {
    return !this.emails.areOff;
  }

  /** @throws AppError emails_off */
  requireCodes(): void {
    this.emails.require('ask the shop to change the nickname');
  }

  code(order: Addressed, shop: EmailedShop, code: string, transaction: Transaction): Promise<void> {
    return this.emails.add([nicknameCodeEmail(this.linked(order), shop, code)], transaction);
  }

  changed(order: Addressed, shop: EmailedShop, change: NicknameChange, transaction: Transaction): Promise<void> {
    return this.emails.add([nicknameChangedEmail(this.linked(order), shop, change)], transaction);
  }

  private linked({ id, email }: Addressed): EmailedOrder {
    return { id, email, link: this.links.order(id) };
  }
}

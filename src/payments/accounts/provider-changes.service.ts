import { Injectable } from '@nestjs/common';
import { type AuditedWrite, AuditService, type Author } from '../../events/audit/audit.service.js';
import { type EmailContent, type EmailedShop } from '../../events/mail/email.types.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { OwnerEmailsService } from '../../shops/owner-emails/owner-emails.service.js';

/** Makes changes of the settings of payment providers known: whoever holds their secrets decides what counts as paid. */
@Injectable()
export class ProviderChangesService {
  constructor(
    private readonly audit: AuditService,
    private readonly emails: OwnerEmailsService,
  ) {}

  /** Records a change in the audit log, and emails the owners of the shop. */
  async record(
    author: Author,
    write: AuditedWrite,
    email: (shop: EmailedShop) => EmailContent,
    transaction: Transaction,
  ): Promise<void> {
    await this.audit.record(author, write, transaction);
    await this.emails.add(author.shopId, email, transaction);
  }
}

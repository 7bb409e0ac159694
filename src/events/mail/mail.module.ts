import { Global, Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { PersonalDataRegistry } from '../../infrastructure/buyers/personal-data.js';
import { TotalsRegistry } from '../../infrastructure/totals/totals.js';
import { AuditModule } from '../audit/audit.module.js';
import { OutboxModule } from '../outbox/outbox.module.js';
import { EmailsService } from './emails.service.js';
import { MAIL_DOMAIN_MODEL, mailDomainSchema } from './mail-domain.schema.js';
import { MailAccountService } from './mail-account.service.js';
import { MailDomainsRepository } from './mail-domains.repository.js';
import { MailService } from './mail.service.js';
import { MAILBOX_COUNT_MODEL, mailboxCountSchema } from './mailbox-count.schema.js';
import { MailboxCountsRepository } from './mailbox-counts.repository.js';
import { MailboxLimitsService } from './mailbox-limits.service.js';
import { UndeliveredEmails } from './undelivered-emails.js';
import { MailStateService } from './mail-state.service.js';

@Global()
@Module({
  imports: [
    AuditModule,
    OutboxModule,
    MongooseModule.forFeature([
      { name: MAIL_DOMAIN_MODEL, schema: mailDomainSchema },
      { name: MAILBOX_COUNT_MODEL, schema: mailboxCountSchema },
    ]),
  ],
  providers: [
    EmailsService,
    MailAccountService,
    MailDomainsRepository,
    MailService,
    MailStateService,
    MailboxCountsRepository,
    MailboxLimitsService,
    UndeliveredEmails,
  ],
  exports: [EmailsService, MailStateService, UndeliveredEmails],
})
export class MailModule {
  constructor(
    totals: TotalsRegistry,
    personalData: PersonalDataRegistry,
    mail: MailStateService,
    counts: MailboxCountsRepository,
    limits: MailboxLimitsService,
  ) {
    totals.add(mail.totals());
    totals.add(counts.totals());
    personalData.add(limits.personalData());
  }
}

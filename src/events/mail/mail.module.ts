import { Global, Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { TotalsRegistry } from '../../infrastructure/totals/totals.js';
import { AuditModule } from '../audit/audit.module.js';
import { OutboxModule } from '../outbox/outbox.module.js';
import { EmailsService } from './emails.service.js';
import { MAIL_DOMAIN_MODEL, mailDomainSchema } from './mail-domain.schema.js';
import { MailAccountService } from './mail-account.service.js';
import { MailDomainsRepository } from './mail-domains.repository.js';
import { MailService } from './mail.service.js';
import { UndeliveredEmails } from './undelivered-emails.js';
import { MailStateService } from './mail-state.service.js';

@Global()
@Module({
  imports: [
    AuditModule,
    OutboxModule,
    MongooseModule.forFeature([{ name: MAIL_DOMAIN_MODEL, schema: mailDomainSchema }]),
  ],
  providers: [
    EmailsService,
    MailAccountService,
    MailDomainsRepository,
    MailService,
    MailStateService,
    UndeliveredEmails,
  ],
  exports: [EmailsService, MailStateService, UndeliveredEmails],
})
export class MailModule {
  constructor(totals: TotalsRegistry, mail: MailStateService) {
    totals.add(mail.totals());
  }
}

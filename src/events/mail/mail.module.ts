import { Global, Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { OutboxModule } from '../outbox/outbox.module.js';
import { EmailsService } from './emails.service.js';
import { MailService } from './mail.service.js';
import { UndeliveredEmails } from './undelivered-emails.js';
import { MailStateService } from './mail-state.service.js';

@Global()
@Module({
  imports: [AuditModule, OutboxModule],
  providers: [EmailsService, MailService, MailStateService, UndeliveredEmails],
  exports: [EmailsService, MailStateService, UndeliveredEmails],
})
export class MailModule {}

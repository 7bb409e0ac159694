import { Module } from '@nestjs/common';
import { AuditModule } from '../../events/audit/audit.module.js';
import { JobsModule } from '../../infrastructure/jobs/jobs.module.js';
import { OwnerEmailsModule } from '../owner-emails/owner-emails.module.js';
import { ShopsModule } from '../shops/shops.module.js';
import { AllowedDomainsController } from './allowed-domains.controller.js';
import { DomainChecksService } from './domain-checks.service.js';
import { DomainReportService } from './domain-report.service.js';
import { DomainResolver } from './domain-resolver.js';
import { DomainsController } from './domains.controller.js';
import { DomainsService } from './domains.service.js';

@Module({
  imports: [AuditModule, JobsModule, OwnerEmailsModule, ShopsModule],
  controllers: [AllowedDomainsController, DomainsController],
  providers: [DomainReportService, DomainsService, DomainResolver, DomainChecksService],
})
export class DomainsModule {}

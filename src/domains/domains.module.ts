import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { MembershipsModule } from '../memberships/memberships.module.js';
import { ShopsModule } from '../shops/shops.module.js';
import { UsersModule } from '../users/users.module.js';
import { DomainChecksService } from './domain-checks.service.js';
import { DomainNoticesService } from './domain-notices.service.js';
import { DomainResolver } from './domain-resolver.js';
import { DomainsController } from './domains.controller.js';
import { DomainsService } from './domains.service.js';

@Module({
  imports: [AuditModule, MembershipsModule, ShopsModule, UsersModule],
  controllers: [DomainsController],
  providers: [DomainsService, DomainResolver, DomainChecksService, DomainNoticesService],
})
export class DomainsModule {}

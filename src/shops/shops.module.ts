import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuditModule } from '../audit/audit.module.js';
import { MembershipsModule } from '../memberships/memberships.module.js';
import { UsersModule } from '../users/users.module.js';
import { DomainChecksRepository } from './domain-checks.repository.js';
import { DomainChecksService } from './domain-checks.service.js';
import { DomainNoticesService } from './domain-notices.service.js';
import { DomainResolver } from './domain-resolver.js';
import { DomainsController } from './domains.controller.js';
import { DomainsService } from './domains.service.js';
import { SHOP_MODEL, shopSchema } from './shop.schema.js';
import { PublicShopsController } from './public-shops.controller.js';
import { PublicShopsService } from './public-shops.service.js';
import { ShopsController } from './shops.controller.js';
import { ShopsRepository } from './shops.repository.js';
import { ShopsService } from './shops.service.js';

@Module({
  imports: [
    AuditModule,
    MembershipsModule,
    UsersModule,
    MongooseModule.forFeature([{ name: SHOP_MODEL, schema: shopSchema }]),
  ],
  controllers: [PublicShopsController, ShopsController, DomainsController],
  providers: [
    ShopsRepository,
    ShopsService,
    PublicShopsService,
    DomainsService,
    DomainResolver,
    DomainChecksRepository,
    DomainChecksService,
    DomainNoticesService,
  ],
  exports: [ShopsService, DomainsService],
})
export class ShopsModule {}

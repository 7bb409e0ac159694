import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ShopDirectory } from '../common/auth/auth.ports.js';
import { MembershipsModule } from '../memberships/memberships.module.js';
import { DomainResolver } from './domain-resolver.js';
import { DomainsService } from './domains.service.js';
import { SHOP_MODEL, shopSchema } from './shop.schema.js';
import { ShopsController } from './shops.controller.js';
import { ShopsRepository } from './shops.repository.js';
import { ShopsService } from './shops.service.js';

@Module({
  imports: [MembershipsModule, MongooseModule.forFeature([{ name: SHOP_MODEL, schema: shopSchema }])],
  controllers: [ShopsController],
  providers: [
    ShopsRepository,
    ShopsService,
    DomainsService,
    DomainResolver,
    { provide: ShopDirectory, useExisting: ShopsService },
  ],
  exports: [ShopsService, DomainsService, ShopDirectory],
})
export class ShopsModule {}

import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuditModule } from '../../events/audit/audit.module.js';
import { ConsentsModule } from '../consents/consents.module.js';
import { ImageReferences } from '../images/image-references.js';
import { ImagesModule } from '../images/images.module.js';
import { MembershipsModule } from '../memberships/memberships.module.js';
import { ComparedProducts } from './compared-products.js';
import { PublicShopsController } from './public-shops.controller.js';
import { PublicShopsService } from './public-shops.service.js';
import { ShopHostnamesRepository } from './shop-hostnames.repository.js';
import { ShopHostnamesService } from './shop-hostnames.service.js';
import { SHOP_MODEL, shopSchema } from './shop.schema.js';
import { ShopsController } from './shops.controller.js';
import { ShopsRepository } from './shops.repository.js';
import { ShopsService } from './shops.service.js';

@Module({
  imports: [
    AuditModule,
    ConsentsModule,
    ImagesModule,
    MembershipsModule,
    MongooseModule.forFeature([{ name: SHOP_MODEL, schema: shopSchema }]),
  ],
  controllers: [PublicShopsController, ShopsController],
  providers: [
    ComparedProducts,
    ShopsRepository,
    ShopsService,
    ShopHostnamesRepository,
    ShopHostnamesService,
    PublicShopsService,
  ],
  exports: [ComparedProducts, ShopsService, ShopHostnamesService, PublicShopsService],
})
export class ShopsModule {
  constructor(images: ImageReferences, shops: ShopsRepository) {
    images.add({ name: 'shop', usedOf: (...use) => shops.usedImages(...use) });
  }
}

import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuditModule } from '../../events/audit/audit.module.js';
import { ProductsModule } from '../products/products.module.js';
import { QuotasModule } from '../../infrastructure/quotas/quotas.module.js';
import { ServersModule } from '../servers/servers.module.js';
import { ShopEventsModule } from '../../events/shop-events/shop-events.module.js';
import { ShopsModule } from '../../shops/shops/shops.module.js';
import { DiscountExhaustionService } from './discount-exhaustion.service.js';
import { DISCOUNT_MODEL, discountSchema } from './discount.schema.js';
import { DiscountsController } from './discounts.controller.js';
import { DiscountsRepository } from './discounts.repository.js';
import { SnapshotModule } from '../snapshot/snapshot.module.js';
import { DiscountValidationService } from './discount-validation.service.js';
import { DiscountsService } from './discounts.service.js';

@Module({
  imports: [
    AuditModule,
    ProductsModule,
    QuotasModule,
    ServersModule,
    ShopEventsModule,
    ShopsModule,
    SnapshotModule,
    MongooseModule.forFeature([{ name: DISCOUNT_MODEL, schema: discountSchema }]),
  ],
  controllers: [DiscountsController],
  providers: [DiscountsRepository, DiscountsService, DiscountExhaustionService, DiscountValidationService],
  exports: [DiscountsService],
})
export class DiscountsModule {}

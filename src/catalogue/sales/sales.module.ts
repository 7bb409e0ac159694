import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ShopEventsModule } from '../../events/shop-events/shop-events.module.js';
import { JobsModule } from '../../infrastructure/jobs/jobs.module.js';
import { QuotasModule } from '../../infrastructure/quotas/quotas.module.js';
import { ShopsModule } from '../../shops/shops/shops.module.js';
import { CatalogueParts } from '../snapshot/catalogue-parts.js';
import { SnapshotModule } from '../snapshot/snapshot.module.js';
import { SaleAnnouncementsService } from './sale-announcements.service.js';
import { SALE_MODEL, saleSchema } from './sale.schema.js';
import { SalesController } from './sales.controller.js';
import { SalesRepository } from './sales.repository.js';
import { SalesService } from './sales.service.js';

@Module({
  imports: [
    JobsModule,
    QuotasModule,
    ShopEventsModule,
    ShopsModule,
    SnapshotModule,
    MongooseModule.forFeature([{ name: SALE_MODEL, schema: saleSchema }]),
  ],
  controllers: [SalesController],
  providers: [SaleAnnouncementsService, SalesRepository, SalesService],
  exports: [SalesService],
})
export class SalesModule {
  constructor(parts: CatalogueParts, sales: SalesService) {
    parts.add({ sales: ({ id }, transaction) => sales.sold(id, transaction) });
  }
}

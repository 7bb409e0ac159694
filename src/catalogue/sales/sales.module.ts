import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { QuotasModule } from '../../infrastructure/quotas/quotas.module.js';
import { ShopsModule } from '../../shops/shops/shops.module.js';
import { CatalogueParts } from '../snapshot/catalogue-parts.js';
import { SnapshotModule } from '../snapshot/snapshot.module.js';
import { SALE_MODEL, saleSchema } from './sale.schema.js';
import { SalesController } from './sales.controller.js';
import { SalesRepository } from './sales.repository.js';
import { SalesService } from './sales.service.js';

@Module({
  imports: [
    QuotasModule,
    ShopsModule,
    SnapshotModule,
    MongooseModule.forFeature([{ name: SALE_MODEL, schema: saleSchema }]),
  ],
  controllers: [SalesController],
  providers: [SalesRepository, SalesService],
  exports: [SalesService],
})
export class SalesModule {
  constructor(parts: CatalogueParts, sales: SalesService) {
    parts.add({ sales: ({ id }, transaction) => sales.sold(id, transaction) });
  }
}

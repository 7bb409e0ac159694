import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ShopsModule } from '../../shops/shops/shops.module.js';
import { SalesModule } from '../sales/sales.module.js';
import { CatalogueParts } from '../snapshot/catalogue-parts.js';
import { SnapshotModule } from '../snapshot/snapshot.module.js';
import { PRICE_CHANGE_MODEL, priceChangeSchema } from './price-change.schema.js';
import { PriceChangesRepository } from './price-changes.repository.js';
import { PriceHistoryService } from './price-history.service.js';
import { PriorPricesService } from './prior-prices.service.js';
import { PricesController } from './prices.controller.js';

@Module({
  imports: [
    SalesModule,
    ShopsModule,
    SnapshotModule,
    MongooseModule.forFeature([{ name: PRICE_CHANGE_MODEL, schema: priceChangeSchema }]),
  ],
  controllers: [PricesController],
  providers: [PriceChangesRepository, PriceHistoryService, PriorPricesService],
  exports: [PriceHistoryService],
})
export class PricingModule {
  constructor(parts: CatalogueParts, prior: PriorPricesService) {
    parts.add({ priorPrices: ({ id }, transaction, reduced) => prior.of(id, reduced, transaction) });
  }
}

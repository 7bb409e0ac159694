import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuditModule } from '../../events/audit/audit.module.js';
import { JobsModule } from '../../platform/jobs/jobs.module.js';
import { ProductsModule } from '../../catalogue/products/products.module.js';
import { ServersModule } from '../../catalogue/servers/servers.module.js';
import { ShopsModule } from '../../shops/shops/shops.module.js';
import { BREAKDOWN_SUM_MODEL, breakdownSumSchema } from './breakdown-sum.schema.js';
import { BreakdownSumsRepository } from './breakdown-sums.repository.js';
import { BreakdownsService } from './breakdowns.service.js';
import { BUYER_NUMBER_MODEL, buyerNumberSchema } from './buyer-number.schema.js';
import { BuyerNumbersRepository } from './buyer-numbers.repository.js';
import { BUYER_SUM_MODEL, buyerSumSchema } from './buyer-sum.schema.js';
import { BuyerSumsRepository } from './buyer-sums.repository.js';
import { FoldedSalesService } from './folded-sales.service.js';
import { FoldingService } from './folding.service.js';
import { LedgerModule } from '../../orders/ledger/ledger.module.js';
import { RollupJobsService } from './rollup-jobs.service.js';
import { ROLLUP_MODEL, rollupSchema } from './rollup.schema.js';
import { ROLLUP_STATE_MODEL, rollupStateSchema } from './rollup-state.schema.js';
import { RollupStatesRepository } from './rollup-states.repository.js';
import { RollupsRepository } from './rollups.repository.js';
import { RollupsService } from './rollups.service.js';
import { SALE_MODEL, saleSchema } from './sale.schema.js';
import { SalesRepository } from './sales.repository.js';
import { SalesService } from './sales.service.js';
import { ShopFiguresService } from './shop-figures.service.js';
import { StatsController } from './stats.controller.js';
import { StatsService } from './stats.service.js';

@Module({
  imports: [
    AuditModule,
    JobsModule,
    LedgerModule,
    ProductsModule,
    ServersModule,
    ShopsModule,
    MongooseModule.forFeature([
      { name: SALE_MODEL, schema: saleSchema },
      { name: ROLLUP_MODEL, schema: rollupSchema },
      { name: ROLLUP_STATE_MODEL, schema: rollupStateSchema },
      { name: BUYER_NUMBER_MODEL, schema: buyerNumberSchema },
      { name: BUYER_SUM_MODEL, schema: buyerSumSchema },
      { name: BREAKDOWN_SUM_MODEL, schema: breakdownSumSchema },
    ]),
  ],
  controllers: [StatsController],
  providers: [
    SalesRepository,
    RollupsRepository,
    RollupStatesRepository,
    BuyerNumbersRepository,
    BuyerSumsRepository,
    BreakdownSumsRepository,
    FoldingService,
    FoldedSalesService,
    RollupsService,
    RollupJobsService,
    SalesService,
    BreakdownsService,
    ShopFiguresService,
    StatsService,
  ],
  exports: [ShopFiguresService],
})
export class StatsModule {}

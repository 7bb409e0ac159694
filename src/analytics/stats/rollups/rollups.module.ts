import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuditModule } from '../../../events/audit/audit.module.js';
import { LedgerModule } from '../../../orders/ledger/ledger.module.js';
import { PersonalDataRegistry } from '../../../infrastructure/buyers/personal-data.js';
import { JobsModule } from '../../../infrastructure/jobs/jobs.module.js';
import { ShopsModule } from '../../../shops/shops/shops.module.js';
import { BUYER_SUM_MODEL, buyerSumSchema } from './buyer-sum.schema.js';
import { BuyerSumsRepository } from './buyer-sums.repository.js';
import { FoldingService } from './folding.service.js';
import { RollupJobsService } from './rollup-jobs.service.js';
import { ROLLUP_STATE_MODEL, rollupStateSchema } from './rollup-state.schema.js';
import { RollupStatesRepository } from './rollup-states.repository.js';
import { ROLLUP_MODEL, rollupSchema } from './rollup.schema.js';
import { RollupsRepository } from './rollups.repository.js';
import { RollupsService } from './rollups.service.js';
import { SalesService } from './sales.service.js';

/** Keeps sums of the sales of shops, and computes exact sales from them. */
@Module({
  imports: [
    AuditModule,
    JobsModule,
    LedgerModule,
    ShopsModule,
    MongooseModule.forFeature([
      { name: ROLLUP_MODEL, schema: rollupSchema },
      { name: ROLLUP_STATE_MODEL, schema: rollupStateSchema },
      { name: BUYER_SUM_MODEL, schema: buyerSumSchema },
    ]),
  ],
  providers: [
    RollupsRepository,
    RollupStatesRepository,
    BuyerSumsRepository,
    FoldingService,
    RollupsService,
    RollupJobsService,
    SalesService,
  ],
  exports: [SalesService, RollupsService],
})
export class RollupsModule {
  constructor(personalData: PersonalDataRegistry, rollups: RollupsService, sales: SalesService) {
    personalData.add({
      collection: 'stats_buyer_sums',
      read: ({ shopId, mailbox }) => (mailbox === null ? [] : sales.sumsOfBuyer(shopId, mailbox)),
      eraseBuyer:
        ({ shopId, mailbox }, scrubber) =>
        async (transaction) => {
          if (mailbox !== null)
            await rollups.renameBuyer(shopId, mailbox, scrubber.string('mailbox', mailbox), transaction);
        },
    });
  }
}

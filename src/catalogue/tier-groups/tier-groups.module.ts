import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { QuotasModule } from '../../infrastructure/quotas/quotas.module.js';
import { CatalogueParts } from '../snapshot/catalogue-parts.js';
import { SnapshotModule } from '../snapshot/snapshot.module.js';
import { TIER_GROUP_MODEL, tierGroupSchema } from './tier-group.schema.js';
import { TierGroupsController } from './tier-groups.controller.js';
import { TierGroupsRepository } from './tier-groups.repository.js';
import { TierGroupsService } from './tier-groups.service.js';

@Module({
  imports: [
    QuotasModule,
    SnapshotModule,
    MongooseModule.forFeature([{ name: TIER_GROUP_MODEL, schema: tierGroupSchema }]),
  ],
  controllers: [TierGroupsController],
  providers: [TierGroupsRepository, TierGroupsService],
  exports: [TierGroupsService],
})
export class TierGroupsModule {
  constructor(parts: CatalogueParts, groups: TierGroupsService) {
    parts.add({ tierGroups: ({ id }, transaction) => groups.sold(id, transaction) });
  }
}

import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuditModule } from '../../events/audit/audit.module.js';
import { PersonalDataRegistry } from '../../infrastructure/buyers/personal-data.js';
import { JobsModule } from '../../infrastructure/jobs/jobs.module.js';
import { BansModule } from '../bans/bans.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { OrdersModule } from '../order/orders.module.js';
import { BUYER_PROFILE_MODEL, buyerProfileSchema } from './buyer-profile.schema.js';
import { BuyerOrdersRepository } from './buyer-orders.repository.js';
import { BuyerProfilesController } from './buyer-profiles.controller.js';
import { BuyerProfilesRepository } from './buyer-profiles.repository.js';
import { BuyerProfilesService } from './buyer-profiles.service.js';
import { ProfileFoldingService } from './profile-folding.service.js';

@Module({
  imports: [
    AuditModule,
    BansModule,
    JobsModule,
    LedgerModule,
    OrdersModule,
    MongooseModule.forFeature([{ name: BUYER_PROFILE_MODEL, schema: buyerProfileSchema }]),
  ],
  controllers: [BuyerProfilesController],
  providers: [BuyerOrdersRepository, BuyerProfilesRepository, BuyerProfilesService, ProfileFoldingService],
  exports: [BuyerProfilesService],
})
export class BuyerProfilesModule {
  constructor(personalData: PersonalDataRegistry, folding: ProfileFoldingService) {
    personalData.add(folding.personalData());
  }
}

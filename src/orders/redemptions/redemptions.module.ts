import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { DiscountsModule } from '../../catalogue/discounts/discounts.module.js';
import { REDEMPTION_MODEL, redemptionSchema } from './redemption.schema.js';
import { RedemptionsRepository } from './redemptions.repository.js';
import { RedemptionsService } from './redemptions.service.js';

@Module({
  imports: [DiscountsModule, MongooseModule.forFeature([{ name: REDEMPTION_MODEL, schema: redemptionSchema }])],
  providers: [RedemptionsRepository, RedemptionsService],
  exports: [RedemptionsService],
})
export class RedemptionsModule {}

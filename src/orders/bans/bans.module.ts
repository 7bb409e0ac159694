import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuditModule } from '../../events/audit/audit.module.js';
import { PersonalDataRegistry } from '../../infrastructure/buyers/personal-data.js';
import { QuotasModule } from '../../infrastructure/quotas/quotas.module.js';
import { ShopsModule } from '../../shops/shops/shops.module.js';
import { BAN_MODEL, banSchema } from './ban.schema.js';
import { BansController } from './bans.controller.js';
import { BansRepository } from './bans.repository.js';
import { BansService } from './bans.service.js';

@Module({
  imports: [
    AuditModule,
    QuotasModule,
    ShopsModule,
    MongooseModule.forFeature([{ name: BAN_MODEL, schema: banSchema }]),
  ],
  controllers: [BansController],
  providers: [BansRepository, BansService],
  exports: [BansService],
})
export class BansModule {
  constructor(personalData: PersonalDataRegistry, bans: BansRepository) {
    personalData.add(bans.personalData());
  }
}

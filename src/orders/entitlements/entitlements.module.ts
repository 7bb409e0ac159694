import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { DeliveriesModule } from '../../delivery/deliveries/deliveries.module.js';
import { PersonalDataRegistry } from '../../infrastructure/buyers/personal-data.js';
import { QuotasModule } from '../../infrastructure/quotas/quotas.module.js';
import { ENTITLEMENT_MODEL, entitlementSchema } from './entitlement.schema.js';
import { EntitlementsRepository } from './entitlements.repository.js';
import { EntitlementsService } from './entitlements.service.js';

@Module({
  imports: [
    MongooseModule.forFeature([{ name: ENTITLEMENT_MODEL, schema: entitlementSchema }]),
    DeliveriesModule,
    QuotasModule,
  ],
  providers: [EntitlementsRepository, EntitlementsService],
  exports: [EntitlementsService],
})
export class EntitlementsModule {
  constructor(personalData: PersonalDataRegistry, entitlements: EntitlementsRepository) {
    personalData.add(entitlements.personalData());
  }
}

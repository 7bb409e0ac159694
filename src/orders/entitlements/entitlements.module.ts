import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ProductsModule } from '../../catalogue/products/products.module.js';
import { SnapshotModule } from '../../catalogue/snapshot/snapshot.module.js';
import { DeliveriesModule } from '../../delivery/deliveries/deliveries.module.js';
import { PersonalDataRegistry } from '../../infrastructure/buyers/personal-data.js';
import { QuotasModule } from '../../infrastructure/quotas/quotas.module.js';
import { ShopsModule } from '../../shops/shops/shops.module.js';
import { EntitlementListService } from './entitlement-list.service.js';
import { ENTITLEMENT_MODEL, entitlementSchema } from './entitlement.schema.js';
import { EntitlementsController } from './entitlements.controller.js';
import { EntitlementsRepository } from './entitlements.repository.js';
import { UpgradesService } from './upgrades.service.js';
import { EntitlementsService } from './entitlements.service.js';

@Module({
  imports: [
    MongooseModule.forFeature([{ name: ENTITLEMENT_MODEL, schema: entitlementSchema }]),
    DeliveriesModule,
    ProductsModule,
    QuotasModule,
    ShopsModule,
    SnapshotModule,
  ],
  controllers: [EntitlementsController],
  providers: [EntitlementListService, EntitlementsRepository, EntitlementsService, UpgradesService],
  exports: [EntitlementListService, EntitlementsService, UpgradesService],
})
export class EntitlementsModule {
  constructor(personalData: PersonalDataRegistry, entitlements: EntitlementsRepository) {
    personalData.add(entitlements.personalData());
  }
}

import { Module } from '@nestjs/common';
import { SnapshotModule } from '../../catalogue/snapshot/snapshot.module.js';
import { AuditModule } from '../../events/audit/audit.module.js';
import { QuotasModule } from '../../infrastructure/quotas/quotas.module.js';
import { ShopsModule } from '../../shops/shops/shops.module.js';
import { BansModule } from '../bans/bans.module.js';
import { EntitlementsModule } from '../entitlements/entitlements.module.js';
import { FulfilmentModule } from '../fulfilment/fulfilment.module.js';
import { OrdersModule } from '../order/orders.module.js';
import { ReservationsModule } from '../reservations/reservations.module.js';
import { BuyerChecksService } from './buyer-checks.service.js';
import { CheckoutController } from './checkout.controller.js';
import { CheckoutService } from './checkout.service.js';
import { OrderPlacementRepository } from './order-placement.repository.js';
import { OrderPlacementService } from './order-placement.service.js';

@Module({
  imports: [
    AuditModule,
    BansModule,
    EntitlementsModule,
    FulfilmentModule,
    OrdersModule,
    QuotasModule,
    ReservationsModule,
    ShopsModule,
    SnapshotModule,
  ],
  controllers: [CheckoutController],
  exports: [CheckoutService],
  providers: [BuyerChecksService, CheckoutService, OrderPlacementRepository, OrderPlacementService],
})
export class CheckoutModule {}

import { Module } from '@nestjs/common';
import { AuditModule } from '../../events/audit/audit.module.js';
import { BansModule } from '../bans/bans.module.js';
import { DeliveriesModule } from '../../delivery/deliveries/deliveries.module.js';
import { OrdersModule } from '../order/orders.module.js';
import { OrderStockModule } from '../stock/order-stock.module.js';
import { QuotasModule } from '../../infrastructure/quotas/quotas.module.js';
import { RedemptionsModule } from '../redemptions/redemptions.module.js';
import { BuyerChecksService } from './buyer-checks.service.js';
import { OrderPlacementRepository } from './order-placement.repository.js';
import { OrderPlacementService } from './order-placement.service.js';

@Module({
  imports: [AuditModule, BansModule, DeliveriesModule, OrdersModule, OrderStockModule, QuotasModule, RedemptionsModule],
  providers: [OrderPlacementRepository, BuyerChecksService, OrderPlacementService],
  exports: [OrderPlacementService],
})
export class OrderPlacementModule {}

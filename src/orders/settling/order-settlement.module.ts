import { Module } from '@nestjs/common';
import { AuditModule } from '../../events/audit/audit.module.js';
import { DeliveriesModule } from '../../delivery/deliveries/deliveries.module.js';
import { DeliveryStatusModule } from '../delivery-status/delivery-status.module.js';
import { OrderEndingModule } from '../ending/order-ending.module.js';
import { OrdersModule } from '../order/orders.module.js';
import { OrderStockModule } from '../stock/order-stock.module.js';
import { RedemptionsModule } from '../redemptions/redemptions.module.js';
import { OrderSettlementService } from './order-settlement.service.js';

@Module({
  imports: [
    AuditModule,
    DeliveriesModule,
    DeliveryStatusModule,
    OrderEndingModule,
    OrdersModule,
    OrderStockModule,
    RedemptionsModule,
  ],
  providers: [OrderSettlementService],
  exports: [OrderSettlementService],
})
export class OrderSettlementModule {}

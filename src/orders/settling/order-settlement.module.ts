import { Module } from '@nestjs/common';
import { AuditModule } from '../../events/audit/audit.module.js';
import { DeliveriesModule } from '../../delivery/deliveries/deliveries.module.js';
import { EntitlementsModule } from '../entitlements/entitlements.module.js';
import { FulfilmentModule } from '../fulfilment/fulfilment.module.js';
import { OrderEndingModule } from '../ending/order-ending.module.js';
import { OrdersModule } from '../order/orders.module.js';
import { ReservationsModule } from '../reservations/reservations.module.js';
import { OrderSettlementService } from './order-settlement.service.js';

@Module({
  imports: [
    AuditModule,
    DeliveriesModule,
    EntitlementsModule,
    FulfilmentModule,
    OrderEndingModule,
    OrdersModule,
    ReservationsModule,
  ],
  providers: [OrderSettlementService],
  exports: [OrderSettlementService],
})
export class OrderSettlementModule {}

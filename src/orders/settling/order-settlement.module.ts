import { Module } from '@nestjs/common';
import { AuditModule } from '../../events/audit/audit.module.js';
import { DeliveriesModule } from '../../delivery/deliveries/deliveries.module.js';
import { EntitlementsModule } from '../entitlements/entitlements.module.js';
import { FulfilmentModule } from '../fulfilment/fulfilment.module.js';
import { OrderEndingModule } from '../ending/order-ending.module.js';
import { OrdersModule } from '../order/orders.module.js';
import { ReservationsModule } from '../reservations/reservations.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { ItemRefundsRepository } from './item-refunds.repository.js';
import { ItemRefundsService } from './item-refunds.service.js';
import { OrderSettlementService } from './order-settlement.service.js';

@Module({
  imports: [
    AuditModule,
    DeliveriesModule,
    EntitlementsModule,
    FulfilmentModule,
    LedgerModule,
    OrderEndingModule,
    OrdersModule,
    ReservationsModule,
  ],
  providers: [ItemRefundsRepository, ItemRefundsService, OrderSettlementService],
  exports: [ItemRefundsService, OrderSettlementService],
})
export class OrderSettlementModule {}

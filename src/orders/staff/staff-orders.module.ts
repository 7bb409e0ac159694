import { Module } from '@nestjs/common';
import { DeliveriesModule } from '../../delivery/deliveries/deliveries.module.js';
import { DeliveryStatusModule } from '../delivery-status/delivery-status.module.js';
import { OrderEndingModule } from '../ending/order-ending.module.js';
import { OrderSettlementModule } from '../settling/order-settlement.module.js';
import { OrdersModule } from '../order/orders.module.js';
import { ShopsModule } from '../../shops/shops/shops.module.js';
import { OrderSearchRepository } from './order-search.repository.js';
import { StaffOrdersController } from './staff-orders.controller.js';
import { StaffOrdersService } from './staff-orders.service.js';

@Module({
  imports: [
    DeliveriesModule,
    DeliveryStatusModule,
    OrderEndingModule,
    OrderSettlementModule,
    OrdersModule,
    ShopsModule,
  ],
  controllers: [StaffOrdersController],
  providers: [OrderSearchRepository, StaffOrdersService],
  exports: [StaffOrdersService],
})
export class StaffOrdersModule {}

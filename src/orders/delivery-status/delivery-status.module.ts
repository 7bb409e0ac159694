import { Module } from '@nestjs/common';
import { AuditModule } from '../../events/audit/audit.module.js';
import { DeliveriesModule } from '../../delivery/deliveries/deliveries.module.js';
import { OrdersModule } from '../order/orders.module.js';
import { ShopEventsModule } from '../../events/shop-events/shop-events.module.js';
import { DeliveryStatusRepository } from './delivery-status.repository.js';
import { DeliveryStatusService } from './delivery-status.service.js';

@Module({
  imports: [AuditModule, DeliveriesModule, OrdersModule, ShopEventsModule],
  providers: [DeliveryStatusRepository, DeliveryStatusService],
  exports: [DeliveryStatusService],
})
export class DeliveryStatusModule {}

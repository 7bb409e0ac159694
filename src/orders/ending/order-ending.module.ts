import { Module } from '@nestjs/common';
import { AuditModule } from '../../events/audit/audit.module.js';
import { JobsModule } from '../../infrastructure/jobs/jobs.module.js';
import { OrdersModule } from '../order/orders.module.js';
import { ReservationsModule } from '../reservations/reservations.module.js';
import { ShopEventsModule } from '../../events/shop-events/shop-events.module.js';
import { OrderEndingRepository } from './order-ending.repository.js';
import { OrderEndingService } from './order-ending.service.js';
import { OrderExpiryService } from './order-expiry.service.js';

@Module({
  imports: [AuditModule, JobsModule, OrdersModule, ReservationsModule, ShopEventsModule],
  providers: [OrderEndingRepository, OrderEndingService, OrderExpiryService],
  exports: [OrderEndingService],
})
export class OrderEndingModule {}

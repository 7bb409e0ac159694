import { Module } from '@nestjs/common';
import { AuditModule } from '../../events/audit/audit.module.js';
import { JobsModule } from '../../infrastructure/jobs/jobs.module.js';
import { OrdersModule } from '../order/orders.module.js';
import { OrderStockModule } from '../stock/order-stock.module.js';
import { RedemptionsModule } from '../redemptions/redemptions.module.js';
import { ShopEventsModule } from '../../events/shop-events/shop-events.module.js';
import { OrderEndingRepository } from './order-ending.repository.js';
import { OrderEndingService } from './order-ending.service.js';
import { OrderExpiryService } from './order-expiry.service.js';

@Module({
  imports: [AuditModule, JobsModule, OrdersModule, OrderStockModule, RedemptionsModule, ShopEventsModule],
  providers: [OrderEndingRepository, OrderEndingService, OrderExpiryService],
  exports: [OrderEndingService],
})
export class OrderEndingModule {}

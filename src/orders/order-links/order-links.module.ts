import { Module } from '@nestjs/common';
import { OutboxModule } from '../../events/outbox/outbox.module.js';
import { ShopsModule } from '../../shops/shops/shops.module.js';
import { OrdersModule } from '../order/orders.module.js';
import { OrderLinksController } from './order-links.controller.js';
import { OrderLinksService } from './order-links.service.js';

@Module({
  imports: [OrdersModule, OutboxModule, ShopsModule],
  controllers: [OrderLinksController],
  providers: [OrderLinksService],
  exports: [OrderLinksService],
})
export class OrderLinksModule {}

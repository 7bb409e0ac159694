import { Module } from '@nestjs/common';
import { ServersModule } from '../../catalogue/servers/servers.module.js';
import { OrdersModule } from '../../orders/order/orders.module.js';
import { ShopsModule } from '../../shops/shops/shops.module.js';
import { BuyerOrdersController } from './buyer-orders.controller.js';
import { BuyerOrdersService } from './buyer-orders.service.js';

@Module({
  imports: [OrdersModule, ServersModule, ShopsModule],
  controllers: [BuyerOrdersController],
  providers: [BuyerOrdersService],
  exports: [BuyerOrdersService],
})
export class BuyerOrdersModule {}

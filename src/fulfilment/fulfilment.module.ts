import { Module } from '@nestjs/common';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { OrdersModule } from '../orders/orders.module.js';
import { ServersModule } from '../servers/servers.module.js';
import { FulfilmentController } from './fulfilment.controller.js';
import { FulfilmentService } from './fulfilment.service.js';

@Module({
  imports: [DeliveriesModule, OrdersModule, ServersModule],
  controllers: [FulfilmentController],
  providers: [FulfilmentService],
})
export class FulfilmentModule {}

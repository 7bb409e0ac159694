import { Module } from '@nestjs/common';
import { JobsModule } from '../../platform/jobs/jobs.module.js';
import { DeliveriesModule } from '../../delivery/deliveries/deliveries.module.js';
import { OrdersModule } from '../order/orders.module.js';
import { ServersModule } from '../../catalogue/servers/servers.module.js';
import { AbandonedDeliveriesService } from './abandoned-deliveries.service.js';
import { FulfilmentController } from './fulfilment.controller.js';
import { FulfilmentService } from './fulfilment.service.js';

@Module({
  imports: [DeliveriesModule, JobsModule, OrdersModule, ServersModule],
  controllers: [FulfilmentController],
  providers: [AbandonedDeliveriesService, FulfilmentService],
})
export class FulfilmentModule {}

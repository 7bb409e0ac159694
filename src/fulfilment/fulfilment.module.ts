import { Module } from '@nestjs/common';
import { JobsModule } from '../common/jobs/jobs.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { OrdersModule } from '../orders/orders.module.js';
import { ServersModule } from '../servers/servers.module.js';
import { AbandonedDeliveriesService } from './abandoned-deliveries.service.js';
import { FulfilmentController } from './fulfilment.controller.js';
import { FulfilmentService } from './fulfilment.service.js';

@Module({
  imports: [DeliveriesModule, JobsModule, OrdersModule, ServersModule],
  controllers: [FulfilmentController],
  providers: [AbandonedDeliveriesService, FulfilmentService],
})
export class FulfilmentModule {}

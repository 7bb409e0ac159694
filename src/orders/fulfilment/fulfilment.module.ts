import { Module } from '@nestjs/common';
import { JobsModule } from '../../infrastructure/jobs/jobs.module.js';
import { DeliveriesModule } from '../../delivery/deliveries/deliveries.module.js';
import { DeliveryStatusModule } from '../delivery-status/delivery-status.module.js';
import { ServersModule } from '../../catalogue/servers/servers.module.js';
import { AbandonedDeliveriesService } from './abandoned-deliveries.service.js';
import { DeletedServersService } from './deleted-servers.service.js';
import { FulfilmentController } from './fulfilment.controller.js';
import { FulfilmentService } from './fulfilment.service.js';

@Module({
  imports: [DeliveriesModule, DeliveryStatusModule, JobsModule, ServersModule],
  controllers: [FulfilmentController],
  providers: [AbandonedDeliveriesService, DeletedServersService, FulfilmentService],
})
export class FulfilmentModule {}

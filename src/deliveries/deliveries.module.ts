import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { CommandsModule } from '../commands/commands.module.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveriesService } from './deliveries.service.js';
import { DELIVERY_MODEL, deliverySchema } from './delivery.schema.js';

@Module({
  imports: [CommandsModule, MongooseModule.forFeature([{ name: DELIVERY_MODEL, schema: deliverySchema }])],
  providers: [DeliveriesRepository, DeliveriesService],
  exports: [DeliveriesService],
})
export class DeliveriesModule {}

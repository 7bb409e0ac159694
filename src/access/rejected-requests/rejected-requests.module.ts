import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { JobsModule } from '../../infrastructure/jobs/jobs.module.js';
import { RejectedRequestsController } from './rejected-requests.controller.js';
import { RejectedRequestsRepository } from './rejected-requests.repository.js';
import { REJECTED_REQUESTS_MODEL, rejectedRequestsSchema } from './rejected-requests.schema.js';
import { RejectedRequestsService } from './rejected-requests.service.js';

@Module({
  imports: [JobsModule, MongooseModule.forFeature([{ name: REJECTED_REQUESTS_MODEL, schema: rejectedRequestsSchema }])],
  controllers: [RejectedRequestsController],
  providers: [RejectedRequestsRepository, RejectedRequestsService],
})
export class RejectedRequestsModule {}

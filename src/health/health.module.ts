import { Module } from '@nestjs/common';
import { JobsModule } from '../common/jobs/jobs.module.js';
import { OutboxModule } from '../outbox/outbox.module.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';

@Module({ imports: [JobsModule, OutboxModule], controllers: [HealthController], providers: [HealthService] })
export class HealthModule {}

import { Module } from '@nestjs/common';
import { JobsModule } from '../../infrastructure/jobs/jobs.module.js';
import { OutboxModule } from '../../events/outbox/outbox.module.js';
import { DataDisk } from './data-disk.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';
import { VersionService } from './version.service.js';

@Module({
  imports: [JobsModule, OutboxModule],
  controllers: [HealthController],
  providers: [DataDisk, HealthService, VersionService],
  exports: [DataDisk],
})
export class HealthModule {}

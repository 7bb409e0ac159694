import { Module } from '@nestjs/common';
import { AuditModule } from '../../events/audit/audit.module.js';
import { ShopsModule } from '../../shops/shops/shops.module.js';
import { ActorsModule } from '../actors/actors.module.js';
import { AuditLogController } from './audit-log.controller.js';
import { AuditLogService } from './audit-log.service.js';

@Module({
  imports: [ActorsModule, AuditModule, ShopsModule],
  controllers: [AuditLogController],
  providers: [AuditLogService],
})
export class AuditLogModule {}

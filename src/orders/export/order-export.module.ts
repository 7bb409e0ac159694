import { Module } from '@nestjs/common';
import { AuditModule } from '../../events/audit/audit.module.js';
import { StaffOrdersModule } from '../staff/staff-orders.module.js';
import { OrderExportController } from './order-export.controller.js';
import { OrderExportService } from './order-export.service.js';

@Module({
  imports: [AuditModule, StaffOrdersModule],
  controllers: [OrderExportController],
  providers: [OrderExportService],
})
export class OrderExportModule {}

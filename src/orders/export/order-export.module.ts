import { Module } from '@nestjs/common';
import { AuditModule } from '../../events/audit/audit.module.js';
import { ShopsModule } from '../../shops/shops/shops.module.js';
import { StaffOrdersModule } from '../staff/staff-orders.module.js';
import { OrderExportController } from './order-export.controller.js';
import { OrderExportService } from './order-export.service.js';

@Module({
  imports: [AuditModule, ShopsModule, StaffOrdersModule],
  controllers: [OrderExportController],
  providers: [OrderExportService],
})
export class OrderExportModule {}

import { Module } from '@nestjs/common';
import { SnapshotModule } from '../../catalogue/snapshot/snapshot.module.js';
import { FulfilmentModule } from '../fulfilment/fulfilment.module.js';
import { AuditModule } from '../../events/audit/audit.module.js';
import { ShopsModule } from '../../shops/shops/shops.module.js';
import { OrdersModule } from '../order/orders.module.js';
import { ReservationsModule } from '../reservations/reservations.module.js';
import { GrantsController } from './grants.controller.js';
import { GrantsService } from './grants.service.js';

@Module({
  imports: [AuditModule, FulfilmentModule, OrdersModule, ReservationsModule, ShopsModule, SnapshotModule],
  controllers: [GrantsController],
  providers: [GrantsService],
})
export class GrantsModule {}

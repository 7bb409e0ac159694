import { Module } from '@nestjs/common';
import { ActorsModule } from '../../access/actors/actors.module.js';
import { DeliveriesModule } from '../../delivery/deliveries/deliveries.module.js';
import { FulfilmentModule } from '../fulfilment/fulfilment.module.js';
import { AuditModule } from '../../events/audit/audit.module.js';
import { OrderEndingModule } from '../ending/order-ending.module.js';
import { OrderSettlementModule } from '../settling/order-settlement.module.js';
import { OrdersModule } from '../order/orders.module.js';
import { ShopsModule } from '../../shops/shops/shops.module.js';
import { OrderCountsController } from './order-counts.controller.js';
import { OrderDetailsService } from './order-details.service.js';
import { DeliveryDecisionsController } from './delivery-decisions.controller.js';
import { OrderExportController } from './order-export.controller.js';
import { OrderExportService } from './order-export.service.js';
import { OrderSearchRepository } from './order-search.repository.js';
import { OverviewModule } from '../../shops/overview/overview.module.js';
import { OverviewParts } from '../../shops/overview/overview-parts.js';
import { OrdersOverviewService } from './orders-overview.service.js';
import { StaffOrdersController } from './staff-orders.controller.js';
import { StaffOrdersService } from './staff-orders.service.js';

@Module({
  imports: [
    ActorsModule,
    AuditModule,
    DeliveriesModule,
    FulfilmentModule,
    OrderEndingModule,
    OrderSettlementModule,
    OrdersModule,
    OverviewModule,
    ShopsModule,
  ],
  // `orders/:shopId/:orderId` matches the paths of the export and the counts too: the first match counts.
  controllers: [DeliveryDecisionsController, OrderCountsController, OrderExportController, StaffOrdersController],
  providers: [
    OrderDetailsService,
    OrderExportService,
    OrderSearchRepository,
    OrdersOverviewService,
    StaffOrdersService,
  ],
  exports: [StaffOrdersService],
})
export class StaffOrdersModule {
  constructor(parts: OverviewParts, overview: OrdersOverviewService) {
    parts.add({ permission: 'orders:read', read: (_shop, context) => overview.read(context) });
  }
}

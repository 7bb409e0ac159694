import { Module } from '@nestjs/common';
import { JobsModule } from '../../infrastructure/jobs/jobs.module.js';
import { DeliveriesModule } from '../../delivery/deliveries/deliveries.module.js';
import { AuditModule } from '../../events/audit/audit.module.js';
import { ShopEventsModule } from '../../events/shop-events/shop-events.module.js';
import { EntitlementsModule } from '../entitlements/entitlements.module.js';
import { ReservationsModule } from '../reservations/reservations.module.js';
import { OrdersModule } from '../order/orders.module.js';
import { ServersModule } from '../../catalogue/servers/servers.module.js';
import { ShopsModule } from '../../shops/shops/shops.module.js';
import { AbandonedDeliveriesService } from './abandoned-deliveries.service.js';
import { BulkRedeliveryService } from './bulk-redelivery.service.js';
import { DeletedServersService } from './deleted-servers.service.js';
import { DeliveryDecisionsService } from './delivery-decisions.service.js';
import { DeliveryStatusRepository } from './delivery-status.repository.js';
import { DeliveryStatusService } from './delivery-status.service.js';
import { EndedEntitlementsService } from './ended-entitlements.service.js';
import { EntitlementChangesController } from './entitlement-changes.controller.js';
import { EntitlementChangesService } from './entitlement-changes.service.js';
import { FulfilmentController } from './fulfilment.controller.js';
import { FulfilmentService } from './fulfilment.service.js';
import { RedeliveriesController } from './redeliveries.controller.js';

@Module({
  imports: [
    AuditModule,
    DeliveriesModule,
    EntitlementsModule,
    JobsModule,
    OrdersModule,
    ReservationsModule,
    ServersModule,
    ShopEventsModule,
    ShopsModule,
  ],
  controllers: [EntitlementChangesController, FulfilmentController, RedeliveriesController],
  providers: [
    AbandonedDeliveriesService,
    BulkRedeliveryService,
    DeletedServersService,
    DeliveryDecisionsService,
    DeliveryStatusRepository,
    DeliveryStatusService,
    EndedEntitlementsService,
    EntitlementChangesService,
    FulfilmentService,
  ],
  exports: [DeliveryDecisionsService, DeliveryStatusService, FulfilmentService],
})
export class FulfilmentModule {}

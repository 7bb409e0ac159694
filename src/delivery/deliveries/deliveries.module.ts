import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { CommandsModule } from '../../catalogue/commands/commands.module.js';
import { ServersModule } from '../../catalogue/servers/servers.module.js';
import { AbandonedDeliveriesRepository } from './abandoned-deliveries.repository.js';
import { DeliveriesController } from './deliveries.controller.js';
import { JobsModule } from '../../infrastructure/jobs/jobs.module.js';
import { OverviewModule } from '../../shops/overview/overview.module.js';
import { OverviewParts } from '../../shops/overview/overview-parts.js';
import { DeliveriesOverviewRepository } from './deliveries-overview.repository.js';
import { DeliveriesOverviewService } from './deliveries-overview.service.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveriesService } from './deliveries.service.js';
import { DELIVERY_ATTEMPT_MODEL, deliveryAttemptSchema } from './delivery-attempt.schema.js';
import { DeliveryAttemptsRepository } from './delivery-attempts.repository.js';
import { DeliveryLeasesService } from './delivery-leases.service.js';
import { DELIVERY_MODEL, deliverySchema } from './delivery.schema.js';
import { DeliveryTimesService } from './delivery-times.service.js';
import { FailedDeliveriesRepository } from './failed-deliveries.repository.js';
import { FailedDeliveriesService } from './failed-deliveries.service.js';
import { FollowUpsService } from './follow-ups.service.js';
import { KeptNamesRepository } from './kept-names.repository.js';
import { KeptNamesService } from './kept-names.service.js';
import { OrderDeliveriesRepository } from './order-deliveries.repository.js';
import { UncertainDeliveriesService } from './uncertain-deliveries.service.js';
import { PersonalDataRegistry } from '../../infrastructure/buyers/personal-data.js';
import { TotalsRegistry } from '../../infrastructure/totals/totals.js';

@Module({
  imports: [
    CommandsModule,
    JobsModule,
    OverviewModule,
    ServersModule,
    MongooseModule.forFeature([
      { name: DELIVERY_MODEL, schema: deliverySchema },
      { name: DELIVERY_ATTEMPT_MODEL, schema: deliveryAttemptSchema },
    ]),
  ],
  controllers: [DeliveriesController],
  providers: [
    AbandonedDeliveriesRepository,
    DeliveriesOverviewRepository,
    DeliveriesOverviewService,
    DeliveriesRepository,
    OrderDeliveriesRepository,
    UncertainDeliveriesService,
    DeliveryAttemptsRepository,
    DeliveriesService,
    DeliveryLeasesService,
    DeliveryTimesService,
    FailedDeliveriesRepository,
    FailedDeliveriesService,
    FollowUpsService,
    KeptNamesRepository,
    KeptNamesService,
  ],
  exports: [
    DeliveriesService,
    DeliveryLeasesService,
    FailedDeliveriesService,
    FollowUpsService,
    KeptNamesService,
    UncertainDeliveriesService,
  ],
})
export class DeliveriesModule {
  constructor(
    personalData: PersonalDataRegistry,
    deliveries: OrderDeliveriesRepository,
    attempts: DeliveryAttemptsRepository,
    totals: TotalsRegistry,
    due: DeliveriesRepository,
    parts: OverviewParts,
    overview: DeliveriesOverviewService,
  ) {
    parts.add({ permission: 'deliveries:read', read: (_shop, context, now) => overview.read(context, now) });
    personalData.add(
      deliveries.personalData(),
      attempts.personalData((shopId, orderIds) => deliveries.idsOf(shopId, orderIds)),
    );
    totals.add(due.totals());
  }
}

import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { PersonalDataRegistry } from '../../infrastructure/buyers/personal-data.js';
import { SealedRecordsRegistry } from '../../infrastructure/database/sealed-records.js';
import { AuditModule } from '../../events/audit/audit.module.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { OrdersModule } from '../../orders/order/orders.module.js';
import { OutboxModule } from '../../events/outbox/outbox.module.js';
import { OwnerEmailsModule } from '../../shops/owner-emails/owner-emails.module.js';
import { QuotasModule } from '../../infrastructure/quotas/quotas.module.js';
import { ShopEventsModule } from '../../events/shop-events/shop-events.module.js';
import { ShopsModule } from '../../shops/shops/shops.module.js';
import { OverviewModule } from '../../shops/overview/overview.module.js';
import { OverviewParts } from '../../shops/overview/overview-parts.js';
import { hiddenFrom } from './webhook-access.js';
import { webhooksPart } from './webhooks-overview.js';
import { EventBodiesService } from './event-bodies.service.js';
import { networkAccess } from './network-access.js';
import { WebhookDeliveriesController } from './webhook-deliveries.controller.js';
import { WebhookDeliveriesRepository } from './webhook-deliveries.repository.js';
import { WEBHOOK_DELIVERY_MODEL, webhookDeliverySchema } from './webhook-delivery.schema.js';
import { WebhookDeliveryService } from './webhook-delivery.service.js';
import { WebhookHealthService } from './webhook-health.service.js';
import { WebhookLogService } from './webhook-log.service.js';
import { WebhookQueueService } from './webhook-queue.service.js';
import { WebhookSender } from './webhook-sender.js';
import { WebhookVault } from './webhook-vault.js';
import { WEBHOOK_MODEL, webhookSchema } from './webhook.schema.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksRepository } from './webhooks.repository.js';
import { WebhooksService } from './webhooks.service.js';

/** How many webhooks the overview of a shop reads. The usual quota is less. */
const MAX_SHOWN = 100;

@Module({
  imports: [
    AuditModule,
    OrdersModule,
    OutboxModule,
    OverviewModule,
    OwnerEmailsModule,
    QuotasModule,
    ShopEventsModule,
    ShopsModule,
    MongooseModule.forFeature([
      { name: WEBHOOK_MODEL, schema: webhookSchema },
      { name: WEBHOOK_DELIVERY_MODEL, schema: webhookDeliverySchema },
    ]),
  ],
  controllers: [WebhooksController, WebhookDeliveriesController],
  providers: [
    {
      provide: WebhookSender,
      useFactory: (config: AppConfig) => new WebhookSender(networkAccess(config)),
      inject: [AppConfig],
    },
    WebhookVault,
    WebhooksRepository,
    WebhookDeliveriesRepository,
    EventBodiesService,
    WebhookQueueService,
    WebhookHealthService,
    WebhookDeliveryService,
    WebhookLogService,
    WebhooksService,
  ],
})
export class WebhooksModule {
  constructor(
    records: SealedRecordsRegistry,
    repository: WebhooksRepository,
    vault: WebhookVault,
    personalData: PersonalDataRegistry,
    deliveries: WebhookDeliveriesRepository,
    overview: OverviewParts,
  ) {
    records.add({ kind: 'webhooks', repository, vault });
    personalData.add(deliveries.personalData());
    overview.add({
      permission: 'webhooks:read',
      read: async ({ id }, context) =>
        webhooksPart((await repository.list(id, hiddenFrom(context), { after: null, limit: MAX_SHOWN })).items),
    });
  }
}

import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuditModule } from '../../events/audit/audit.module.js';
import { OrdersModule } from '../../orders/order/orders.module.js';
import { OrderSettlementModule } from '../../orders/settling/order-settlement.module.js';
import { PaymentAccountsModule } from '../accounts/payment-accounts.module.js';
import { INBOX_EVENT_MODEL, inboxEventSchema } from './inbox-event.schema.js';
import { InboxEventsRepository } from './inbox-events.repository.js';
import { PaymentEventsController } from './payment-events.controller.js';
import { PaymentInboxService } from './payment-inbox.service.js';
import { PaymentWebhooksController } from './payment-webhooks.controller.js';
import { PaymentWebhooksService } from './payment-webhooks.service.js';
import { PersonalDataRegistry } from '../../infrastructure/buyers/personal-data.js';
import { TotalsRegistry } from '../../infrastructure/totals/totals.js';

@Module({
  imports: [
    AuditModule,
    OrdersModule,
    OrderSettlementModule,
    PaymentAccountsModule,
    MongooseModule.forFeature([{ name: INBOX_EVENT_MODEL, schema: inboxEventSchema }]),
  ],
  controllers: [PaymentWebhooksController, PaymentEventsController],
  providers: [InboxEventsRepository, PaymentInboxService, PaymentWebhooksService],
  exports: [PaymentInboxService],
})
export class PaymentInboxModule {
  constructor(personalData: PersonalDataRegistry, totals: TotalsRegistry, events: InboxEventsRepository) {
    personalData.add(events.personalData());
    totals.add(events.totals());
  }
}

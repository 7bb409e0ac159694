import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuditModule } from '../audit/audit.module.js';
import { OrdersModule } from '../orders/orders.module.js';
import { OwnerEmailsModule } from '../owner-emails/owner-emails.module.js';
import { CredentialVault } from './credential-vault.js';
import { INBOX_EVENT_MODEL, inboxEventSchema } from './inbox-event.schema.js';
import { InboxEventsRepository } from './inbox-events.repository.js';
import { PaymentInboxService } from './payment-inbox.service.js';
import { PAYMENT_PROVIDER_MODEL, paymentProviderSchema } from './payment-provider.schema.js';
import { PaymentProvidersController } from './payment-providers.controller.js';
import { PaymentProvidersRepository } from './payment-providers.repository.js';
import { PaymentProvidersService } from './payment-providers.service.js';
import { PaymentWebhooksController } from './payment-webhooks.controller.js';
import { PaymentWebhooksService } from './payment-webhooks.service.js';

@Module({
  imports: [
    AuditModule,
    OrdersModule,
    OwnerEmailsModule,
    MongooseModule.forFeature([
      { name: PAYMENT_PROVIDER_MODEL, schema: paymentProviderSchema },
      { name: INBOX_EVENT_MODEL, schema: inboxEventSchema },
    ]),
  ],
  controllers: [PaymentWebhooksController, PaymentProvidersController],
  providers: [
    CredentialVault,
    PaymentProvidersRepository,
    PaymentProvidersService,
    InboxEventsRepository,
    PaymentInboxService,
    PaymentWebhooksService,
  ],
  exports: [PaymentProvidersService],
})
export class PaymentsModule {}

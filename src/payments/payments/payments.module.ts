import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuditModule } from '../../events/audit/audit.module.js';
import { JobsModule } from '../../platform/jobs/jobs.module.js';
import { OrdersModule } from '../../orders/orders/orders.module.js';
import { OwnerEmailsModule } from '../../shops/owner-emails/owner-emails.module.js';
import { ShopsModule } from '../../shops/shops/shops.module.js';
import { BuyerPaymentsController } from './buyer-payments.controller.js';
import { CredentialRotationService } from '../accounts/credential-rotation.service.js';
import { CredentialVault } from '../accounts/credential-vault.js';
import { INBOX_EVENT_MODEL, inboxEventSchema } from '../inbox/inbox-event.schema.js';
import { InboxEventsRepository } from '../inbox/inbox-events.repository.js';
import { PAYMENT_MODEL, paymentSchema } from './payment.schema.js';
import { PaymentAccountsService } from '../accounts/payment-accounts.service.js';
import { PaymentChecksService } from './payment-checks.service.js';
import { PaymentEventsController } from '../inbox/payment-events.controller.js';
import { PaymentInboxService } from '../inbox/payment-inbox.service.js';
import { PAYMENT_PROVIDER_MODEL, paymentProviderSchema } from '../accounts/payment-provider.schema.js';
import { PaymentProvidersController } from '../accounts/payment-providers.controller.js';
import { PaymentProvidersRepository } from '../accounts/payment-providers.repository.js';
import { PaymentProvidersService } from '../accounts/payment-providers.service.js';
import { PaymentWebhooksController } from '../inbox/payment-webhooks.controller.js';
import { PaymentWebhooksService } from '../inbox/payment-webhooks.service.js';
import { PaymentsRepository } from './payments.repository.js';
import { PaymentsService } from './payments.service.js';

@Module({
  imports: [
    AuditModule,
    JobsModule,
    OrdersModule,
    OwnerEmailsModule,
    ShopsModule,
    MongooseModule.forFeature([
      { name: PAYMENT_PROVIDER_MODEL, schema: paymentProviderSchema },
      { name: INBOX_EVENT_MODEL, schema: inboxEventSchema },
      { name: PAYMENT_MODEL, schema: paymentSchema },
    ]),
  ],
  controllers: [
    PaymentWebhooksController,
    PaymentProvidersController,
    BuyerPaymentsController,
    PaymentEventsController,
  ],
  providers: [
    CredentialVault,
    CredentialRotationService,
    PaymentProvidersRepository,
    PaymentProvidersService,
    InboxEventsRepository,
    PaymentInboxService,
    PaymentWebhooksService,
    PaymentAccountsService,
    PaymentsRepository,
    PaymentsService,
    PaymentChecksService,
  ],
  exports: [
    CredentialRotationService,
    PaymentAccountsService,
    PaymentChecksService,
    PaymentProvidersService,
    PaymentsService,
  ],
})
export class PaymentsModule {}

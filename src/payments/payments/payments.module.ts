import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuditModule } from '../../events/audit/audit.module.js';
import { PersonalDataRegistry } from '../../infrastructure/buyers/personal-data.js';
import { TotalsRegistry } from '../../infrastructure/totals/totals.js';
import { JobsModule } from '../../infrastructure/jobs/jobs.module.js';
import { OrdersModule } from '../../orders/order/orders.module.js';
import { ShopsModule } from '../../shops/shops/shops.module.js';
import { PaymentAccountsModule } from '../accounts/payment-accounts.module.js';
import { PaymentInboxModule } from '../inbox/payment-inbox.module.js';
import { BuyerPaymentsController } from './buyer-payments.controller.js';
import { ShopEventsModule } from '../../events/shop-events/shop-events.module.js';
import { DisputeChecksService } from './dispute-checks.service.js';
import { PAYMENT_MODEL, paymentSchema } from './payment.schema.js';
import { PaymentAttemptsService } from './payment-attempts.service.js';
import { PaymentChecksService } from './payment-checks.service.js';
import { PaymentsRepository } from './payments.repository.js';
import { PaymentsService } from './payments.service.js';

@Module({
  imports: [
    AuditModule,
    JobsModule,
    OrdersModule,
    PaymentAccountsModule,
    PaymentInboxModule,
    ShopEventsModule,
    ShopsModule,
    MongooseModule.forFeature([{ name: PAYMENT_MODEL, schema: paymentSchema }]),
  ],
  controllers: [BuyerPaymentsController],
  providers: [DisputeChecksService, PaymentAttemptsService, PaymentChecksService, PaymentsRepository, PaymentsService],
  exports: [PaymentAttemptsService, PaymentChecksService, PaymentsService],
})
export class PaymentsModule {
  constructor(personalData: PersonalDataRegistry, totals: TotalsRegistry, payments: PaymentsRepository) {
    personalData.add(payments.personalData());
    totals.add(payments.totals());
  }
}

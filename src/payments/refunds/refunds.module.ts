import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuditModule } from '../../events/audit/audit.module.js';
import { PersonalDataRegistry } from '../../infrastructure/buyers/personal-data.js';
import { TotalsRegistry } from '../../infrastructure/totals/totals.js';
import { JobsModule } from '../../infrastructure/jobs/jobs.module.js';
import { EntitlementsModule } from '../../orders/entitlements/entitlements.module.js';
import { OrdersModule } from '../../orders/order/orders.module.js';
import { OrderSettlementModule } from '../../orders/settling/order-settlement.module.js';
import { PaymentAccountsModule } from '../accounts/payment-accounts.module.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { ShopEventsModule } from '../../events/shop-events/shop-events.module.js';
import { REFUND_MODEL, refundSchema } from './refund.schema.js';
import { RefundOutcomesService } from './refund-outcomes.service.js';
import { RefundRequestsService } from './refund-requests.service.js';
import { RefundChecksService } from './refund-checks.service.js';
import { RefundsController } from './refunds.controller.js';
import { RefundsRepository } from './refunds.repository.js';
import { RefundsService } from './refunds.service.js';

@Module({
  imports: [
    AuditModule,
    EntitlementsModule,
    JobsModule,
    OrdersModule,
    OrderSettlementModule,
    PaymentAccountsModule,
    PaymentsModule,
    ShopEventsModule,
    MongooseModule.forFeature([{ name: REFUND_MODEL, schema: refundSchema }]),
  ],
  controllers: [RefundsController],
  providers: [RefundsRepository, RefundsService, RefundOutcomesService, RefundRequestsService, RefundChecksService],
})
export class RefundsModule {
  constructor(personalData: PersonalDataRegistry, totals: TotalsRegistry, refunds: RefundsRepository) {
    personalData.add(refunds.personalData());
    totals.add(refunds.totals());
  }
}

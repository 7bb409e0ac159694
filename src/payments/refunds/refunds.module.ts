import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuditModule } from '../../events/audit/audit.module.js';
import { JobsModule } from '../../platform/jobs/jobs.module.js';
import { OrdersModule } from '../../orders/order/orders.module.js';
import { PaymentAccountsModule } from '../accounts/payment-accounts.module.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { ShopEventsModule } from '../../events/shop-events/shop-events.module.js';
import { REFUND_MODEL, refundSchema } from './refund.schema.js';
import { RefundChecksService } from './refund-checks.service.js';
import { RefundsController } from './refunds.controller.js';
import { RefundsRepository } from './refunds.repository.js';
import { RefundsService } from './refunds.service.js';

@Module({
  imports: [
    AuditModule,
    JobsModule,
    OrdersModule,
    PaymentAccountsModule,
    PaymentsModule,
    ShopEventsModule,
    MongooseModule.forFeature([{ name: REFUND_MODEL, schema: refundSchema }]),
  ],
  controllers: [RefundsController],
  providers: [RefundsRepository, RefundsService, RefundChecksService],
})
export class RefundsModule {}

import { Module } from '@nestjs/common';
import { OrdersModule } from '../../orders/order/orders.module.js';
import { PaymentAccountsModule } from '../accounts/payment-accounts.module.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { TestPaymentsController } from './test-payments.controller.js';
import { TestPaymentsService } from './test-payments.service.js';

@Module({
  imports: [OrdersModule, PaymentAccountsModule, PaymentsModule],
  controllers: [TestPaymentsController],
  providers: [TestPaymentsService],
})
export class TestPaymentsModule {}

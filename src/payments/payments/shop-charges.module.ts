import { Global, Module } from '@nestjs/common';
import { ChargeChecks } from '../../orders/checkout/charge-checks.js';
import { PaymentAccountsModule } from '../accounts/payment-accounts.module.js';
import { ShopChargesService } from './shop-charges.service.js';

/** Global, because checkouts need its provider and orders do not import payments. */
@Global()
@Module({
  imports: [PaymentAccountsModule],
  providers: [{ provide: ChargeChecks, useClass: ShopChargesService }],
  exports: [ChargeChecks],
})
export class ShopChargesModule {}

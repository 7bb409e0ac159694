import { Injectable } from '@nestjs/common';
import { type ChargeCheck, ChargeChecks } from '../../orders/checkout/charge-checks.js';
import { PaymentAccountsService } from '../accounts/payment-accounts.service.js';
import { unpayableProblem } from '../../domain/payments/charge-rules.js';

/** Checks for checkouts which totals the payment methods of a shop can charge. */
@Injectable()
export class ShopChargesService implements ChargeChecks {
  constructor(private readonly accounts: PaymentAccountsService) {}

  async of(shopId: string, currency: string): Promise<ChargeCheck> {
    const methods = await this.accounts.methodsOf({ id: shopId, currency }, null);
    return (amountMinor) => unpayableProblem(methods, amountMinor, currency);
  }
}

import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type ChargeCheck, ChargeChecks } from '../../orders/checkout/charge-checks.js';
import { PaymentAccountsService } from '../accounts/payment-accounts.service.js';
import { chargeCheckOf } from '../providers/charge-rules.js';

/** Tells checkouts which totals the payment methods of a shop can charge. */
@Injectable()
export class ShopChargesService implements OnModuleInit {
  constructor(
    private readonly accounts: PaymentAccountsService,
    private readonly checks: ChargeChecks,
  ) {}

  onModuleInit(): void {
    this.checks.register((shopId, currency) => this.find(shopId, currency));
  }

  private async find(shopId: string, currency: string): Promise<ChargeCheck> {
    return chargeCheckOf(await this.accounts.listEnabled(shopId), currency);
  }
}

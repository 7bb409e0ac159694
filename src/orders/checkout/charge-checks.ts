import { Injectable } from '@nestjs/common';
import { type MinorUnits } from '../../lib/money/money.js';

/** Why no payment method of a shop can charge an amount, in one sentence; null when one can. */
export type ChargeCheck = (amountMinor: MinorUnits) => string | null;

/** Finds the check of a shop for amounts in its currency. */
export type ChargeCheckFinder = (shopId: string, currency: string) => Promise<ChargeCheck>;

/**
 * Whether the payment methods of a shop can charge an amount. The payments know it, and orders do not depend on payments: so they
 * register in `onModuleInit`.
 */
@Injectable()
export class ChargeChecks {
  private finder: ChargeCheckFinder | null = null;

  /** @throws Error when a finder is registered already */
  register(finder: ChargeCheckFinder): void {
    if (this.finder !== null) throw new Error('There is a finder of charge checks already');
    this.finder = finder;
  }

  /** @throws Error when no finder is registered */
  of(shopId: string, currency: string): Promise<ChargeCheck> {
    if (this.finder === null) throw new Error('No finder of charge checks is registered');
    return this.finder(shopId, currency);
  }
}

import { type MinorUnits } from '../../lib/money/money.js';

/** Why no payment method of a shop can charge an amount, in one sentence; null when one can. */
export type ChargeCheck = (amountMinor: MinorUnits) => string | null;

/**
 * Whether the payment methods of a shop can charge an amount. Orders do not depend on payments, so this class is only the injection
 * token: a global module of the payments provides it.
 */
export abstract class ChargeChecks {
  /** Finds the check of a shop for amounts in a currency (ISO 4217). */
  abstract of(shopId: string, currency: string): Promise<ChargeCheck>;
}

import { type ChargeCheck } from '../../orders/checkout/charge-checks.js';
import { decimalsOf, formatAmount, type MinorUnits } from '../../lib/money/money.js';

/** What a provider can charge in one currency. */
export interface ChargeRule {
  /** The smallest amount. */
  readonly minimumMinor: MinorUnits;
  /** Every amount is a multiple of it: more than 1 where the provider's smallest unit is larger than that of ISO 4217. */
  readonly stepMinor: MinorUnits;
}

/** Any amount of a currency. */
export const ANY_AMOUNT: ChargeRule = { minimumMinor: 1, stepMinor: 1 };

/** Only whole units of a currency. */
export function wholeUnits(currency: string): ChargeRule {
  const unit = 10 ** decimalsOf(currency);
  return { minimumMinor: unit, stepMinor: unit };
}

/** A provider as far as its rules matter. */
export interface Charging {
  /** For buyers. */
  readonly title: string;
  chargeRule(currency: string): ChargeRule | null;
}

/** Why a provider cannot charge an amount, and which amounts it can charge, in one sentence; null when it can. */
export function chargeProblem(provider: Charging, amountMinor: MinorUnits, currency: string): string | null {
  const { title } = provider;
  const money = (minor: MinorUnits): string => formatAmount(minor, currency);
  const rule = provider.chargeRule(currency);
  if (rule === null) return `${title} cannot charge ${currency}`;
  const { minimumMinor, stepMinor } = rule;
  if (amountMinor < minimumMinor)
    return `${title} can charge ${money(minimumMinor)} or more, not ${money(amountMinor)}`;
  if (amountMinor % stepMinor === 0) return null;
  const below = amountMinor - (amountMinor % stepMinor);
  return `${title} can charge ${money(below)} or ${money(below + stepMinor)}, not ${money(amountMinor)}`;
}

/** A provider that a shop has switched on. */
export interface EnabledProvider {
  readonly provider: Charging;
  /** Whether buyers can start a payment here. Otherwise the shop makes its payments itself, of which the service knows nothing. */
  readonly canCreate: boolean;
}

/** Whether a shop can be paid an amount. Without a provider, or when the shop makes payments itself, every amount is possible. */
export function chargeCheckOf(enabled: readonly EnabledProvider[], currency: string): ChargeCheck {
  if (enabled.length === 0 || enabled.some(({ canCreate }) => !canCreate)) return () => null;
  return (amountMinor) => {
    const problems = enabled.map(({ provider }) => chargeProblem(provider, amountMinor, currency));
    return problems.includes(null) ? null : `No payment method can charge the total: ${problems.join('; ')}`;
  };
}

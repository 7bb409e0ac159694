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

/** A provider, or another way in which a shop is paid. */
export interface Charging {
  /** For buyers. */
  readonly title: string;
  /** What it can charge in the currency of the shop; null: nothing. */
  readonly rule: ChargeRule | null;
}

/** Why a provider cannot charge an amount, and which amounts it can charge, in one sentence; null when it can. */
export function chargeProblem({ title, rule }: Charging, amountMinor: MinorUnits, currency: string): string | null {
  const money = (minor: MinorUnits): string => formatAmount(minor, currency);
  if (rule === null) return `${title} cannot charge ${currency}`;
  const { minimumMinor, stepMinor } = rule;
  if (amountMinor < minimumMinor)
    return `${title} can charge ${money(minimumMinor)} or more, not ${money(amountMinor)}`;
  if (amountMinor % stepMinor === 0) return null;
  const below = amountMinor - (amountMinor % stepMinor);
  return `${title} can charge ${money(below)} or ${money(below + stepMinor)}, not ${money(amountMinor)}`;
}

/** A provider that a shop has switched on. */
export interface PaymentMethod extends Charging {
  /** Whether buyers can start a payment here. Otherwise the shop makes its payments itself, of which the service knows nothing. */
  readonly canCreate: boolean;
}

/**
 * Why none of the methods of a shop can charge an amount, in one sentence; null when one can. Without a method, or when the shop makes
 * payments itself, every amount is possible.
 */
export function unpayableProblem(
  methods: readonly PaymentMethod[],
  amountMinor: MinorUnits,
  currency: string,
): string | null {
  if (methods.length === 0 || methods.some(({ canCreate }) => !canCreate)) return null;
  const problems = methods.map((method) => chargeProblem(method, amountMinor, currency));
  return problems.includes(null) ? null : `No payment method can charge the total: ${problems.join('; ')}`;
}

/**
 * The smallest amount from a given one on that a method of a shop can charge; the amount itself when every amount is possible, or none is.
 */
export function leastChargeable(
  methods: readonly PaymentMethod[],
  amountMinor: MinorUnits,
  currency: string,
): MinorUnits {
  if (unpayableProblem(methods, amountMinor, currency) === null) return amountMinor;
  const possible = methods.flatMap(({ rule }) => {
    if (rule === null) return [];
    const { minimumMinor, stepMinor } = rule;
    return [Math.ceil(Math.max(amountMinor, minimumMinor) / stepMinor) * stepMinor];
  });
  return possible.length === 0 ? amountMinor : Math.min(...possible);
}

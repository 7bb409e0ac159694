/** An amount in minor units (cents) of a currency. Always an integer. */
export type MinorUnits = number;

const decimalsByCurrency = new Map<string, number>();

export const CURRENCIES: readonly string[] = Intl.supportedValuesOf('currency');
const CURRENCY_SET = new Set(CURRENCIES);

/** Whether a text is an ISO 4217 code. */
export function isCurrency(code: string): boolean {
  return CURRENCY_SET.has(code);
}

/** How many decimals a currency has (ISO 4217): 2 for EUR, 0 for JPY, 3 for KWD. */
export function decimalsOf(currency: string): number {
  let decimals = decimalsByCurrency.get(currency);
  if (decimals === undefined) {
    decimals =
      new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
    decimalsByCurrency.set(currency, decimals);
  }
  return decimals;
}

/**
 * Major units as they come over the API to minor units, or null when the amount has more decimals than its currency.
 * The shortest text of the number decides, so 49.99 is exactly 4999.
 */
export function toMinor(amount: number, currency: string): MinorUnits | null {
  const decimals = decimalsOf(currency);
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(amount));
  if (match === null) return null;
  const [, sign = '', whole = '', fraction = ''] = match;
  if (fraction.length > decimals) return null;
  const minor = Number(sign + whole + fraction.padEnd(decimals, '0'));
  return Number.isSafeInteger(minor) ? minor : null;
}

/** Minor units to the JSON number of the API. */
export function toMajor(minor: MinorUnits, currency: string): number {
  const decimals = decimalsOf(currency);
  return Number((minor / 10 ** decimals).toFixed(decimals));
}

/** `percent` of an amount, rounded half up to a whole minor unit. @param percent with at most two decimals */
export function percentOf(amount: MinorUnits, percent: number): MinorUnits {
  // Hundredths of a percent are whole numbers, so the product is exact.
  return Math.floor((amount * Math.round(percent * 100) + 5_000) / 10_000);
}

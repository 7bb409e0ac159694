/** An amount in minor units (cents) of a currency. Always an integer. */
export type MinorUnits = number;

/**
 * The currencies of ISO 4217 (list one) that do not have 2 decimals. The list is fixed here. Node's own data differs from the
 * standard and may change with a new version, and then stored amounts would change their meaning.
 */
const DECIMALS: ReadonlyMap<string, number> = new Map([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
  ...'CLF UYW'.split(' ').map((code) => [code, 4] as const),
]);

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

/** What to send for a currency, after the name of the field. */
export const CURRENCY_SAYS = 'must be a currency code of three letters such as EUR';

/** The codes of all currencies (ISO 4217), in alphabetical order. */
export const CURRENCY_CODES: readonly string[] = [...CURRENCIES].sort();

/** Whether a string is an ISO 4217 code. */
export function isCurrency(code: string): boolean {
  return CURRENCIES.has(code);
}

/** How many decimals a currency has (ISO 4217): 2 for EUR, 0 for JPY, 3 for KWD. */
export function decimalsOf(currency: string): number {
  return DECIMALS.get(currency) ?? 2;
}

/**
 * Converts major units, as the API has them, to minor units; null when the amount has more decimals than its currency.
 * It reads the shortest decimal form of the number, so 49.99 is exactly 4999. Of a sum that a program computed, such as
 * 3.3000000000000003, it reads the 15 digits that every decimal number keeps.
 */
export function toMinor(amount: number, currency: string): MinorUnits | null {
  return decimalToMinor(String(amount), currency) ?? decimalToMinor(String(Number(amount.toPrecision(15))), currency);
}

/** Converts a decimal string in major units, such as `19.90`, to minor units; null as in `toMinor`, and for any other string. */
export function decimalToMinor(decimal: string, currency: string): MinorUnits | null {
  const decimals = decimalsOf(currency);
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal);
  if (match === null) return null;
  const [, sign = '', whole = '', fraction = ''] = match;
  if (fraction.length > decimals) return null;
  const minor = Number(sign + whole + fraction.padEnd(decimals, '0'));
  return Number.isSafeInteger(minor) ? minor : null;
}

/** Returns one sentence for each amount in major units that has more decimals than its currency. Skips null. */
export function amountProblems(amounts: Readonly<Record<string, number | null>>, currency: string): string[] {
  return Object.entries(amounts)
    .filter(([, amount]) => amount !== null && toMinor(amount, currency) === null)
    .map(([name]) => `${name} has more decimals than ${currency} allows`);
}

/** Converts an amount in major units that `amountProblems` has checked. @throws Error for an amount that it rejects */
export function checkedMinor(amount: number, currency: string): MinorUnits {
  const minor = toMinor(amount, currency);
  if (minor === null) throw new Error(`${amount} ${currency} was not checked before it was converted`);
  return minor;
}

/** Converts minor units to the JSON number of the API. */
export function toMajor(minor: MinorUnits, currency: string): number {
  return Number(formatDecimal(minor, currency));
}

/** Formats an amount in major units as a decimal string with all decimals of its currency, such as `19.90`. */
export function formatDecimal(minor: MinorUnits, currency: string): string {
  return (minor / 10 ** decimalsOf(currency)).toFixed(decimalsOf(currency));
}

/** Formats an amount with its currency, such as `19.90 EUR`, for sentences that are not translated. */
export const formatAmount = (minor: MinorUnits, currency: string): string =>
  `${formatDecimal(minor, currency)} ${currency}`;

/** `percent` of an amount, rounded half up to a whole minor unit. @param percent with at most two decimals */
export function percentOf(amount: MinorUnits, percent: number): MinorUnits {
  // `percent` has at most two decimals, so hundredths of a percent are whole numbers, and the product is exact.
  return Math.floor((amount * Math.round(percent * 100) + 5_000) / 10_000);
}

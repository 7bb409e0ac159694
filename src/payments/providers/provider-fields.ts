import { CURRENCY_SAYS, isCurrency, type MinorUnits, decimalToMinor } from '../../lib/money/money.js';
import { isObjectId } from '../../lib/ids/object-id.js';
import { IDENTIFIER, type JsonFields } from './json-fields.js';
import { type AccountMode, type PaymentDetails } from './provider.js';

const DECIMAL = { pattern: /^\d{1,15}(?:\.\d{1,4})?$/, says: 'must be a decimal string' };
/** The code of a currency (ISO 4217). */
export const CURRENCY = { pattern: /^[A-Z]{3}$/, says: CURRENCY_SAYS };

/** Where a provider sends a buyer. */
export const HTTPS_ADDRESS = { pattern: /^https:\/\/[\x21-\x7e]{1,2000}$/, says: 'must be an https address' };

/** The mode that a key names in the first group of a pattern; null when the key has another form. */
export function modeIn(pattern: RegExp, key: string): AccountMode | null {
  const mode = pattern.exec(key)?.[1]?.toLowerCase();
  return mode === 'live' || mode === 'test' ? mode : null;
}

/** The mode of an API that has another address for tests, or null for an address that is neither. */
export function modeAt(apiUrl: string | undefined): AccountMode | null {
  if (apiUrl === undefined) return 'live';
  return /sandbox/.test(apiUrl) ? 'test' : null;
}

/** Why a refund failed, as a part of the details of its event: nothing where the provider gives no word for it. */
export const refundFailureIn = (word: unknown): Pick<PaymentDetails, 'failure'> =>
  typeof word === 'string' && IDENTIFIER.pattern.test(word) ? { failure: word } : {};

/** An amount with its currency (ISO 4217). */
export interface Amount {
  readonly amountMinor: MinorUnits;
  readonly currency: string;
}

/**
 * Reads an amount as most providers write it: `{ value: '19.99', currency: 'EUR' }`.
 * @param currencyName the name of the field with the currency
 * @throws AppError webhook_rejected
 */
export function amountIn(object: JsonFields, name: string, currencyName = 'currency'): Amount {
  const amount = object.child(name);
  const currency = amount.string(currencyName, CURRENCY);
  if (!isCurrency(currency)) throw amount.wrong(currencyName, CURRENCY.says);
  const amountMinor = decimalToMinor(amount.string('value', DECIMAL), currency);
  if (amountMinor === null) throw amount.wrong('value', `must be exact in ${currency}`);
  return { amountMinor, currency };
}

/** The order that a merchant's reference names, or null: the account may also serve other systems. */
export function ourOrderId(reference: unknown): string | null {
  return isObjectId(reference) ? reference.toLowerCase() : null;
}

/** The order in `metadata.orderId`, or null. Other systems may have metadata of any kind. */
export function orderIdIn(object: JsonFields): string | null {
  const metadata = object.value('metadata');
  const isRecord = typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata);
  return isRecord ? ourOrderId(object.child('metadata').value('orderId')) : null;
}

/**
 * Divides an amount among payments in proportion to their own amounts, exactly. When an own amount is unknown (null), each payment
 * gets the whole amount: an order counts no more than what it received.
 */
export function sharesOf(totalMinor: MinorUnits, own: readonly (MinorUnits | null)[]): MinorUnits[] {
  const sum = own.reduce<bigint | null>((left, one) => (left === null || one === null ? null : left + BigInt(one)), 0n);
  if (sum === null || sum === 0n || own.length === 1) return own.map(() => totalMinor);
  // In integers, because the product of two amounts can exceed the exact numbers.
  const upTo = (count: number): bigint =>
    (BigInt(totalMinor) * own.slice(0, count).reduce<bigint>((left, one) => left + BigInt(one ?? 0), 0n)) / sum;
  return own.map((_, index) => Number(upTo(index + 1) - upTo(index)));
}

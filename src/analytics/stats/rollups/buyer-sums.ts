import { type IANAZone } from 'luxon';
import { type LedgerEntry } from '../../../orders/ledger/ledger.types.js';
import { type MinorUnits } from '../../../lib/money/money.js';
import { monthOf } from '../../../lib/time/local-time.js';
import { addSales, netMinorOf, NO_SALES, sumsOf } from './sale-sums.js';

/** A month in a shop's time zone, such as `2026-11`; null for all time. */
export type SummedMonth = string | null;

/** What a buyer paid in a currency, minus what the buyer got back. */
export interface BuyerSum {
  readonly buyerKey: string;
  /** Negative in a month in which more was refunded than paid. */
  readonly netMinor: MinorUnits;
}

/** What is added to the sum of a buyer. */
export interface BuyerSumChange extends BuyerSum {
  /** ISO 4217. */
  readonly currency: string;
  readonly month: SummedMonth;
  /** The number that a buyer gets with the first payment, in the sum of all time. */
  readonly number?: number;
}

/**
 * What some entries of the ledger add to the sums of their buyers: each event in its month and in all time. Sums of 0 are left out, but
 * for those of new buyers.
 * @param zone in which months begin and end
 * @param newNumbers of the buyers who paid for the first time, by `buyerIn`
 */
export function buyerSumChanges(
  entries: readonly LedgerEntry[],
  zone: IANAZone,
  newNumbers: ReadonlyMap<string, number>,
): BuyerSumChange[] {
  const changes = new Map<string, BuyerSumChange>();
  for (const entry of entries) {
    const { currency, buyerKey } = entry;
    const number = newNumbers.get(buyerIn(entry));
    for (const event of entry.events) {
      const added = netMinorOf(addSales(NO_SALES, sumsOf(entry, event, null)));
      for (const month of [null, monthOf(event.at, zone)]) {
        const name = [currency, month, buyerKey].join(' ');
        const netMinor = (changes.get(name)?.netMinor ?? 0) + added;
        const isNew = number !== undefined && month === null;
        changes.set(name, { currency, month, buyerKey, netMinor, ...(isNew ? { number } : {}) });
      }
    }
  }
  return [...changes.values()].filter(({ netMinor, number }) => netMinor !== 0 || number !== undefined);
}

/** Names a buyer in a currency: buyers have numbers in each currency. */
export const buyerIn = ({ currency, buyerKey }: { readonly currency: string; readonly buyerKey: string }): string =>
  `${currency} ${buyerKey}`;

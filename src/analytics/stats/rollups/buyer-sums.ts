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
}

/**
 * What some entries of the ledger add to the sums of their buyers: each event in its month and in all time. Sums of 0 are left out.
 * @param zone in which months begin and end
 */
export function buyerSumChanges(entries: readonly LedgerEntry[], zone: IANAZone): BuyerSumChange[] {
  const changes = new Map<string, BuyerSumChange>();
  for (const entry of entries) {
    const { currency, buyerKey } = entry;
    for (const event of entry.events) {
      const sums = sumsOf(entry, event, { currency, serverId: null, productId: null });
      const added = netMinorOf(addSales(NO_SALES, sums));
      for (const month of [null, monthOf(event.at, zone)]) {
        const name = [currency, month, buyerKey].join(' ');
        const netMinor = (changes.get(name)?.netMinor ?? 0) + added;
        changes.set(name, { currency, month, buyerKey, netMinor });
      }
    }
  }
  return [...changes.values()].filter(({ netMinor }) => netMinor !== 0);
}

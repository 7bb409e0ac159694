import { Injectable } from '@nestjs/common';
import { type StoredLedgerEntry } from '../../../orders/ledger/ledger.types.js';
import { type Transaction } from '../../../infrastructure/database/transactions.js';
import { orInvalid } from '../../../domain/errors/or-invalid.js';
import { readZone } from '../../../lib/time/local-time.js';
import { ShopsService } from '../../../shops/shops/shops.service.js';
import { eachCount, packed } from './buyer-counts.js';
import { buyerIn, buyerSumChanges } from './buyer-sums.js';
import { BuyerSumsRepository } from './buyer-sums.repository.js';
import { changesOf, type RollupChange } from './rollup-changes.js';
import { type SumsVersion } from './rollup-phases.js';
import { type Rollup, RollupsRepository } from './rollups.repository.js';

const DELETED_AT_ONCE = 500;

/** Adds entries of the ledger to the stored sums: the rollups and the sums of buyers. */
@Injectable()
export class FoldingService {
  constructor(
    private readonly rollups: RollupsRepository,
    private readonly buyerSums: BuyerSumsRepository,
    private readonly shops: ShopsService,
  ) {}

  /**
   * Adds entries to the sums.
   * @param buyers how many buyers have a number
   * @returns how many have one now
   */
  async add(
    sums: SumsVersion,
    buyers: number,
    entries: readonly StoredLedgerEntry[],
    transaction: Transaction,
  ): Promise<number> {
    if (entries.length === 0) return buyers;
    const paying = entries.filter(({ events }) => events.some(({ kind }) => kind === 'paid'));
    const keys = new Set(paying.map(({ buyerKey }) => buyerKey));
    const known = await this.buyerSums.numbersOf(sums, keys, transaction);
    const unknown = [...new Set(paying.map(buyerIn))].filter((buyer) => !known.has(buyer));
    const added = new Map(unknown.map((buyer, index) => [buyer, buyers + index]));
    const { timezone } = await this.shops.getIn(sums.shopId, transaction);
    const changes = buyerSumChanges(entries, orInvalid(readZone(timezone)), added);
    await this.buyerSums.add(sums, changes, transaction);
    await this.addRollups(sums, changesOf(entries), new Map([...known, ...added]), transaction);
    return buyers + added.size;
  }

  /** Deletes some of the sums of earlier versions. @returns whether there were any */
  async deleteEarlier(sums: SumsVersion, transaction: Transaction): Promise<boolean> {
    for (const stored of [this.rollups, this.buyerSums]) {
      if ((await stored.deleteEarlier(sums, DELETED_AT_ONCE, transaction)) > 0) return true;
    }
    return false;
  }

  /** @param numbers of all buyers who paid, by `buyerIn` */
  private async addRollups(
    sums: SumsVersion,
    changes: readonly RollupChange[],
    numbers: ReadonlyMap<string, number>,
    transaction: Transaction,
  ): Promise<void> {
    const stored = new Map<string, Rollup>();
    const paid = changes.filter(({ payments }) => payments.size > 0);
    for (const of of new Map(paid.map((change) => [`${change.currency} ${change.by}`, change])).values()) {
      const those = paid.filter(({ currency, by }) => currency === of.currency && by === of.by);
      const [keys, days] = [those.map(({ key }) => key), those.map(({ atMs }) => atMs)];
      for (const rollup of await this.rollups.ofDays(sums, of, keys, days, transaction)) {
        stored.set(nameOf(of, rollup), rollup);
      }
    }
    const written = changes.map((change) => ({
      ...change,
      buyers: countsAfter(change, stored.get(nameOf(change, change)), numbers),
    }));
    await this.rollups.add(sums, written, transaction);
  }
}

type OfRollup = Pick<RollupChange, 'per' | 'key' | 'atMs'>;

const nameOf = ({ currency, by }: Pick<RollupChange, 'currency' | 'by'>, { per, key, atMs }: OfRollup): string =>
  JSON.stringify([currency, by, key, per, atMs]);

/** How often each buyer paid after a change. */
function countsAfter(
  { currency, payments }: RollupChange,
  stored: Rollup | undefined,
  numbers: ReadonlyMap<string, number>,
): Map<string, Buffer> {
  const after = [...payments].map(([time, ofBuyers]): [string, Buffer] => {
    const counts = new Map<number, number>();
    eachCount(stored?.buyers[time] ?? new Uint8Array(), (number, count) => counts.set(number, count));
    for (const [buyerKey, added] of ofBuyers) {
      const number = numbers.get(buyerIn({ currency, buyerKey })) ?? 0;
      const count = (counts.get(number) ?? 0) + added;
      if (count === 0) counts.delete(number);
      else counts.set(number, count);
    }
    return [time, packed(counts)];
  });
  return new Map(after);
}

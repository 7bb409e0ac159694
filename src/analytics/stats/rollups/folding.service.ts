import { Injectable } from '@nestjs/common';
import { LedgerService } from '../../../orders/ledger/ledger.service.js';
import { type SaleScope, type StoredLedgerEntry } from '../../../orders/ledger/ledger.types.js';
import { type Transaction } from '../../../infrastructure/database/transactions.js';
import { orInvalid } from '../../../domain/errors/or-invalid.js';
import { ShopsService } from '../../../shops/shops/shops.service.js';
import { readZone } from '../../../lib/time/local-time.js';
import { partChangesOf } from './breakdown-rules.js';
import { BreakdownSumsRepository } from './breakdown-sums.repository.js';
import { BuyerNumbersRepository } from './buyer-numbers.repository.js';
import { buyerSumChanges } from './buyer-sums.js';
import { BuyerSumsRepository } from './buyer-sums.repository.js';
import { NumberSet } from './number-set.js';
import { type CellChange, changesOf, paymentsIn } from './rollup-changes.js';
import { type RollupChange, RollupsRepository } from './rollups.repository.js';
import { isIn } from './sale-sums.js';
import { joined, rangeOf } from './time-cells.js';

const DELETED_AT_ONCE = 500;

interface Fold {
  readonly shopId: string;
  /** The numbers of the buyers in the entries. */
  readonly numbers: ReadonlyMap<string, number>;
  readonly transaction: Transaction;
}

/** The result of folding a batch. */
export interface Folded {
  /** How many entries were folded. */
  readonly entries: number;
  /** How many buyers have a number now. */
  readonly buyers: number;
}

/** Adds entries of the ledger to the stored sums: the rollups, the sums of buyers and the sums of breakdowns. */
@Injectable()
export class FoldingService {
  constructor(
    private readonly ledger: LedgerService,
    private readonly rollups: RollupsRepository,
    private readonly numbers: BuyerNumbersRepository,
    private readonly buyerSums: BuyerSumsRepository,
    private readonly breakdownSums: BreakdownSumsRepository,
    private readonly shops: ShopsService,
  ) {}

  /**
   * Adds the oldest pending entries to the sums and marks them, all in the given transaction. So each entry is added once,
   * wherever a process dies.
   * @param buyers how many buyers have a number
   * @param limit how many entries are added at most
   */
  async fold(shopId: string, buyers: number, limit: number, transaction: Transaction): Promise<Folded> {
    const entries = await this.ledger.pendingBatch(shopId, limit, transaction);
    if (entries.length === 0) return { entries: 0, buyers };
    const ids = entries.map(({ id }) => id);
    await this.ledger.markFolded(shopId, ids, transaction);
    const changes = changesOf(entries);
    const numbers = await this.numbersOf(shopId, changes, buyers, transaction);
    const written = await this.withBuyers({ shopId, numbers: numbers.all, transaction }, changes);
    await this.rollups.add(shopId, written, transaction);
    const { timezone } = await this.shops.getIn(shopId, transaction);
    await this.buyerSums.add(shopId, buyerSumChanges(entries, orInvalid(readZone(timezone))), transaction);
    await this.breakdownSums.add(shopId, partChangesOf(entries), transaction);
    return { entries: entries.length, buyers: buyers + numbers.added };
  }

  /** Deletes some of the sums of a shop. @returns whether there were any */
  async clear(shopId: string, transaction: Transaction): Promise<boolean> {
    for (const sums of [this.rollups, this.buyerSums, this.breakdownSums]) {
      if ((await sums.deleteBatch(shopId, DELETED_AT_ONCE, transaction)) > 0) return true;
    }
    return false;
  }

  private async numbersOf(
    shopId: string,
    changes: readonly CellChange[],
    buyers: number,
    transaction: Transaction,
  ): Promise<{ all: ReadonlyMap<string, number>; added: number }> {
    const keys = [...new Set(changes.flatMap(({ payments }) => [...payments.keys()]))];
    const all = await this.numbers.find(shopId, keys, transaction);
    const unknown = keys.filter((key) => !all.has(key));
    const added = new Map(unknown.map((key, index) => [key, buyers + index]));
    await this.numbers.insertMany(shopId, added, transaction);
    return { all: new Map([...all, ...added]), added: added.size };
  }

  /** Adds the new sets of buyers to the changes. */
  private async withBuyers(fold: Fold, changes: readonly CellChange[]): Promise<RollupChange[]> {
    const written: RollupChange[] = [];
    for (const ofScope of byScope(changes)) written.push(...(await this.inScope(fold, ofScope)));
    return written.filter(({ sums, buyers }) => buyers !== null || Object.keys(sums).length > 0);
  }

  private async inScope(fold: Fold, changes: readonly CellChange[]): Promise<RollupChange[]> {
    const paid = changes.filter(({ payments }) => payments.size > 0);
    const [first] = paid;
    if (first === undefined) return changes.map((change) => ({ ...change, buyers: null }));
    const { shopId, transaction } = fold;
    const ranges = paid.map(rangeOf);
    const packed = new Map<string, Uint8Array | null>();
    const before = this.rollups.inRanges(shopId, first.scope, joined(ranges), transaction);
    for await (const { sizeMs, atMs, buyers } of before) packed.set(`${sizeMs} ${atMs}`, buyers);
    const entries = await this.entriesOfRemoved(fold, first.scope, paid);
    return changes.map((change) => {
      if (change.payments.size === 0) return { ...change, buyers: null };
      const buyers = new NumberSet();
      buyers.addPacked(packed.get(`${change.sizeMs} ${change.atMs}`) ?? new Uint8Array());
      for (const [buyerKey, payments] of change.payments) {
        const number = fold.numbers.get(buyerKey) ?? 0;
        if (payments > 0 || paymentsIn(entries, buyerKey, rangeOf(change)) > 0) buyers.add(number);
        else buyers.delete(number);
      }
      return { ...change, buyers: buyers.packed() };
    });
  }

  /** The folded entries of the buyers who lost a payment in some cell: they may have another payment there. */
  private async entriesOfRemoved(
    { shopId, transaction }: Fold,
    scope: SaleScope,
    changes: readonly CellChange[],
  ): Promise<StoredLedgerEntry[]> {
    const removed = changes.flatMap(({ payments }) => [...payments].filter(([, count]) => count <= 0));
    if (removed.length === 0) return [];
    const keys = new Set(removed.map(([buyerKey]) => buyerKey));
    const entries = await this.ledger.ofBuyers(shopId, [...keys], scope, transaction);
    return entries.filter((entry) => !entry.pending && isIn(scope, entry));
  }
}

function byScope(changes: readonly CellChange[]): CellChange[][] {
  const scopes = new Map<string, CellChange[]>();
  for (const change of changes) {
    const { currency, serverId, productId } = change.scope;
    const name = [currency, serverId, productId].join(' ');
    const ofScope = scopes.get(name);
    if (ofScope === undefined) scopes.set(name, [change]);
    else ofScope.push(change);
  }
  return [...scopes.values()];
}

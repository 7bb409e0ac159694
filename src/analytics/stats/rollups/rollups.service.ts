import { Injectable } from '@nestjs/common';
import { lockOn } from '../../../domain/limits/lock-names.js';
import { AuditService, type Author } from '../../../events/audit/audit.service.js';
import { LedgerService } from '../../../orders/ledger/ledger.service.js';
import { type Transaction, Transactions } from '../../../infrastructure/database/transactions.js';
import { BuyerSumsRepository } from './buyer-sums.repository.js';
import { FoldingService } from './folding.service.js';
import { type RollupState } from './rollup-phases.js';
import { RollupStatesRepository } from './rollup-states.repository.js';
import { shopsInOrder } from './shops-in-order.js';

/** How many entries, or orders with their entries, are added in one transaction. Each changes at most some dozens of rollups. */
const AT_ONCE = 25;

/**
 * Keeps the rollups of a shop equal to its orders, in steps. Each step is one transaction that also writes the state of the
 * shop's rollups, so a step happens once, and the next one continues where it ended, also in another process.
 */
@Injectable()
export class RollupsService {
  constructor(
    private readonly states: RollupStatesRepository,
    private readonly ledger: LedgerService,
    private readonly folding: FoldingService,
    private readonly buyerSums: BuyerSumsRepository,
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
  ) {}

  /**
   * Starts to compute the sums of a shop again, from its orders. Until that is done, the old sums are read.
   * @returns false when they are being computed already, also for the first time
   */
  rebuild(author: Author): Promise<boolean> {
    const { shopId } = author;
    return this.run(shopId, async (transaction) => {
      const isNew = await this.states.ensure(shopId, transaction);
      if (!isNew) {
        const state = await this.stateOf(shopId, transaction);
        if (state.phase !== 'ready') return false;
        await this.advance({ ...state, phase: 'reading', buyers: 0 }, transaction);
      }
      await this.audit.record(author, { action: 'stats.rebuild_started' }, transaction);
      return true;
    });
  }

  /** The shops that have orders. */
  async shops(): Promise<string[]> {
    const found: string[] = [];
    for await (const shopId of shopsInOrder((after) => this.ledger.nextShop(after))) found.push(shopId);
    return found;
  }

  /** Computes the rollups of a shop again, and returns when they are complete. */
  async rebuildNow(shopId: string): Promise<void> {
    await this.rebuild({ shopId, principal: 'system' });
    let hasMore = true;
    while (hasMore) hasMore = await this.step(shopId);
  }

  /**
   * Does the next step for a shop.
   * @param divisor how many times smaller than usual its batch is: for a step that has failed
   * @returns false when nothing is left to do
   */
  step(shopId: string, divisor = 1): Promise<boolean> {
    return this.run(shopId, async (transaction) => {
      const state = await this.stateOf(shopId, transaction);
      const next = await this.work(state, divisor, transaction);
      if (next === null) return false;
      await this.advance(next, transaction);
      return true;
    });
  }

  /** Gives everything that the statistics have about a buyer to another name. The sums stay what they are. */
  async renameBuyer(shopId: string, from: string, to: string, transaction: Transaction): Promise<void> {
    // A step that has read the old name conflicts, and runs again: it must not write that name back.
    await this.states.touch(shopId, transaction);
    await this.ledger.renameBuyer(shopId, from, to, transaction);
    await this.buyerSums.rename(shopId, from, to, transaction);
  }

  private run<Result>(shopId: string, work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return this.transactions.run(work, { oneAtATime: lockOn('statistics', shopId) });
  }

  private async stateOf(shopId: string, transaction: Transaction): Promise<RollupState> {
    const state = await this.states.find(shopId, transaction);
    if (state === null) throw new Error(`The shop ${shopId} has no state of its statistics`);
    return state;
  }

  private async advance(state: RollupState, transaction: Transaction): Promise<void> {
    const isAllowed = await this.states.advance(state, transaction);
    if (!isAllowed) throw new Error(`The statistics of the shop ${state.shopId} cannot move to ${state.phase}`);
  }

  /** Does a step. @returns the state after the step; null when there was nothing to do */
  private async work(state: RollupState, divisor: number, transaction: Transaction): Promise<RollupState | null> {
    const { shopId, version, buyers } = state;
    const limit = Math.ceil(AT_ONCE / divisor);
    switch (state.phase) {
      case 'reading': {
        // Nothing is folded meanwhile: an entry that is not pending is in the sums that are read, and stays as it is.
        const next = { shopId, version: version + 1 };
        const { last, entries } = await this.ledger.reconcile(shopId, state.cursor, limit, transaction);
        const numbered = await this.folding.add(next, buyers, entries, transaction);
        return last === null
          ? { ...state, ...next, phase: 'clearing', cursor: null, buyers: numbered }
          : { ...state, cursor: last, buyers: numbered };
      }
      case 'clearing': {
        const deletedAny = await this.folding.deleteEarlier({ shopId, version }, transaction);
        return deletedAny ? state : { ...state, phase: 'ready' };
      }
      case 'ready': {
        const entries = await this.ledger.pendingBatch(shopId, limit, transaction);
        if (entries.length === 0) return null;
        await this.ledger.markFolded(
          shopId,
          entries.map(({ id }) => id),
          transaction,
        );
        return { ...state, buyers: await this.folding.add({ shopId, version }, buyers, entries, transaction) };
      }
    }
  }
}

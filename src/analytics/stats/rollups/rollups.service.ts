import { Injectable } from '@nestjs/common';
import { lockOn } from '../../../domain/limits/lock-names.js';
import { AuditService, type Author } from '../../../events/audit/audit.service.js';
import { LedgerService } from '../../../orders/ledger/ledger.service.js';
import { type Transaction, Transactions } from '../../../infrastructure/database/transactions.js';
import { FoldingService } from './folding.service.js';
import { type RollupState } from './rollup-phases.js';
import { RollupStatesRepository } from './rollup-states.repository.js';
import { shopsInOrder } from './shops-in-order.js';

/** Bounds a transaction. */
const ORDERS_AT_ONCE = 100;
/** Bounds a transaction: an entry changes at most some dozens of cells. */
const ENTRIES_AT_ONCE = 25;

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
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
  ) {}

  /**
   * Starts to compute the rollups of a shop again, from its orders. Until that is done, sales are summed from the ledger.
   * @returns false when they are being computed already, also for the first time
   */
  rebuild(author: Author): Promise<boolean> {
    const { shopId } = author;
    return this.run(shopId, async (transaction) => {
      const isNew = await this.states.ensure(shopId, transaction);
      if (!isNew) {
        const state = await this.stateOf(shopId, transaction);
        if (state.phase !== 'ready') return false;
        await this.advance(shopId, { ...state, phase: 'clearing' }, transaction);
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
      const next = await this.work(shopId, state, divisor, transaction);
      if (next === null) return false;
      await this.advance(shopId, next, transaction);
      return true;
    });
  }

  private run<Result>(shopId: string, work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return this.transactions.run(work, { oneAtATime: lockOn('statistics', shopId) });
  }

  private async stateOf(shopId: string, transaction: Transaction): Promise<RollupState> {
    const state = await this.states.find(shopId, transaction);
    if (state === null) throw new Error(`The shop ${shopId} has no state of its rollups`);
    return state;
  }

  private async advance(shopId: string, state: RollupState, transaction: Transaction): Promise<void> {
    const isAllowed = await this.states.advance(shopId, state, transaction);
    if (!isAllowed) throw new Error(`The statistics of the shop ${shopId} cannot move to ${state.phase}`);
  }

  /** Does a step. @returns the state after the step; null when there was nothing to do */
  private async work(
    shopId: string,
    state: RollupState,
    divisor: number,
    transaction: Transaction,
  ): Promise<RollupState | null> {
    switch (state.phase) {
      case 'clearing': {
        const wereThere = await this.folding.clear(shopId, transaction);
        return wereThere ? state : { ...state, phase: 'reading', cursor: null };
      }
      case 'reading': {
        const cursor = await this.ledger.reconcile(
          shopId,
          state.cursor,
          Math.ceil(ORDERS_AT_ONCE / divisor),
          transaction,
        );
        return cursor === null ? { ...state, phase: 'folding', cursor: null } : { ...state, cursor };
      }
      case 'folding':
      case 'ready': {
        const limit = Math.ceil(ENTRIES_AT_ONCE / divisor);
        const { entries, buyers } = await this.folding.fold(shopId, state.buyers, limit, transaction);
        if (entries > 0) return { ...state, buyers };
        return state.phase === 'ready' ? null : { ...state, phase: 'ready' };
      }
    }
  }
}

import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { afterShop } from '../../../infrastructure/database/after-id.js';
import { orConflict } from '../../../infrastructure/database/database-errors.js';
import { freeLease } from '../../../infrastructure/database/free-lease.js';
import { oneOf } from '../../../infrastructure/database/one-of.js';
import { forInsert, fromStored } from '../../../infrastructure/database/stored.js';
import { type Transaction } from '../../../infrastructure/database/transactions.js';
import { statesBefore } from '../../../lib/states/transitions.js';
import { ROLLUP_TRANSITIONS, type RollupState, UNFINISHED } from './rollup-phases.js';
import { ROLLUP_STATE_MODEL, type RollupStateRecord } from './rollup-state.schema.js';

/** Of a shop without sums: the first rebuild writes them. */
const NEW = { version: 0, phase: 'reading', cursor: null, buyers: 0, revision: 0, leasedUntil: new Date(0) } as const;

@Injectable()
export class RollupStatesRepository {
  constructor(@InjectModel(ROLLUP_STATE_MODEL) private readonly states: Model<RollupStateRecord>) {}

  async find(shopId: string, transaction: Transaction): Promise<RollupState | null> {
    const record = await this.states.findOne({ shopId }).session(transaction).lean();
    return record && fromStored(record);
  }

  /** The next shop, by its id, with a rebuild; null when no shop follows. */
  async nextUnfinished(after: string | null): Promise<string | null> {
    const unfinished = { phase: oneOf(UNFINISHED), ...afterShop(after) };
    const record = await this.states.findOne(unfinished, { shopId: 1 }).sort({ shopId: 1 }).lean();
    return record?.shopId.toHexString() ?? null;
  }

  /** Creates the state of a shop unless it exists. @returns whether it was created */
  async ensure(shopId: string, transaction: Transaction): Promise<boolean> {
    const writing = { upsert: true, session: transaction };
    const write = this.states.updateOne({ shopId }, { $setOnInsert: NEW }, writing).exec();
    return (await orConflict(write)).upsertedCount === 1;
  }

  /** @returns false while another process has the lease */
  async lease(shopId: string, now: Date, until: Date, transaction: Transaction): Promise<boolean> {
    const { matchedCount } = await this.states.updateOne(
      { shopId, ...freeLease(now, until) },
      { $set: { leasedUntil: until } },
      { session: transaction },
    );
    return matchedCount === 1;
  }

  async release(shopId: string, transaction: Transaction): Promise<void> {
    await this.states.updateOne({ shopId }, { $set: { leasedUntil: new Date(0) } }, { session: transaction });
  }

  /**
   * Writes the state after a step. Of two steps at the same time one conflicts and runs again.
   * @returns false when the table of transitions does not allow the move
   */
  async advance(state: RollupState, transaction: Transaction): Promise<boolean> {
    const { shopId, version, phase, cursor, buyers } = state;
    const { matchedCount } = await this.states.updateOne(
      { shopId, phase: oneOf([phase, ...statesBefore(ROLLUP_TRANSITIONS, phase)]) },
      { $set: forInsert({ version, phase, cursor, buyers }), $inc: { revision: 1 } },
      { session: transaction },
    );
    return matchedCount === 1;
  }

  /** Makes every other transaction that changes the sums of the shop conflict with this one. */
  async touch(shopId: string, transaction: Transaction): Promise<void> {
    await this.states.updateOne({ shopId }, { $inc: { revision: 1 } }, { session: transaction });
  }
}

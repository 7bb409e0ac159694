import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { type PersonalData } from '../../infrastructure/buyers/personal-data.js';
import { orDuplicate } from '../../infrastructure/database/database-errors.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { MAX_FAILURES_A_DAY } from './nickname-code-rules.js';
import { NICKNAME_CODE_MODEL, type NicknameCodeRecord } from './nickname-code.schema.js';
import { type CodeHolder, type CodeState } from './nickname-code.types.js';

@Injectable()
export class NicknameCodesRepository {
  constructor(@InjectModel(NICKNAME_CODE_MODEL) private readonly codes: Model<NicknameCodeRecord>) {}

  async find({ orderId, holder }: CodeHolder): Promise<CodeState | null> {
    return this.codes.findOne({ orderId, holder }, { _id: 0, orderId: 0, holder: 0 }).lean();
  }

  /** Stores the first code of a holder. @throws AppError state_conflict when another request was first */
  async insert({ orderId, holder }: CodeHolder, state: CodeState, transaction: Transaction): Promise<void> {
    const insert = this.codes.insertOne({ ...state, orderId, holder }, { session: transaction });
    await orDuplicate(insert, 'state_conflict');
  }

  /**
   * Replaces the code that was read before. Attempts that failed in the meantime stay counted.
   * @returns false when another request replaced it first, so that parallel requests cannot exceed the limits for sending
   */
  async replace(
    { orderId, holder }: CodeHolder,
    before: CodeState,
    state: CodeState,
    transaction: Transaction,
  ): Promise<boolean> {
    const { failedToday, ...fresh } = state;
    const { matchedCount } = await this.codes.updateOne(
      { orderId, holder, codeHash: before.codeHash },
      { $set: before.day === state.day ? fresh : { ...fresh, failedToday } },
      { session: transaction },
    );
    return matchedCount === 1;
  }

  /**
   * Takes one attempt of a valid code and counts it as failed *before* anything is compared. So of a thousand parallel
   * guesses only as many are compared as there are attempts.
   * @returns the hash to compare with, or null when there is no valid code or no attempt left
   */
  async takeAttempt({ orderId, holder }: CodeHolder, now: Date, transaction: Transaction): Promise<string | null> {
    const valid = {
      orderId,
      holder,
      usedAt: null,
      attemptsLeft: trusted({ $gt: 0 }),
      expiresAt: trusted({ $gt: now }),
      failedToday: trusted({ $lt: MAX_FAILURES_A_DAY }),
    };
    const counted = { $inc: { attemptsLeft: -1, failedToday: 1 } };
    const taken = await this.codes
      .findOneAndUpdate(valid, counted, { session: transaction, projection: { codeHash: 1 } })
      .lean();
    return taken?.codeHash ?? null;
  }

  /**
   * Marks a code as used; its attempt no longer counts as failed. All other codes of the order are used with it, so
   * that of several changes at once only one takes place.
   * @returns false when it was used or replaced already
   */
  async use({ orderId, holder }: CodeHolder, codeHash: string, now: Date, transaction: Transaction): Promise<boolean> {
    const unused = { orderId, usedAt: null };
    const { matchedCount } = await this.codes.updateOne(
      { ...unused, holder, codeHash },
      { $inc: { failedToday: -1 } },
      { session: transaction },
    );
    if (matchedCount === 0) return false;
    // This code is among them.
    await this.codes.updateMany(unused, { $set: { usedAt: now } }, { session: transaction });
    return true;
  }

  /** What the codes have about buyers: whose order they are for. */
  personalData(): PersonalData {
    return {
      collection: this.codes.collection.collectionName,
      eraseOrders: (_shopId, orderIds) => (transaction) => this.deleteOf(orderIds, transaction),
    };
  }

  private async deleteOf(orderIds: readonly string[], transaction: Transaction): Promise<void> {
    await this.codes.deleteMany({ orderId: oneOf(orderIds) }, { session: transaction });
  }
}

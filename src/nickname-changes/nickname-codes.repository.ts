import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted, Types } from 'mongoose';
import { AppError } from '../common/errors/app-error.js';
import { orDuplicate } from '../database/database-errors.js';
import { findOneAndUpdate, updateMany, updateOne } from '../database/direct-writes.js';
import { type Transaction } from '../database/transactions.js';
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
    const record = { ...state, orderId: new Types.ObjectId(orderId), holder };
    await orDuplicate(this.codes.insertOne(record, { session: transaction }), 'state_conflict');
  }

  /**
   * Replaces the code that was read before. Tries that failed in the meantime stay counted.
   * @throws AppError state_conflict when another request replaced it first, so that parallel requests cannot exceed the limits
   * for sending
   */
  async replace(
    { orderId, holder }: CodeHolder,
    before: CodeState,
    state: CodeState,
    transaction: Transaction,
  ): Promise<void> {
    const { failedToday, ...fresh } = state;
    const { modifiedCount } = await this.codes.updateOne(
      { orderId, holder, codeHash: before.codeHash },
      { $set: before.day === state.day ? fresh : { ...fresh, failedToday } },
      { session: transaction },
    );
    if (modifiedCount === 0) throw new AppError('state_conflict');
  }

  /**
   * Takes one try of a valid code and counts it as failed *before* anything is compared. So of a thousand parallel guesses
   * only as many are compared as there are tries.
   * @returns the hash to compare with, or null when there is no valid code or no try left
   */
  async takeTry({ orderId, holder }: CodeHolder, now: Date, transaction: Transaction): Promise<string | null> {
    const valid = {
      orderId: new Types.ObjectId(orderId),
      holder,
      usedAt: null,
      attemptsLeft: trusted({ $gt: 0 }),
      expiresAt: trusted({ $gt: now }),
      failedToday: trusted({ $lt: MAX_FAILURES_A_DAY }),
    };
    const counted = { $inc: { attemptsLeft: -1, failedToday: 1 } };
    const writing = { fields: { codeHash: 1 }, transaction } as const;
    const taken = await findOneAndUpdate<NicknameCodeRecord>(this.codes, valid, counted, writing);
    return taken?.codeHash ?? null;
  }

  /**
   * Marks a code as used; its try no longer counts as failed. All other codes of the order are used with it, so that of several
   * changes at once only one takes place.
   * @returns false when it was used or replaced already
   */
  async use({ orderId, holder }: CodeHolder, codeHash: string, now: Date, transaction: Transaction): Promise<boolean> {
    const unused = { orderId: new Types.ObjectId(orderId), usedAt: null };
    const own = { ...unused, holder, codeHash };
    const counted = { $inc: { failedToday: -1 } };
    const { modifiedCount } = await updateOne<NicknameCodeRecord>(this.codes, own, counted, { transaction });
    if (modifiedCount === 0) return false;
    // This code is among them.
    await updateMany<NicknameCodeRecord>(this.codes, unused, { $set: { usedAt: now } }, { transaction });
    return true;
  }
}

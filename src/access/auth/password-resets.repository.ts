import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { PASSWORD_RESET_MODEL, type PasswordResetRecord } from './password-reset.schema.js';

@Injectable()
export class PasswordResetsRepository {
  constructor(@InjectModel(PASSWORD_RESET_MODEL) private readonly resets: Model<PasswordResetRecord>) {}

  /** Stores the token of a person. It replaces an earlier one, which stops working. */
  async replace(userId: string, tokenHash: string, expiresAt: Date, transaction: Transaction): Promise<void> {
    const options = { upsert: true, session: transaction };
    await this.resets.updateOne({ userId }, { $set: { tokenHash, expiresAt } }, options);
  }

  /** The id of the person of a token that is valid now: stored, and not expired; null: there is none. */
  async findLive(tokenHash: string, now: Date): Promise<string | null> {
    const reset = await this.resets.findOne({ tokenHash, expiresAt: trusted({ $gt: now }) }, { userId: 1 }).lean();
    return reset?.userId.toHexString() ?? null;
  }

  /**
   * Uses a token. When several requests use it at once, exactly one gets it.
   * @returns the id of its person; null when there is no such token
   */
  async use(tokenHash: string, now: Date, transaction: Transaction): Promise<string | null> {
    const reset = await this.resets
      .findOneAndDelete({ tokenHash, expiresAt: trusted({ $gt: now }) }, { session: transaction })
      .lean();
    return reset?.userId.toHexString() ?? null;
  }

  async removeOf(userId: string, transaction: Transaction): Promise<void> {
    await this.resets.deleteOne({ userId }, { session: transaction });
  }
}

import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { REFRESH_SUCCESSOR_MODEL, type RefreshSuccessorRecord } from './refresh-successor.schema.js';

export type NewRefreshSuccessor = Pick<RefreshSuccessorRecord, 'usedHash' | 'sealedTokens' | 'expiresAt'>;

@Injectable()
export class RefreshSuccessorsRepository {
  constructor(@InjectModel(REFRESH_SUCCESSOR_MODEL) private readonly successors: Model<RefreshSuccessorRecord>) {}

  async insert(successor: NewRefreshSuccessor, transaction: Transaction): Promise<void> {
    await this.successors.insertOne(successor, { session: transaction });
  }

  /** The encrypted tokens that were returned for a token; null when it was not used, or longer ago. */
  async find(usedHash: string, now: Date, transaction: Transaction): Promise<string | null> {
    const successor = await this.successors
      .findOne({ usedHash, expiresAt: trusted({ $gt: now }) }, { sealedTokens: 1 })
      .session(transaction)
      .lean();
    return successor?.sealedTokens ?? null;
  }

  /** Marks that the tokens were requested again. @returns whether this is the first time */
  async markRepeated(usedHash: string, now: Date, transaction: Transaction): Promise<boolean> {
    const { modifiedCount } = await this.successors.updateOne(
      { usedHash, repeatedAt: null },
      { $set: { repeatedAt: now } },
      { session: transaction },
    );
    return modifiedCount === 1;
  }
}

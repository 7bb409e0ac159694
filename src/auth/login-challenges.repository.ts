import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted, Types } from 'mongoose';
import { type Transaction } from '../database/transactions.js';
import { LOGIN_CHALLENGE_MODEL, type LoginChallengeRecord } from './login-challenge.schema.js';

/** Whose login waits for its second factor, and which password it proved. */
export interface LoginChallenge {
  readonly userId: string;
  readonly passwordChangedAt: Date | null;
}

@Injectable()
export class LoginChallengesRepository {
  constructor(@InjectModel(LOGIN_CHALLENGE_MODEL) private readonly challenges: Model<LoginChallengeRecord>) {}

  async insert({ userId, passwordChangedAt }: LoginChallenge, tokenHash: string, expiresAt: Date): Promise<void> {
    await this.challenges.create({ userId: new Types.ObjectId(userId), passwordChangedAt, tokenHash, expiresAt });
  }

  async findLive(tokenHash: string, now: Date): Promise<LoginChallenge | null> {
    const record = await this.challenges
      .findOne({ tokenHash, expiresAt: trusted({ $gt: now }) }, { userId: 1, passwordChangedAt: 1 })
      .lean();
    return record && { userId: record.userId.toHexString(), passwordChangedAt: record.passwordChangedAt };
  }

  /** Uses a token up; of any number at once exactly one gets true. */
  async use(tokenHash: string, now: Date, transaction: Transaction): Promise<boolean> {
    const { deletedCount } = await this.challenges.deleteOne(
      { tokenHash, expiresAt: trusted({ $gt: now }) },
      { session: transaction },
    );
    return deletedCount === 1;
  }
}

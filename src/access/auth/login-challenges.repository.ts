import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { LOGIN_CHALLENGE_MODEL, type LoginChallengeRecord } from './login-challenge.schema.js';

/** The login of a person that waits for the second factor. */
export interface LoginChallenge {
  readonly userId: string;
  /** When the password that the person gave was set; null: at the registration. */
  readonly passwordChangedAt: Date | null;
}

export interface NewLoginChallenge {
  readonly passwordChangedAt: Date | null;
  readonly tokenHash: string;
  readonly expiresAt: Date;
}

@Injectable()
export class LoginChallengesRepository {
  constructor(@InjectModel(LOGIN_CHALLENGE_MODEL) private readonly challenges: Model<LoginChallengeRecord>) {}

  async insert(userId: string, challenge: NewLoginChallenge): Promise<LoginChallenge> {
    await this.challenges.insertOne({ ...challenge, userId });
    return { userId, passwordChangedAt: challenge.passwordChangedAt };
  }

  async findLive(tokenHash: string, now: Date): Promise<LoginChallenge | null> {
    const record = await this.challenges.findOne({ tokenHash, expiresAt: trusted({ $gt: now }) }).lean();
    return record && { userId: record.userId.toHexString(), passwordChangedAt: record.passwordChangedAt };
  }

  /** Uses a token. When several requests use it at once, exactly one gets true. */
  async use(tokenHash: string, now: Date, transaction: Transaction): Promise<boolean> {
    const { deletedCount } = await this.challenges.deleteOne(
      { tokenHash, expiresAt: trusted({ $gt: now }) },
      { session: transaction },
    );
    return deletedCount === 1;
  }
}

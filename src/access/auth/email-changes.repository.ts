import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { EMAIL_CHANGE_MODEL, type EmailChangeRecord } from './email-change.schema.js';

/** A new address of a person, which waits until somebody opens the link that was sent to it. */
export interface EmailChange {
  readonly userId: string;
  readonly email: string;
  /** When the password was set that the person gave; null: at the registration. */
  readonly passwordChangedAt: Date | null;
}

/** The fields that an `EmailChange` is made of. */
const FIELDS = { userId: 1, email: 1, passwordChangedAt: 1 } as const;

function toChange({ userId, email, passwordChangedAt }: Pick<EmailChangeRecord, keyof typeof FIELDS>): EmailChange {
  return { userId: userId.toHexString(), email, passwordChangedAt };
}

const live = (tokenHash: string, now: Date) => ({ tokenHash, expiresAt: trusted({ $gt: now }) });

@Injectable()
export class EmailChangesRepository {
  constructor(@InjectModel(EMAIL_CHANGE_MODEL) private readonly changes: Model<EmailChangeRecord>) {}

  /** Stores the change of a person. It replaces an earlier one, whose token stops working. */
  async replace(
    { userId, ...change }: EmailChange,
    tokenHash: string,
    expiresAt: Date,
    transaction: Transaction,
  ): Promise<void> {
    const options = { upsert: true, session: transaction };
    await this.changes.updateOne({ userId }, { $set: { ...change, tokenHash, expiresAt } }, options);
  }

  /** The change of a token that is valid now; null for another one. */
  async findLive(tokenHash: string, now: Date): Promise<EmailChange | null> {
    const record = await this.changes.findOne(live(tokenHash, now), FIELDS).lean();
    return record && toChange(record);
  }

  /** Uses a token. When several requests use it at once, exactly one gets its change. */
  async use(tokenHash: string, now: Date, transaction: Transaction): Promise<EmailChange | null> {
    const options = { projection: FIELDS, session: transaction };
    const record = await this.changes.findOneAndDelete(live(tokenHash, now), options).lean();
    return record && toChange(record);
  }
}

import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { orDuplicate } from '../database/database-errors.js';
import { type Transaction } from '../database/transactions.js';
import { SECOND_FACTOR_MODEL, type SecondFactorRecord } from './second-factor.schema.js';
import { type SecondFactor } from './second-factor.types.js';

const FIELDS = { userId: 1, sealedSecret: 1, lastStep: 1, recoveryHashes: 1 } as const;

function toSecondFactor(record: Pick<SecondFactorRecord, keyof typeof FIELDS>): SecondFactor {
  const { userId, sealedSecret, lastStep, recoveryHashes } = record;
  return { userId: userId.toHexString(), sealedSecret, lastStep, recoveryCodesLeft: recoveryHashes.length };
}

@Injectable()
export class SecondFactorsRepository {
  constructor(@InjectModel(SECOND_FACTOR_MODEL) private readonly factors: Model<SecondFactorRecord>) {}

  async findEnabled(userId: string): Promise<SecondFactor | null> {
    const record = await this.factors.findOne({ userId, enabledAt: trusted({ $ne: null }) }, FIELDS).lean();
    return record && toSecondFactor(record);
  }

  async findPending(userId: string, now: Date): Promise<SecondFactor | null> {
    const record = await this.factors
      .findOne({ userId, enabledAt: null, pendingUntil: trusted({ $gt: now }) }, FIELDS)
      .lean();
    return record && toSecondFactor(record);
  }

  /**
   * Stores a secret that waits for its first code. It replaces another one that waits.
   * @throws AppError state_conflict when the second factor is on, or another setup came at the same time
   */
  async setUp(userId: string, sealedSecret: string, pendingUntil: Date, transaction: Transaction): Promise<void> {
    // When the second factor is on, the filter finds nothing, and the unique index stops the insert.
    const upsert = this.factors.updateOne(
      { userId, enabledAt: null },
      { $set: { sealedSecret, pendingUntil, lastStep: 0, recoveryHashes: [] } },
      { upsert: true, session: transaction },
    );
    await orDuplicate(upsert.exec(), 'state_conflict');
  }

  /** Switches on the secret that waits. When several requests do it at once, exactly one gets true. */
  async enable(
    pending: SecondFactor,
    lastStep: number,
    recoveryHashes: readonly string[],
    now: Date,
    transaction: Transaction,
  ): Promise<boolean> {
    const { userId, sealedSecret } = pending;
    const { modifiedCount } = await this.factors.updateOne(
      { userId, sealedSecret, enabledAt: null, pendingUntil: trusted({ $gt: now }) },
      { $set: { enabledAt: now, pendingUntil: null, lastStep, recoveryHashes: [...recoveryHashes] } },
      { session: transaction },
    );
    return modifiedCount === 1;
  }

  /**
   * Uses the code of a time step. It and all earlier ones no longer work. When several requests do it at once, exactly one
   * gets true.
   */
  async spendStep(userId: string, sealedSecret: string, step: number, transaction: Transaction): Promise<boolean> {
    const { modifiedCount } = await this.factors.updateOne(
      { userId, sealedSecret, enabledAt: trusted({ $ne: null }), lastStep: trusted({ $lt: step }) },
      { $set: { lastStep: step } },
      { session: transaction },
    );
    return modifiedCount === 1;
  }

  /** Uses a recovery code. When several requests do it at once, exactly one gets true. */
  async spendRecoveryCode(userId: string, hash: string, transaction: Transaction): Promise<boolean> {
    const { modifiedCount } = await this.factors.updateOne(
      { userId, enabledAt: trusted({ $ne: null }), recoveryHashes: hash },
      { $pull: { recoveryHashes: hash } },
      { session: transaction },
    );
    return modifiedCount === 1;
  }

  /** Replaces the recovery codes; false when the second factor is off. */
  async replaceRecoveryCodes(userId: string, hashes: readonly string[], transaction: Transaction): Promise<boolean> {
    const { matchedCount } = await this.factors.updateOne(
      { userId, enabledAt: trusted({ $ne: null }) },
      { $set: { recoveryHashes: [...hashes] } },
      { session: transaction },
    );
    return matchedCount === 1;
  }

  /** Removes the second factor, also one that waits for its first code. Returns true when it was on. */
  async remove(userId: string, transaction: Transaction): Promise<boolean> {
    const removed = await this.factors
      .findOneAndDelete({ userId }, { session: transaction, projection: { enabledAt: 1 } })
      .lean();
    return (removed?.enabledAt ?? null) !== null;
  }
}

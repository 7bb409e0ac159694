import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { orDuplicate } from '../../infrastructure/database/database-errors.js';
import { afterId } from '../../infrastructure/database/after-id.js';
import { forInsert, fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { SECOND_FACTOR_MODEL, type SecondFactorRecord } from './second-factor.schema.js';
import {
  type SealedFields,
  type SecondFactor,
  type StoredRecoveryCodes,
  type StoredSetup,
} from './second-factor.types.js';

function toSecondFactor({ recoveryHashes, ...record }: SecondFactorRecord): SecondFactor {
  return { ...fromStored(record), recoveryCodesLeft: recoveryHashes.length };
}

@Injectable()
export class SecondFactorsRepository {
  constructor(@InjectModel(SECOND_FACTOR_MODEL) private readonly factors: Model<SecondFactorRecord>) {}

  async findEnabled(userId: string): Promise<SecondFactor | null> {
    const record = await this.factors.findOne({ userId, enabledAt: trusted({ $ne: null }) }).lean();
    return record && toSecondFactor(record);
  }

  async findPending(userId: string, now: Date): Promise<SecondFactor | null> {
    // The version before stored setups without a code. Such a setup does not count: the person begins again.
    const known = { emailCodeHash: trusted({ $exists: true }) };
    const record = await this.factors
      .findOne({ userId, enabledAt: null, pendingUntil: trusted({ $gt: now }), ...known })
      .lean();
    return record && toSecondFactor(record);
  }

  /**
   * Stores a secret that waits for its first code. It replaces another one that waits.
   * @throws AppError state_conflict when the second factor is on, or another setup came at the same time
   */
  async setUp(userId: string, setup: StoredSetup, transaction: Transaction): Promise<void> {
    // When the second factor is on, the filter finds nothing, and the unique index stops the insert.
    const upsert = this.factors.updateOne(
      { userId, enabledAt: null },
      { $set: { ...setup, lastStep: 0, recoveryHashes: [], sealedRecoveryKey: null } },
      { upsert: true, session: transaction },
    );
    await orDuplicate(upsert.exec(), 'state_conflict');
  }

  /** Switches on the secret that waits. When several requests do it at once, exactly one gets true. */
  async enable(
    pending: SecondFactor,
    lastStep: number,
    codes: StoredRecoveryCodes,
    now: Date,
    transaction: Transaction,
  ): Promise<boolean> {
    const { userId, sealedSecret } = pending;
    const { modifiedCount } = await this.factors.updateOne(
      { userId, sealedSecret, enabledAt: null, pendingUntil: trusted({ $gt: now }) },
      { $set: { enabledAt: now, pendingUntil: null, emailCodeHash: null, lastStep, ...forInsert(codes) } },
      { session: transaction },
    );
    return modifiedCount === 1;
  }

  /**
   * Uses the code of a time step. It and all earlier ones no longer work. When several requests do it at once, exactly one
   * gets true. A second factor that is on never gets another secret, so its id stands for the secret.
   */
  async spendStep(userId: string, factorId: string, step: number, transaction: Transaction): Promise<boolean> {
    const { modifiedCount } = await this.factors.updateOne(
      { _id: factorId, userId, enabledAt: trusted({ $ne: null }), lastStep: trusted({ $lt: step }) },
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

  /** How many recovery codes are left, as the transaction sees it. */
  async countRecoveryCodes(userId: string, transaction: Transaction): Promise<number> {
    const record = await this.factors.findOne({ userId }).session(transaction).lean();
    return record?.recoveryHashes.length ?? 0;
  }

  /** Replaces the recovery codes; false when the second factor is off. */
  async replaceRecoveryCodes(userId: string, codes: StoredRecoveryCodes, transaction: Transaction): Promise<boolean> {
    const { matchedCount } = await this.factors.updateOne(
      { userId, enabledAt: trusted({ $ne: null }) },
      { $set: forInsert(codes) },
      { session: transaction },
    );
    return matchedCount === 1;
  }

  /** Removes the second factor that is on; false when there is none. */
  async remove(userId: string, transaction: Transaction): Promise<boolean> {
    const on = { userId, enabledAt: trusted({ $ne: null }) };
    const { deletedCount } = await this.factors.deleteOne(on, { session: transaction });
    return deletedCount === 1;
  }

  /** Removes a setup that waits for its first code. */
  async removePending(userId: string, transaction: Transaction): Promise<void> {
    await this.factors.deleteOne({ userId, enabledAt: null }, { session: transaction });
  }

  /** Removes the second factor or its setup. */
  async removeAny(userId: string, transaction: Transaction): Promise<void> {
    await this.factors.deleteOne({ userId }, { session: transaction });
  }

  /** The second factors of all people in the order of their ids, also those that wait. @param id null: from the first one */
  async listAfter(id: string | null, limit: number): Promise<SecondFactor[]> {
    const records = await this.factors.find(afterId(id)).sort({ _id: 1 }).limit(limit).lean();
    return records.map(toSecondFactor);
  }

  /** Replaces what is encrypted. Returns false when it has changed since the second factor was read. */
  async reseal(read: SecondFactor, sealed: SealedFields, transaction: Transaction): Promise<boolean> {
    const { id, userId, sealedSecret, sealedRecoveryKey } = read;
    const { matchedCount } = await this.factors.updateOne(
      { _id: id, userId, sealedSecret, sealedRecoveryKey },
      { $set: sealed },
      { session: transaction },
    );
    return matchedCount === 1;
  }
}

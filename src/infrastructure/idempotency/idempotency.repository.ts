import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { afterId } from '../database/after-id.js';
import { violatedIndex } from '../database/database-errors.js';
import { fromStored } from '../database/stored.js';
import { type Transaction } from '../database/transactions.js';
import { IDEMPOTENCY_MODEL, type IdempotencyRecord } from './idempotency.schema.js';

export type StartedRequest = Pick<IdempotencyRecord, 'scope' | 'fingerprint' | 'keyId' | 'leaseUntil' | 'expiresAt'> & {
  readonly creationId: string;
};
/** The response of a request, encrypted. */
export interface SealedResponse extends Pick<IdempotencyRecord, 'scope' | 'sealedAnswer'> {
  readonly id: string;
}
export type EarlierRequest = StartedRequest & Pick<IdempotencyRecord, 'sealedAnswer'>;

@Injectable()
export class IdempotencyRepository {
  constructor(@InjectModel(IDEMPOTENCY_MODEL) private readonly records: Model<IdempotencyRecord>) {}

  /** Stores the first request with a key. Returns false when there is one already. */
  async insert(request: StartedRequest): Promise<boolean> {
    try {
      await this.records.insertOne(request);
      return true;
    } catch (error) {
      if (violatedIndex(error) !== null) return false;
      throw error;
    }
  }

  async find(scope: string): Promise<EarlierRequest | null> {
    const record = await this.records.findOne({ scope }, { _id: 0 }).lean();
    return record && { ...record, creationId: record.creationId.toHexString() };
  }

  /** Stores a request in place of the earlier one that was read. Returns false when another request has replaced it first. */
  async takeOver({ scope, ...next }: StartedRequest, { leaseUntil }: EarlierRequest): Promise<boolean> {
    const { matchedCount } = await this.records.updateOne(
      { scope, leaseUntil },
      { $set: { ...next, sealedAnswer: null } },
    );
    return matchedCount === 1;
  }

  async finish(scope: string, sealedAnswer: string): Promise<void> {
    await this.records.updateOne({ scope }, { $set: { sealedAnswer } });
  }

  /** Deletes a request that was rejected. It changed nothing, so it may be repeated. */
  async forget(scope: string): Promise<void> {
    await this.records.deleteOne({ scope, sealedAnswer: null });
  }

  /** All requests in the order of their ids. @param id null: from the first one */
  async listAfter(id: string | null, limit: number): Promise<SealedResponse[]> {
    const fields = { scope: 1, sealedAnswer: 1 };
    const records = await this.records.find(afterId(id), fields).sort({ _id: 1 }).limit(limit).lean();
    return records.map(fromStored);
  }

  /** Replaces an encrypted response. Returns false when it has changed since it was read. */
  async reseal(
    { id, scope, sealedAnswer }: SealedResponse,
    resealed: string,
    transaction: Transaction,
  ): Promise<boolean> {
    const { matchedCount } = await this.records.updateOne(
      { _id: id, scope, sealedAnswer },
      { $set: { sealedAnswer: resealed } },
      { session: transaction },
    );
    return matchedCount === 1;
  }
}

import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import { violatedIndex } from '../database/database-errors.js';
import { IDEMPOTENCY_MODEL, type IdempotencyRecord } from './idempotency.schema.js';

export type StartedRequest = Pick<IdempotencyRecord, 'scope' | 'fingerprint' | 'leaseUntil' | 'expiresAt'> & {
  readonly creationId: string;
};
export type EarlierRequest = StartedRequest & Pick<IdempotencyRecord, 'sealedAnswer'>;

@Injectable()
export class IdempotencyRepository {
  constructor(@InjectModel(IDEMPOTENCY_MODEL) private readonly records: Model<IdempotencyRecord>) {}

  /** Stores the first request with a key. Returns false when there is one already. */
  async insert(request: StartedRequest): Promise<boolean> {
    try {
      await this.records.insertOne({ ...request, creationId: new Types.ObjectId(request.creationId) });
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
  async takeOver(request: StartedRequest, { scope, leaseUntil }: EarlierRequest): Promise<boolean> {
    const { matchedCount } = await this.records.updateOne(
      { scope, leaseUntil },
      { $set: { ...request, sealedAnswer: null } },
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
}

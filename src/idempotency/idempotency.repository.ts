import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { duplicateKeyFields } from '../database/database-errors.js';
import { IDEMPOTENCY_MODEL, type IdempotencyRecord } from './idempotency.schema.js';

export type StartedRequest = Pick<IdempotencyRecord, 'scope' | 'fingerprint' | 'leaseUntil' | 'expiresAt'>;
export type EarlierRequest = Pick<IdempotencyRecord, 'fingerprint' | 'sealedAnswer'>;

@Injectable()
export class IdempotencyRepository {
  constructor(@InjectModel(IDEMPOTENCY_MODEL) private readonly records: Model<IdempotencyRecord>) {}

  /** Stores the first request with a key. Returns false when there is one already. */
  async insert(request: StartedRequest): Promise<boolean> {
    try {
      await this.records.insertOne({ ...request });
      return true;
    } catch (error) {
      if (duplicateKeyFields(error) !== null) return false;
      throw error;
    }
  }

  /** Replaces an earlier request that has expired, or that ended without a response. */
  async takeOver(request: StartedRequest, now: Date): Promise<boolean> {
    const over = [
      { expiresAt: trusted({ $lte: now }) },
      { sealedAnswer: null, leaseUntil: trusted({ $lte: now }), fingerprint: request.fingerprint },
    ];
    const { matchedCount } = await this.records.updateOne(
      { scope: request.scope, $or: over },
      { $set: { ...request, sealedAnswer: null } },
    );
    return matchedCount === 1;
  }

  async find(scope: string): Promise<EarlierRequest | null> {
    return this.records.findOne({ scope }, { _id: 0, fingerprint: 1, sealedAnswer: 1 }).lean();
  }

  async finish(scope: string, sealedAnswer: string): Promise<void> {
    await this.records.updateOne({ scope }, { $set: { sealedAnswer } });
  }

  /** Deletes a request that failed. It changed nothing, so it may be repeated. */
  async forget(scope: string): Promise<void> {
    await this.records.deleteOne({ scope, sealedAnswer: null });
  }
}

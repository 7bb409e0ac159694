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

  /** Notes the first request with a key; false when there is one already. */
  async insert(request: StartedRequest): Promise<boolean> {
    try {
      await this.records.create({ ...request });
      return true;
    } catch (error) {
      if (duplicateKeyFields(error) !== null) return false;
      throw error;
    }
  }

  /** Steps into the place of a request that is over: expired, or broken off without an answer. */
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

  /** Forgets a request that failed: it changed nothing, so it may be tried again. */
  async forget(scope: string): Promise<void> {
    await this.records.deleteOne({ scope, sealedAnswer: null });
  }
}

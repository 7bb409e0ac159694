import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { afterId } from '../database/after-id.js';
import { violatedIndex } from '../database/database-errors.js';
import { type Transaction } from '../database/transactions.js';
import { ERASURE_KEY_MODEL, type ErasureKeyRecord } from './erasure-key.schema.js';

/** An encrypted key with its id. */
export interface SealedErasureKey {
  readonly id: string;
  readonly sealedKey: string;
}

@Injectable()
export class ErasureKeysRepository {
  constructor(@InjectModel(ERASURE_KEY_MODEL) private readonly keys: Model<ErasureKeyRecord>) {}

  /** The next keys in the order of their ids. @param id null: from the first one */
  async listAfter(id: string | null, limit: number): Promise<SealedErasureKey[]> {
    const records = await this.keys.find(afterId(id)).sort({ _id: 1 }).limit(limit).lean();
    return records.map(({ _id, sealedKey }) => ({ id: _id, sealedKey }));
  }

  async insertIfAbsent({ id, sealedKey }: SealedErasureKey): Promise<void> {
    try {
      await this.keys.insertOne({ _id: id, sealedKey });
    } catch (error) {
      if (violatedIndex(error) === null) throw error;
    }
  }

  /** Stores the key encrypted with another encryption key. Returns false when it has changed since it was read. */
  async reseal({ id, sealedKey }: SealedErasureKey, resealed: string, transaction: Transaction): Promise<boolean> {
    const { matchedCount } = await this.keys.updateOne(
      { _id: id, sealedKey },
      { $set: { sealedKey: resealed } },
      { session: transaction },
    );
    return matchedCount === 1;
  }
}

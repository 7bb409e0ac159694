import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { orConflict } from '../../infrastructure/database/database-errors.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { STORED_KEYS_MODEL } from './stored-keys.schema.js';
import { type StoredKeysRecord } from './stored-keys.types.js';

const DATABASE = { _id: 'database' };

@Injectable()
export class StoredKeysRepository {
  constructor(@InjectModel(STORED_KEYS_MODEL) private readonly keys: Model<StoredKeysRecord>) {}

  /** The ids of the keys; empty: nothing was encrypted yet. */
  async list(transaction: Transaction | null): Promise<readonly string[]> {
    const record = await this.keys.findOne(DATABASE).session(transaction).lean();
    return record?.keyIds ?? [];
  }

  /** Of two transactions that write the keys at once, the same ones too, one runs again. */
  async replace(keyIds: readonly string[], changedAt: Date, transaction: Transaction): Promise<void> {
    const keys = { $set: { keyIds, changedAt } };
    const write = this.keys.updateOne(DATABASE, keys, { upsert: true, session: transaction });
    await orConflict(write.exec());
  }
}

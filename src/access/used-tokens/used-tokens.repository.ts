import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted, Types } from 'mongoose';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { USED_TOKEN_MODEL, type UsedTokenRecord } from './used-token.schema.js';
import { type TokenUse } from './used-token.types.js';

@Injectable()
export class UsedTokensRepository {
  constructor(@InjectModel(USED_TOKEN_MODEL) private readonly tokens: Model<UsedTokenRecord>) {}

  async insert(id: string, { userId, shopId }: TokenUse, expiresAt: Date, transaction: Transaction): Promise<void> {
    const ids = { userId: new Types.ObjectId(userId), shopId: shopId === null ? null : new Types.ObjectId(shopId) };
    await this.tokens.insertOne({ _id: id, ...ids, expiresAt }, { session: transaction });
  }

  async find(id: string, now: Date): Promise<TokenUse | null> {
    const record = await this.tokens.findOne({ _id: id, expiresAt: trusted({ $gt: now }) }).lean();
    return record && { userId: record.userId.toHexString(), shopId: record.shopId?.toHexString() ?? null };
  }
}

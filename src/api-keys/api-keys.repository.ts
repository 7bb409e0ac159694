import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type QueryFilter, trusted, Types } from 'mongoose';
import { type Permission } from '../common/auth/permissions.js';
import { API_KEY_MODEL, type ApiKeyRecord } from './api-key.schema.js';
import { type ApiKey, type ApiKeyType } from './api-key.types.js';

const FIELDS = {
  shopId: 1,
  userId: 1,
  name: 1,
  type: 1,
  scopes: 1,
  preview: 1,
  createdAt: 1,
  expiresAt: 1,
  revokedAt: 1,
  lastUsedAt: 1,
} as const;

function toApiKey(record: Omit<ApiKeyRecord, 'hash'>): ApiKey {
  const { _id, shopId, userId, name, type, scopes, preview, createdAt, expiresAt, revokedAt, lastUsedAt } = record;
  return {
    id: _id.toHexString(),
    shopId: shopId.toHexString(),
    userId: userId.toHexString(),
    name,
    type,
    scopes: [...scopes],
    preview,
    isActive: revokedAt === null && (expiresAt === null || expiresAt > new Date()),
    createdAt,
    expiresAt,
    lastUsedAt,
  };
}

export interface NewApiKey {
  readonly shopId: string;
  readonly userId: string;
  readonly name: string;
  readonly type: ApiKeyType;
  readonly scopes: readonly Permission[];
  readonly hash: string;
  readonly preview: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
}

export interface ApiKeyFilter {
  readonly shopId?: string;
  readonly type?: ApiKeyType;
  readonly isActive?: boolean;
}

/** Keys belong to people: every method but the look-up by hash takes the person. */
@Injectable()
export class ApiKeysRepository {
  constructor(@InjectModel(API_KEY_MODEL) private readonly keys: Model<ApiKeyRecord>) {}

  async insert({ shopId, userId, scopes, ...rest }: NewApiKey): Promise<ApiKey> {
    const created = await this.keys.create({
      ...rest,
      shopId: new Types.ObjectId(shopId),
      userId: new Types.ObjectId(userId),
      scopes: [...scopes],
    });
    return toApiKey(created);
  }

  /** The one read that authenticates a key. */
  async findByHash(hash: string): Promise<ApiKey | null> {
    const record = await this.keys.findOne({ hash }, FIELDS).lean();
    return record && toApiKey(record);
  }

  async find(userId: string, keyId: string): Promise<ApiKey | null> {
    const record = await this.keys.findOne({ _id: keyId, userId }, FIELDS).lean();
    return record && toApiKey(record);
  }

  async list(userId: string, filter: ApiKeyFilter, after: string | null, limit: number): Promise<ApiKey[]> {
    const { shopId, type, isActive } = filter;
    const live = [
      { expiresAt: null },
      { expiresAt: trusted({ $gt: new Date() }) },
    ] satisfies QueryFilter<ApiKeyRecord>[];
    const over: QueryFilter<ApiKeyRecord>[] = [
      { revokedAt: trusted({ $ne: null }) },
      { expiresAt: trusted({ $lte: new Date(), $ne: null }) },
    ];
    const records = await this.keys
      .find(
        {
          userId,
          ...(after === null ? {} : { _id: trusted({ $lt: new Types.ObjectId(after) }) }),
          ...(shopId === undefined ? {} : { shopId }),
          ...(type === undefined ? {} : { type }),
          ...(isActive === undefined ? {} : isActive ? { revokedAt: null, $or: live } : { $or: over }),
        },
        FIELDS,
      )
      .sort({ _id: -1 })
      .limit(limit)
      .lean();
    return records.map(toApiKey);
  }

  async update(
    userId: string,
    keyId: string,
    changes: { readonly name?: string; readonly scopes?: readonly Permission[] },
  ): Promise<ApiKey | null> {
    const { name, scopes } = changes;
    const record = await this.keys
      .findOneAndUpdate(
        { _id: keyId, userId },
        {
          $set: {
            ...(name === undefined ? {} : { name }),
            ...(scopes === undefined ? {} : { scopes: [...scopes] }),
          },
        },
        { returnDocument: 'after', projection: FIELDS },
      )
      .lean();
    return record && toApiKey(record);
  }

  /** Moves `lastUsedAt` forward, never back. */
  async touch(userId: string, keyId: string, now: Date): Promise<void> {
    await this.keys.updateOne({ _id: keyId, userId }, { $max: { lastUsedAt: now } });
  }
}

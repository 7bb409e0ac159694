import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type QueryFilter, trusted, Types } from 'mongoose';
import { type Permission } from '../common/auth/permissions.js';
import { type Transaction } from '../database/transactions.js';
import { API_KEY_MODEL, type ApiKeyRecord } from './api-key.schema.js';
import { type ApiKey, type ApiKeyType } from './api-key.types.js';

const FIELDS = {
  shopId: 1,
  userId: 1,
  name: 1,
  type: 1,
  scopes: 1,
  serverIds: 1,
  ipAllowlist: 1,
  preview: 1,
  createdAt: 1,
  expiresAt: 1,
  revokedAt: 1,
  rotatedAt: 1,
  previousKeyExpiresAt: 1,
  lastUsedAt: 1,
} as const;

function toApiKey({ _id, shopId, userId, ...record }: Omit<ApiKeyRecord, 'hashes'>): ApiKey {
  const { name, type, scopes, serverIds, ipAllowlist, preview, createdAt, expiresAt, revokedAt, lastUsedAt } = record;
  const now = new Date();
  const { rotatedAt, previousKeyExpiresAt } = record;
  return {
    id: _id.toHexString(),
    shopId: shopId.toHexString(),
    userId: userId.toHexString(),
    name,
    type,
    scopes: [...scopes],
    serverIds: serverIds && serverIds.map((id) => id.toHexString()),
    ipAllowlist: ipAllowlist && [...ipAllowlist],
    preview,
    isActive: revokedAt === null && (expiresAt === null || expiresAt > now),
    createdAt,
    expiresAt,
    revokedAt,
    rotatedAt,
    previousKeyExpiresAt: previousKeyExpiresAt !== null && previousKeyExpiresAt > now ? previousKeyExpiresAt : null,
    lastUsedAt,
  };
}

export interface NewApiKey {
  readonly shopId: string;
  readonly userId: string;
  readonly name: string;
  readonly type: ApiKeyType;
  readonly scopes: readonly Permission[];
  readonly serverIds: readonly string[] | null;
  readonly ipAllowlist: readonly string[] | null;
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

/** What can be changed of a key; what is absent stays. */
export type ApiKeyChanges = Partial<Pick<ApiKey, 'name' | 'scopes' | 'serverIds' | 'ipAllowlist'>>;

/** The next secret of a key, and how long the present one is accepted beside it (null: no longer). */
export interface NextSecret {
  readonly hash: string;
  readonly preview: string;
  readonly rotatedAt: Date;
  readonly previousKeyExpiresAt: Date | null;
}

const objectIds = (ids: readonly string[] | null): Types.ObjectId[] | null =>
  ids && ids.map((id) => new Types.ObjectId(id));

/** Keys belong to people: every method but the look-up by secret takes the person. */
@Injectable()
export class ApiKeysRepository {
  constructor(@InjectModel(API_KEY_MODEL) private readonly keys: Model<ApiKeyRecord>) {}

  async insert(key: NewApiKey, transaction: Transaction): Promise<ApiKey> {
    const { shopId, userId, scopes, serverIds, ipAllowlist, hash, ...rest } = key;
    const record = new this.keys({
      ...rest,
      shopId: new Types.ObjectId(shopId),
      userId: new Types.ObjectId(userId),
      scopes: [...scopes],
      serverIds: objectIds(serverIds),
      ipAllowlist: ipAllowlist && [...ipAllowlist],
      hashes: [hash],
    });
    return toApiKey((await record.save({ session: transaction })).toObject());
  }

  /** The one read that authenticates: the key whose present secret it is, or whose previous one within its grace. */
  async findBySecret(hash: string): Promise<ApiKey | null> {
    const record = await this.keys.findOne({ hashes: hash }, { ...FIELDS, hashes: 1 }).lean();
    if (record === null) return null;
    const key = toApiKey(record);
    return record.hashes[0] === hash || key.previousKeyExpiresAt !== null ? key : null;
  }

  async find(userId: string, keyId: string, transaction?: Transaction): Promise<ApiKey | null> {
    const record = await this.keys
      .findOne({ _id: keyId, userId }, FIELDS)
      .session(transaction ?? null)
      .lean();
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

  /**
   * Changes a key and returns it before and after. A revoked one takes nothing but a new name: null, as for one that is not
   * this person's.
   */
  async update(
    userId: string,
    keyId: string,
    changes: ApiKeyChanges,
    transaction: Transaction,
  ): Promise<{ before: ApiKey; after: ApiKey } | null> {
    const { name, scopes, serverIds, ipAllowlist } = changes;
    const onlyRenames = Object.keys(changes).every((field) => field === 'name');
    const record = await this.keys
      .findOneAndUpdate(
        { _id: keyId, userId, ...(onlyRenames ? {} : { revokedAt: null }) },
        {
          $set: {
            ...(name === undefined ? {} : { name }),
            ...(scopes === undefined ? {} : { scopes: [...scopes] }),
            ...(serverIds === undefined ? {} : { serverIds: objectIds(serverIds) }),
            ...(ipAllowlist === undefined ? {} : { ipAllowlist: ipAllowlist && [...ipAllowlist] }),
          },
        },
        { returnDocument: 'before', projection: FIELDS, session: transaction },
      )
      .lean();
    if (record === null) return null;
    const before = toApiKey(record);
    return { before, after: { ...before, ...changes } };
  }

  /**
   * Gives a key its next secret and drops any other than the present one. Null when the present secret is another than the one
   * that `key` was read with, or the key is revoked by now: of two rotations that start from the same secret exactly one takes
   * place.
   */
  async rotate(key: ApiKey, next: NextSecret, transaction: Transaction): Promise<ApiKey | null> {
    const { hash, ...fields } = next;
    const kept = next.previousKeyExpiresAt === null ? 1 : 2;
    const record = await this.keys
      .findOneAndUpdate(
        { _id: key.id, userId: key.userId, preview: key.preview, revokedAt: null },
        { $set: fields, $push: { hashes: { $each: [hash], $position: 0, $slice: kept } } },
        { returnDocument: 'after', projection: FIELDS, session: transaction },
      )
      .lean();
    return record && toApiKey(record);
  }

  /** Ends a key with all of its secrets. Null when it is revoked already, or not this person's. */
  async revoke(userId: string, keyId: string, now: Date, transaction: Transaction): Promise<ApiKey | null> {
    const record = await this.keys
      .findOneAndUpdate(
        { _id: keyId, userId, revokedAt: null },
        { $set: { revokedAt: now, previousKeyExpiresAt: null } },
        { returnDocument: 'after', projection: FIELDS, session: transaction },
      )
      .lean();
    return record && toApiKey(record);
  }

  /** Ends all keys that a person has in a shop and that are not ended yet; returns their number. */
  async revokeAll(userId: string, shopId: string, now: Date, transaction: Transaction): Promise<number> {
    const { modifiedCount } = await this.keys.updateMany(
      { userId, shopId, revokedAt: null },
      { $set: { revokedAt: now, previousKeyExpiresAt: null } },
      { session: transaction },
    );
    return modifiedCount;
  }

  /** Notes a use, unless one is noted since `before`: of any number of requests at once only one writes. */
  async touch(userId: string, keyId: string, now: Date, before: Date): Promise<void> {
    const due = [{ lastUsedAt: null }, { lastUsedAt: trusted({ $lte: before }) }] satisfies QueryFilter<ApiKeyRecord>[];
    await this.keys.updateOne({ _id: keyId, userId, $or: due }, { $set: { lastUsedAt: now } });
  }
}

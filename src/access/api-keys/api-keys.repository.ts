import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type QueryFilter, trusted } from 'mongoose';
import { Page, type PageRequest } from '../../lib/paging/page.js';
import { present } from '../../domain/errors/change.js';
import { countedById } from '../../infrastructure/database/count-listed.js';
import { orDuplicate } from '../../infrastructure/database/database-errors.js';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { forInsert, fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { API_KEY_MODEL, type ApiKeyRecord } from './api-key.schema.js';
import { type ApiKey, type ApiKeyChange, type ApiKeyFilter, type NewApiKey, type NextSecret } from './api-key.types.js';

/** The fields of a key that are read: all but its secrets. */
const FIELDS = { hashes: 0 } as const;

function toApiKey(record: Omit<ApiKeyRecord, 'hashes'>): ApiKey {
  const key = fromStored(record);
  const { revokedAt, expiresAt, previousKeyExpiresAt } = key;
  const now = new Date();
  return {
    ...key,
    isActive: revokedAt === null && (expiresAt === null || expiresAt > now),
    previousKeyExpiresAt: previousKeyExpiresAt !== null && previousKeyExpiresAt > now ? previousKeyExpiresAt : null,
  };
}

const active = (now: Date) => ({
  revokedAt: null,
  $or: [{ expiresAt: null }, { expiresAt: trusted({ $gt: now }) }],
});

const inactive = (now: Date) => ({
  $or: [{ revokedAt: trusted({ $ne: null }) }, { expiresAt: trusted({ $lte: now, $ne: null }) }],
});

/** Keys belong to people in shops: every method takes the person or the shop, except the search by secret. */
/** How many keys are named at most. */
const MAX_NAMES = 200;

@Injectable()
export class ApiKeysRepository {
  constructor(@InjectModel(API_KEY_MODEL) private readonly keys: Model<ApiKeyRecord>) {}

  /** @throws AppError idempotency_in_progress when there is a key with this id */
  async insert(userId: string, key: NewApiKey, transaction: Transaction): Promise<ApiKey> {
    const { id, hash, ...values } = key;
    const record = forInsert({ ...values, _id: id, userId, hashes: [hash] });
    // The id is taken only if the same request runs twice at once.
    const insert = this.keys.insertOne(record, { session: transaction });
    const { hashes: _hashes, ...stored } = (await orDuplicate(insert, 'idempotency_in_progress')).toObject();
    return toApiKey(stored);
  }

  /** The key with this current secret, or with this previous one during its grace. The read that authenticates a request. */
  async findBySecret(hash: string): Promise<ApiKey | null> {
    const found = await this.keys.findOne({ hashes: hash }).lean();
    if (found === null) return null;
    const { hashes, ...record } = found;
    const key = toApiKey(record);
    return hashes[0] === hash || key.previousKeyExpiresAt !== null ? key : null;
  }

  async find(userId: string, keyId: string, transaction: Transaction | null): Promise<ApiKey | null> {
    const record = await this.keys.findOne({ _id: keyId, userId }, FIELDS).session(transaction).lean();
    return record && toApiKey(record);
  }

  async findInShop(shopId: string, keyId: string): Promise<ApiKey | null> {
    const record = await this.keys.findOne({ _id: keyId, shopId }, FIELDS).lean();
    return record && toApiKey(record);
  }

  /** Counts the keys of a person or a shop that are not revoked or expired, at most up to a number. */
  async countActive(
    of: { readonly userId: string } | { readonly shopId: string },
    upTo: number,
    transaction: Transaction,
  ): Promise<number> {
    return this.keys.countDocuments({ ...of, ...active(new Date()) }, { limit: upTo, session: transaction });
  }

  /** The names of these keys of a shop, by id; without ids, of its newest keys. */
  async namesIn(shopId: string, ids: readonly string[] | null): Promise<ReadonlyMap<string, string>> {
    const keys = { shopId, ...(ids === null ? {} : { _id: oneOf(ids) }) };
    const records = await this.keys.find(keys, { name: 1 }).sort({ _id: -1 }).limit(MAX_NAMES).lean();
    return new Map(records.map(({ _id, name }) => [_id.toHexString(), name]));
  }

  /** The keys of a person or a shop, newest first, and how many there are (`countedById`). */
  async list(
    of: { readonly userId: string } | { readonly shopId: string },
    filter: ApiKeyFilter,
    page: PageRequest,
  ): Promise<Page<ApiKey>> {
    const { shopId, type, isActive } = filter;
    const keys = {
      ...present({ shopId, type }),
      ...of,
      ...(isActive === undefined ? {} : isActive ? active(new Date()) : inactive(new Date())),
    };
    const [records, total] = await countedById<ApiKeyRecord>(this.keys, keys, page, FIELDS);
    return Page.of(records.map(toApiKey), page.limit).counted(total);
  }

  /**
   * Changes a key. Of a revoked key only the name can change.
   * @returns the new record; null when the person has no such key, or it is revoked
   */
  async update(userId: string, keyId: string, change: ApiKeyChange, transaction: Transaction): Promise<ApiKey | null> {
    const onlyRenames = Object.keys(change).every((field) => field === 'name');
    const record = await this.keys
      .findOneAndUpdate(
        { _id: keyId, userId, ...(onlyRenames ? {} : { revokedAt: null }) },
        { $set: forInsert(change) },
        { returnDocument: 'after', projection: FIELDS, session: transaction },
      )
      .lean();
    return record && toApiKey(record);
  }

  /**
   * Gives a key its next secret, and removes all others except the current one. When two rotations start from the same
   * secret, exactly one succeeds.
   * @returns the new record; null when the key was rotated or revoked after `key` was read
   */
  async rotate(key: ApiKey, next: NextSecret, transaction: Transaction): Promise<ApiKey | null> {
    const { hash, ...fields } = next;
    const hashCount = next.previousKeyExpiresAt === null ? 1 : 2;
    const record = await this.keys
      .findOneAndUpdate(
        { _id: key.id, userId: key.userId, preview: key.preview, revokedAt: null },
        { $set: fields, $push: { hashes: { $each: [hash], $position: 0, $slice: hashCount } } },
        { returnDocument: 'after', projection: FIELDS, session: transaction },
      )
      .lean();
    return record && toApiKey(record);
  }

  /** Revokes a key with all its secrets. Returns null when it is already revoked, or the person has no such key. */
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

  /** Revokes all keys of a person in a shop, and returns how many were not revoked before. */
  async revokeAll(userId: string, shopId: string, now: Date, transaction: Transaction): Promise<number> {
    const { modifiedCount } = await this.keys.updateMany(
      { userId, shopId, revokedAt: null },
      { $set: { revokedAt: now, previousKeyExpiresAt: null } },
      { session: transaction },
    );
    return modifiedCount;
  }

  /** Revokes all keys of a person, and returns those that were not revoked before. */
  async revokeEverywhere(userId: string, now: Date, transaction: Transaction): Promise<ApiKey[]> {
    const open = { userId, revokedAt: null };
    const change = { revokedAt: now, previousKeyExpiresAt: null };
    // The snapshot of the transaction: the update changes the keys that were read, or conflicts and runs again.
    const records = await this.keys.find(open, FIELDS).session(transaction).lean();
    await this.keys.updateMany(open, { $set: change }, { session: transaction });
    return records.map((record) => toApiKey({ ...record, ...change }));
  }

  /** Stores the time of a use, unless a use after `before` is stored. Of several requests at once, only one writes. */
  async touch(userId: string, keyId: string, now: Date, before: Date, transaction: Transaction): Promise<void> {
    const due = [{ lastUsedAt: null }, { lastUsedAt: trusted({ $lte: before }) }] satisfies QueryFilter<ApiKeyRecord>[];
    const change = { $set: { lastUsedAt: now } };
    await this.keys.updateOne({ _id: keyId, userId, $or: due }, change, { session: transaction });
  }
}

import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, Types, trusted } from 'mongoose';
import { type Transaction } from '../database/transactions.js';
import { REFRESH_TOKEN_MODEL, type RefreshTokenRecord, SESSION_MODEL, type SessionRecord } from './session.schema.js';
import { type Session, type SessionDetails } from './session.types.js';

const DETAILS = { userId: 1, createdAt: 1, expiresAt: 1, lastUsedAt: 1, device: 1 } as const;

function toSession({ _id, userId, expiresAt }: Pick<SessionRecord, '_id' | 'userId' | 'expiresAt'>): Session {
  return { id: _id.toHexString(), userId: userId.toHexString(), expiresAt };
}

function toDetails(record: Omit<SessionRecord, 'revokedAt'>): SessionDetails {
  const { createdAt, lastUsedAt, device } = record;
  return { ...toSession(record), createdAt, lastUsedAt: lastUsedAt ?? createdAt, device };
}

@Injectable()
export class SessionsRepository {
  constructor(
    @InjectModel(SESSION_MODEL) private readonly sessions: Model<SessionRecord>,
    @InjectModel(REFRESH_TOKEN_MODEL) private readonly tokens: Model<RefreshTokenRecord>,
  ) {}

  /** Makes a session and its first refresh token. */
  async insert(
    session: { userId: string; createdAt: Date; expiresAt: Date; device: string | null },
    tokenHash: string,
    transaction?: Transaction,
  ): Promise<Session> {
    const record = { ...session, _id: new Types.ObjectId(), userId: new Types.ObjectId(session.userId) };
    const options = transaction ? { session: transaction } : {};
    await this.sessions.create([record], options);
    await this.tokens.create([{ sessionId: record._id, hash: tokenHash, expiresAt: session.expiresAt }], options);
    return toSession(record);
  }

  /** The session, unless it is revoked or over. */
  async findLive(id: string, now: Date): Promise<Session | null> {
    const record = await this.sessions
      .findOne({ _id: id, revokedAt: null, expiresAt: trusted({ $gt: now }) }, { userId: 1, expiresAt: 1 })
      .lean();
    return record && toSession(record);
  }

  /** The sessions of a person that are neither revoked nor over, newest first. */
  async listLive(userId: string, now: Date, after: string | null, limit: number): Promise<SessionDetails[]> {
    const records = await this.sessions
      .find(
        {
          userId,
          revokedAt: null,
          expiresAt: trusted({ $gt: now }),
          ...(after === null ? {} : { _id: trusted({ $lt: new Types.ObjectId(after) }) }),
        },
        DETAILS,
      )
      .sort({ _id: -1 })
      .limit(limit)
      .lean();
    return records.map(toDetails);
  }

  async touch(id: string, now: Date, transaction: Transaction): Promise<void> {
    await this.sessions.updateOne({ _id: id }, { $set: { lastUsedAt: now } }, { session: transaction });
  }

  async revoke(id: string, now: Date): Promise<void> {
    await this.sessions.updateOne({ _id: id, revokedAt: null }, { $set: { revokedAt: now } });
  }

  /** Revokes a live session of a person; false when the person has no such session. */
  async revokeOf(userId: string, id: string, now: Date): Promise<boolean> {
    const { modifiedCount } = await this.sessions.updateOne(
      { _id: id, userId, revokedAt: null, expiresAt: trusted({ $gt: now }) },
      { $set: { revokedAt: now } },
    );
    return modifiedCount === 1;
  }

  /** Revokes the live sessions of a person, and says how many. */
  async revokeAllOf(userId: string, now: Date, transaction?: Transaction): Promise<number> {
    const { modifiedCount } = await this.sessions.updateMany(
      { userId, revokedAt: null, expiresAt: trusted({ $gt: now }) },
      { $set: { revokedAt: now } },
      transaction ? { session: transaction } : {},
    );
    return modifiedCount;
  }

  async insertToken(sessionId: string, hash: string, expiresAt: Date, transaction: Transaction): Promise<void> {
    const token = { sessionId: new Types.ObjectId(sessionId), hash, expiresAt };
    await this.tokens.create([token], { session: transaction });
  }

  /** The session of a token, used or not; null for a token that never was ours. */
  async sessionOfToken(hash: string): Promise<string | null> {
    const token = await this.tokens.findOne({ hash }, { sessionId: 1 }).lean();
    return token?.sessionId.toHexString() ?? null;
  }

  /** Uses a token up; of any number at once exactly one gets true. */
  async useToken(hash: string, now: Date, transaction: Transaction): Promise<boolean> {
    const { modifiedCount } = await this.tokens.updateOne(
      { hash, usedAt: null },
      { $set: { usedAt: now } },
      { session: transaction },
    );
    return modifiedCount === 1;
  }
}

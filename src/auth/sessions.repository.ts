import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, Types, trusted } from 'mongoose';
import { REFRESH_TOKEN_MODEL, type RefreshTokenRecord, SESSION_MODEL, type SessionRecord } from './session.schema.js';
import { type Session } from './session.types.js';

function toSession({ _id, userId, expiresAt }: Pick<SessionRecord, '_id' | 'userId' | 'expiresAt'>): Session {
  return { id: _id.toHexString(), userId: userId.toHexString(), expiresAt };
}

@Injectable()
export class SessionsRepository {
  constructor(
    @InjectModel(SESSION_MODEL) private readonly sessions: Model<SessionRecord>,
    @InjectModel(REFRESH_TOKEN_MODEL) private readonly tokens: Model<RefreshTokenRecord>,
  ) {}

  async insert(userId: string, createdAt: Date, expiresAt: Date): Promise<Session> {
    return toSession(await this.sessions.create({ userId: new Types.ObjectId(userId), createdAt, expiresAt }));
  }

  /** The session, unless it is revoked or over. */
  async findLive(id: string, now: Date): Promise<Session | null> {
    const record = await this.sessions
      .findOne({ _id: id, revokedAt: null, expiresAt: trusted({ $gt: now }) }, { userId: 1, expiresAt: 1 })
      .lean();
    return record && toSession(record);
  }

  async revoke(id: string, now: Date): Promise<void> {
    await this.sessions.updateOne({ _id: id, revokedAt: null }, { $set: { revokedAt: now } });
  }

  async insertToken(sessionId: string, hash: string, expiresAt: Date): Promise<void> {
    await this.tokens.create({ sessionId: new Types.ObjectId(sessionId), hash, expiresAt });
  }

  /** The session of a token, used or not; null for a token that never was ours. */
  async sessionOfToken(hash: string): Promise<string | null> {
    const token = await this.tokens.findOne({ hash }, { sessionId: 1 }).lean();
    return token?.sessionId.toHexString() ?? null;
  }

  /** Uses a token up; of any number at once exactly one gets true. */
  async useToken(hash: string, now: Date): Promise<boolean> {
    const { modifiedCount } = await this.tokens.updateOne({ hash, usedAt: null }, { $set: { usedAt: now } });
    return modifiedCount === 1;
  }
}

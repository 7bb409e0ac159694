import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { Page, type PageRequest } from '../../lib/paging/page.js';
import { countedById } from '../../infrastructure/database/count-listed.js';
import { fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { REFRESH_TOKEN_MODEL, type RefreshTokenRecord, SESSION_MODEL, type SessionRecord } from './session.schema.js';
import { type NewSession, type Session, type SessionDetails } from './session.types.js';

/** The fields that a `Session` is made of. */
const FIELDS = { userId: 1, expiresAt: 1 } as const;

function toDetails(record: Omit<SessionRecord, 'revokedAt'>): SessionDetails {
  return { ...fromStored(record), lastUsedAt: record.lastUsedAt ?? record.createdAt };
}

const live = (now: Date) => ({ revokedAt: null, expiresAt: trusted({ $gt: now }) });

@Injectable()
export class SessionsRepository {
  constructor(
    @InjectModel(SESSION_MODEL) private readonly sessions: Model<SessionRecord>,
    @InjectModel(REFRESH_TOKEN_MODEL) private readonly tokens: Model<RefreshTokenRecord>,
  ) {}

  async insert(userId: string, session: NewSession, transaction: Transaction): Promise<Session> {
    const { _id } = await this.sessions.insertOne({ ...session, userId }, { session: transaction });
    return { id: _id.toHexString(), userId, expiresAt: session.expiresAt };
  }

  /** The session, or null when it is unknown, revoked or expired. */
  async findLive(id: string, now: Date, transaction: Transaction | null): Promise<Session | null> {
    const record = await this.sessions
      .findOne({ _id: id, ...live(now) }, FIELDS)
      .session(transaction)
      .lean();
    return record && fromStored(record);
  }

  /** The sessions of a person that are neither revoked nor expired, newest first, and how many there are (`countedById`). */
  async listLive(userId: string, now: Date, page: PageRequest): Promise<Page<SessionDetails>> {
    const ofPerson = { userId, ...live(now) };
    const [records, total] = await countedById<SessionRecord>(this.sessions, ofPerson, page, { revokedAt: 0 });
    return Page.of(records.map(toDetails), page.limit).counted(total);
  }

  async touch(id: string, now: Date, transaction: Transaction): Promise<void> {
    await this.sessions.updateOne({ _id: id }, { $set: { lastUsedAt: now } }, { session: transaction });
  }

  async revoke(id: string, now: Date, transaction: Transaction): Promise<void> {
    const change = { $set: { revokedAt: now } };
    await this.sessions.updateOne({ _id: id, revokedAt: null }, change, { session: transaction });
  }

  /** Revokes a live session of a person, and returns it; null when the person has no such session. */
  async revokeOf(userId: string, id: string, now: Date, transaction: Transaction): Promise<Session | null> {
    const record = await this.sessions
      .findOneAndUpdate(
        { _id: id, userId, ...live(now) },
        { $set: { revokedAt: now } },
        { projection: FIELDS, session: transaction },
      )
      .lean();
    return record && fromStored(record);
  }

  /** Revokes the live sessions of a person, and returns how many there were. */
  async revokeAllOf(userId: string, now: Date, transaction: Transaction): Promise<number> {
    const { modifiedCount } = await this.sessions.updateMany(
      { userId, ...live(now) },
      { $set: { revokedAt: now } },
      { session: transaction },
    );
    return modifiedCount;
  }

  async insertToken({ id, expiresAt }: Session, hash: string, transaction: Transaction): Promise<void> {
    await this.tokens.insertOne({ sessionId: id, hash, expiresAt }, { session: transaction });
  }

  /** The id of the session that a token belongs to, also when the token is already used; null for an unknown token. */
  async sessionOfToken(hash: string): Promise<string | null> {
    const token = await this.tokens.findOne({ hash }).lean();
    return token?.sessionId.toHexString() ?? null;
  }

  /** Whether a token was not used yet. */
  async isUnused(hash: string, transaction: Transaction): Promise<boolean> {
    return (await this.tokens.exists({ hash, usedAt: null }).session(transaction)) !== null;
  }

  /** Marks a token as used. When several requests use it at once, exactly one gets true. */
  async useToken(hash: string, now: Date, transaction: Transaction): Promise<boolean> {
    const { modifiedCount } = await this.tokens.updateOne(
      { hash, usedAt: null },
      { $set: { usedAt: now } },
      { session: transaction },
    );
    return modifiedCount === 1;
  }
}

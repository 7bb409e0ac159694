import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { forInsert, fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { CONSENT_TEXT_MODEL, type ConsentTextRecord } from './consent-text.schema.js';
import { type ConsentKind, type ConsentText, type ConsentVersion } from './consent.types.js';

/** What buyers of a shop agreed to. A version never changes and is never removed: orders refer to it. */
@Injectable()
export class ConsentTextsRepository {
  constructor(@InjectModel(CONSENT_TEXT_MODEL) private readonly texts: Model<ConsentTextRecord>) {}

  async insert(shopId: string, text: Omit<ConsentText, 'id' | 'shopId'>, transaction: Transaction): Promise<void> {
    await this.texts.insertOne(forInsert({ ...text, shopId }), { session: transaction });
  }

  async find(
    shopId: string,
    { kind, version }: ConsentVersion,
    transaction: Transaction | null,
  ): Promise<ConsentText | null> {
    const record = await this.texts.findOne({ shopId, kind, version }).session(transaction).lean();
    return record && fromStored(record);
  }

  async findByHash(
    shopId: string,
    kind: ConsentKind,
    hash: string,
    transaction: Transaction,
  ): Promise<ConsentText | null> {
    const record = await this.texts.findOne({ shopId, kind, hash }).session(transaction).lean();
    return record && fromStored(record);
  }

  /** 0: the shop has never required the kind. */
  async latestVersion(shopId: string, kind: ConsentKind, transaction: Transaction): Promise<number> {
    const latest = await this.texts
      .findOne({ shopId, kind }, { version: 1 })
      .sort({ version: -1 })
      .session(transaction)
      .lean();
    return latest?.version ?? 0;
  }

  /** Counts the versions of a shop, at most up to a number. */
  count(shopId: string, upTo: number, transaction: Transaction): Promise<number> {
    return this.texts.countDocuments({ shopId }, { limit: upTo, session: transaction });
  }
}

import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type QueryFilter, trusted, type Types } from 'mongoose';
import { Page, type PageRequest } from '../../lib/paging/page.js';
import { type Scrubber } from '../../infrastructure/buyers/scrubber.js';
import { type NamingFields } from '../../infrastructure/buyers/naming-fields.js';
import { aboutBuyers, type Buyer, type Erasing, type PersonalData } from '../../infrastructure/buyers/personal-data.js';
import { nicknameKeyOf } from '../../domain/buyers/buyer-keys.js';
import { mailboxOf } from '../../domain/buyers/mailbox.js';
import { searchWordsOf } from '../../lib/strings/search-words.js';
import { beginningWith, withWords } from '../../infrastructure/database/beginnings.js';
import { countedById } from '../../infrastructure/database/count-listed.js';
import { orDuplicate } from '../../infrastructure/database/database-errors.js';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { forInsert, fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { BAN_MODEL, type BanRecord } from './ban.schema.js';
import { banKeysOf, mailboxKey, playerKey } from './ban-rules.js';
import { type Ban, type BanFilter } from './ban.types.js';

/** The bans with one of these keys that have not ended. */
function lasting(shopId: string, keys: readonly string[], now: Date): QueryFilter<BanRecord> {
  return {
    shopId,
    key: oneOf(keys),
    $or: [{ until: null }, { until: trusted({ $gt: now }) }],
  };
}

const NAMES: NamingFields<BanRecord> = {
  ...{ nickname: 'nickname', email: 'mailbox', key: 'banKey', reason: 'sentence', createdBy: null },
  // Made from the others, and again after each erasure.
  searchWords: null,
};

const wordsOf = ({ nickname, email, reason }: Pick<Ban, 'nickname' | 'email' | 'reason'>) => ({
  searchWords: searchWordsOf(nickname, email, reason),
});

function conditionsOf(
  { q, nickname, email, hasEnded }: BanFilter,
  readsBuyers: boolean,
  now: Date,
): QueryFilter<BanRecord>[] {
  const ended = { until: trusted({ $lte: now }) };
  const nicknamesFrom = (beginning: string) => ({ key: beginningWith(playerKey(nicknameKeyOf(beginning))) });
  return [
    ...(q === undefined ? [] : readsBuyers ? withWords<BanRecord>(q) : [nicknamesFrom(q)]),
    ...(nickname === undefined ? [] : [{ key: playerKey(nicknameKeyOf(nickname)) }]),
    ...(email === undefined ? [] : [{ key: mailboxKey(mailboxOf(email)) }]),
    ...(hasEnded === undefined ? [] : [hasEnded ? ended : { $nor: [ended] }]),
  ];
}

const ofBuyer = ({ shopId, keys }: Buyer) => ({ shopId, key: oneOf(keys.flatMap(banKeysOf)) });

@Injectable()
export class BansRepository {
  constructor(@InjectModel(BAN_MODEL) private readonly bans: Model<BanRecord>) {}

  /** @throws AppError already_banned */
  async insert(shopId: string, values: Omit<Ban, 'id' | 'shopId'>, transaction: Transaction): Promise<Ban> {
    const write = this.bans.insertOne(forInsert({ ...values, ...wordsOf(values), shopId }), { session: transaction });
    const { searchWords: _words, ...ban } = fromStored((await orDuplicate(write, 'already_banned')).toObject());
    return ban;
  }

  /** Counts the bans of a shop, at most up to a number. */
  async countAll(shopId: string, upTo: number, transaction: Transaction): Promise<number> {
    return this.bans.countDocuments({ shopId }, { limit: upTo, session: transaction });
  }

  /**
   * The bans that a filter finds, newest first, and how many there are (`countedById`).
   * @param readsBuyers whether the reader may find bans by an address or a reason, which can name a buyer
   */
  async list(
    shopId: string,
    filter: BanFilter,
    readsBuyers: boolean,
    page: PageRequest,
    now: Date,
  ): Promise<Page<Ban>> {
    const wanted = { shopId, $and: [{}, ...conditionsOf(filter, readsBuyers, now)] };
    const [records, total] = await countedById<BanRecord>(this.bans, wanted, page);
    return Page.of(records.map(fromStored), page.limit).counted(total);
  }

  /** A ban with one of these keys that has not ended. */
  async findOf(
    shopId: string,
    keys: readonly string[],
    now: Date,
    transaction: Transaction | null,
  ): Promise<Ban | null> {
    const record = await this.bans
      .findOne(lasting(shopId, keys, now))
      .session(transaction)
      .lean();
    return record && fromStored(record);
  }

  /** Those of these keys that have a ban that has not ended. */
  async bannedKeys(shopId: string, keys: readonly string[], now: Date): Promise<Set<string>> {
    const records = await this.bans.find(lasting(shopId, keys, now), { key: 1 }).lean();
    return new Set(records.map(({ key }) => key));
  }

  /** The bans with one of these keys, also those that have ended. */
  async withKeys(shopId: string, keys: readonly string[]): Promise<Ban[]> {
    const records = await this.bans.find({ shopId, key: oneOf(keys) }).lean();
    return records.map(fromStored);
  }

  /** Returns the deleted ban, or null when there is none. */
  async delete(shopId: string, banId: string, transaction: Transaction): Promise<Ban | null> {
    const record = await this.bans.findOneAndDelete({ _id: banId, shopId }, { session: transaction }).lean();
    return record && fromStored(record);
  }

  /** Deletes the ban with this key if it has ended. */
  async deleteEnded(shopId: string, key: string, now: Date, transaction: Transaction): Promise<void> {
    await this.bans.deleteOne({ shopId, key, until: trusted({ $lte: now }) }, { session: transaction });
  }

  /** Counts the bans of a buyer. */
  async countOf(buyer: Buyer): Promise<number> {
    return this.bans.countDocuments(ofBuyer(buyer));
  }

  /** What the bans have about buyers. */
  personalData(): PersonalData {
    const data = aboutBuyers<BanRecord>(this.bans, ofBuyer, NAMES);
    const eraseBuyer = async (buyer: Buyer, scrubber: Scrubber): Promise<Erasing> => {
      const erase = await data.eraseBuyer(buyer, scrubber);
      const found = await this.bans.find(ofBuyer(buyer), { _id: 1 }).lean();
      return async (transaction) => {
        await this.deleteErased(buyer, scrubber, transaction);
        await erase(transaction);
        const ids = found.map(({ _id }) => _id);
        await this.rewriteWords(buyer.shopId, ids, transaction);
      };
    };
    return { ...data, eraseBuyer };
  }

  private async rewriteWords(shopId: string, ids: readonly Types.ObjectId[], transaction: Transaction): Promise<void> {
    const bans = await this.bans
      .find({ shopId, _id: oneOf(ids) })
      .session(transaction)
      .lean();
    for (const { _id, ...ban } of bans) {
      await this.bans.updateOne({ shopId, _id }, { $set: wordsOf(ban) }, { session: transaction });
    }
  }

  /** A buyer who was erased before, came back and was banned again: the new ban counts. */
  private async deleteErased(buyer: Buyer, scrubber: Scrubber, transaction: Transaction): Promise<void> {
    const bans = await this.bans.find(ofBuyer(buyer)).session(transaction).lean();
    const keys = bans.map(({ key }) => scrubber.string('banKey', key));
    await this.bans.deleteMany({ shopId: buyer.shopId, key: oneOf(keys) }, { session: transaction });
  }
}

import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type QueryFilter, trusted } from 'mongoose';
import { Page, type PageRequest } from '../../lib/paging/page.js';
import { countedById } from '../../infrastructure/database/count-listed.js';
import { forInsert, fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { SALE_MODEL, type SaleRecord } from './sale.schema.js';
import { type Sale, type SaleAnnouncement, type SaleState, type SaleValues, type SoldSale } from './sale.types.js';

/** A record as the item. One that was stored before sales were announced has nothing to announce. */
const itemOf = (record: SaleRecord): Sale => ({ ...fromStored(record), announces: record.announces ?? null });

const notEnded = (now: Date): QueryFilter<SaleRecord> => ({
  $or: [{ endsAt: null }, { endsAt: trusted({ $gt: now }) }],
});

/** The condition of `stateOf`. */
function isIn(state: SaleState, now: Date): QueryFilter<SaleRecord> {
  switch (state) {
    case 'planned':
      return { startsAt: trusted({ $gt: now }) };
    case 'running':
      return { startsAt: trusted({ $lte: now }), ...notEnded(now) };
    case 'ended':
      return { endsAt: trusted({ $lte: now }) };
  }
}

@Injectable()
export class SalesRepository {
  constructor(@InjectModel(SALE_MODEL) private readonly sales: Model<SaleRecord>) {}

  async insert(shopId: string, values: Omit<Sale, 'id' | 'shopId'>, transaction: Transaction): Promise<Sale> {
    const record = await this.sales.insertOne(forInsert({ ...values, shopId }), { session: transaction });
    return itemOf(record.toObject());
  }

  async find(shopId: string, saleId: string, transaction: Transaction | null): Promise<Sale | null> {
    const record = await this.sales.findOne({ _id: saleId, shopId }).session(transaction).lean();
    return record && itemOf(record);
  }

  /** Counts the sales of a shop that have not ended, at most up to a number. */
  async countCurrent(shopId: string, now: Date, upTo: number, transaction: Transaction): Promise<number> {
    return this.sales.countDocuments({ shopId, ...notEnded(now) }, { limit: upTo, session: transaction });
  }

  /** The sales of a shop, newest first, and how many there are (`countedById`). */
  async list(shopId: string, state: SaleState | undefined, now: Date, page: PageRequest): Promise<Page<Sale>> {
    const within = state === undefined ? {} : isIn(state, now);
    const [records, total] = await countedById<SaleRecord>(this.sales, { shopId, $and: [within] }, page);
    return Page.of(records.map(itemOf), page.limit).counted(total);
  }

  /** The sales that had not ended at a moment, as a snapshot has them. @param limit how many at most; 0: all */
  async listSold(shopId: string, now: Date, limit: number, transaction: Transaction | null): Promise<SoldSale[]> {
    const records = await this.sales
      .find({ shopId, ...notEnded(now) }, { shopId: 0, currency: 0, createdAt: 0, createdBy: 0, announces: 0 })
      .limit(limit)
      .session(transaction)
      .lean();
    return records.map(fromStored);
  }

  /** Returns the changed sale, or null when it does not exist. */
  async update(
    shopId: string,
    saleId: string,
    values: SaleValues & Pick<Sale, 'announces'>,
    transaction: Transaction,
  ): Promise<Sale | null> {
    const options = { session: transaction, returnDocument: 'after' } as const;
    const record = await this.sales.findOneAndUpdate({ _id: saleId, shopId }, { $set: values }, options).lean();
    return record && itemOf(record);
  }

  async delete(shopId: string, saleId: string, transaction: Transaction): Promise<void> {
    await this.sales.deleteOne({ _id: saleId, shopId }, { session: transaction });
  }

  /** Sales of all shops of which something is to be announced now, what is due for the longest time first. */
  async findDue(now: Date, limit: number, transaction: Transaction): Promise<Sale[]> {
    const records = await this.sales
      .find({ 'announces.at': trusted({ $lte: now }) })
      .sort({ 'announces.at': 1 })
      .limit(limit)
      .session(transaction)
      .lean();
    return records.map(itemOf);
  }

  /** Writes what is to be announced next. It is no change of what the shop sells. */
  async setAnnounces(
    { shopId, id }: Pick<Sale, 'shopId' | 'id'>,
    announces: SaleAnnouncement | null,
    transaction: Transaction,
  ): Promise<void> {
    await this.sales.updateOne({ _id: id, shopId }, { $set: { announces } }, { session: transaction });
  }
}

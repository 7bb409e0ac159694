import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { statesBefore } from '../../lib/states/transitions.js';
import { Page, type PageRequest } from '../../lib/paging/page.js';
import { countedById } from '../../infrastructure/database/count-listed.js';
import { claimDue } from '../../infrastructure/database/claim-due.js';
import { orDuplicate } from '../../infrastructure/database/database-errors.js';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { forInsert, fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { IMAGE_MODEL, type ImageRecord } from './image.schema.js';
import { type Image, IMAGE_TRANSITIONS, type ImageState } from './image.types.js';

@Injectable()
export class ImagesRepository {
  constructor(@InjectModel(IMAGE_MODEL) private readonly images: Model<ImageRecord>) {}

  /** @throws AppError state_conflict when the shop has the image already */
  async insert(values: Omit<Image, 'id'>, transaction: Transaction): Promise<Image> {
    const write = this.images.insertOne(forInsert(values), { session: transaction });
    return fromStored((await orDuplicate(write, 'state_conflict')).toObject());
  }

  async find(shopId: string, hash: string, transaction: Transaction | null): Promise<Image | null> {
    const record = await this.images.findOne({ shopId, hash }).session(transaction).lean();
    return record && fromStored(record);
  }

  /** Those of some images that the shop has. */
  async findAll(shopId: string, hashes: readonly string[], transaction: Transaction): Promise<Image[]> {
    const records = await this.images
      .find({ shopId, hash: oneOf(hashes) })
      .session(transaction)
      .lean();
    return records.map(fromStored);
  }

  async countAll(shopId: string, upTo: number, transaction: Transaction): Promise<number> {
    return this.images.countDocuments({ shopId }, { limit: upTo, session: transaction });
  }

  /** The images of a shop, newest first, and how many there are (`countedById`). */
  async list(shopId: string, page: PageRequest): Promise<Page<Image>> {
    const stored = { shopId, state: 'stored' as const satisfies ImageState };
    const [records, total] = await countedById<ImageRecord>(this.images, stored, page);
    return Page.of(records.map(fromStored), page.limit).counted(total);
  }

  /** Changes when images are checked, and what is known of their use. Makes this transaction conflict with every other one that writes them. */
  async touch(
    shopId: string,
    hashes: readonly string[],
    change: Pick<Image, 'checkAt' | 'unusedSince'>,
    transaction: Transaction,
  ): Promise<void> {
    await this.images.updateMany({ shopId, hash: oneOf(hashes) }, { $set: change }, { session: transaction });
  }

  /** Moves an image to a state. Returns false when it is in a state from which it cannot move there. */
  async move(
    shopId: string,
    hash: string,
    state: ImageState,
    checkAt: Date,
    transaction: Transaction,
  ): Promise<boolean> {
    const before = trusted({ $in: statesBefore(IMAGE_TRANSITIONS, state) });
    const change = { $set: { state, checkAt } };
    const { matchedCount } = await this.images.updateOne({ shopId, hash, state: before }, change, {
      session: transaction,
    });
    return matchedCount === 1;
  }

  /** Claims images whose check is due, so that no other process checks them until `leaseUntil`. */
  async claimDue(now: Date, leaseUntil: Date, limit: number, transaction: Transaction): Promise<Image[]> {
    const records = await claimDue<ImageRecord>(
      this.images,
      { field: 'checkAt' },
      { now, leaseUntil, limit },
      transaction,
    );
    return records.map(fromStored);
  }

  /** Deletes the record of an image whose files are removed. */
  async delete(shopId: string, hash: string, transaction: Transaction): Promise<void> {
    const options = { session: transaction };
    await this.images.deleteOne({ shopId, hash, state: 'removing' satisfies ImageState }, options);
  }
}

import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { Page, type PageRequest } from '../../lib/paging/page.js';
import { afterId } from '../../infrastructure/database/after-id.js';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { countedById } from '../../infrastructure/database/count-listed.js';
import { forInsert, fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type ShopEventType } from '../../events/shop-events/shop-event-details.js';
import { WEBHOOK_MODEL, type WebhookRecord } from './webhook.schema.js';
import { EVERY_EVENT, type SealedFields, type Webhook, type WebhookFilter } from './webhook.types.js';

/** What can change about a webhook. */
export type WebhookChange = Partial<Omit<Webhook, 'id' | 'shopId' | 'createdAt' | 'createdBy'>>;

@Injectable()
export class WebhooksRepository {
  constructor(@InjectModel(WEBHOOK_MODEL) private readonly webhooks: Model<WebhookRecord>) {}

  async insert(shopId: string, { id, ...values }: Omit<Webhook, 'shopId'>, transaction: Transaction): Promise<Webhook> {
    const record = forInsert({ ...values, _id: id, shopId });
    return fromStored((await this.webhooks.insertOne(record, { session: transaction })).toObject());
  }

  /** Counts the webhooks of a shop, at most up to a number. */
  async countAll(shopId: string, upTo: number, transaction: Transaction): Promise<number> {
    return this.webhooks.countDocuments({ shopId }, { limit: upTo, session: transaction });
  }

  /** @param hidden webhooks that receive one of these events are left out */
  async list(shopId: string, hidden: readonly ShopEventType[], page: PageRequest): Promise<Page<Webhook>> {
    const leftOut: WebhookFilter[] = hidden.length === 0 ? [] : [...hidden, EVERY_EVENT];
    const readable = { shopId, events: trusted({ $nin: leftOut }) };
    const [records, total] = await countedById<WebhookRecord>(this.webhooks, readable, page);
    return Page.of(records.map(fromStored), page.limit).counted(total);
  }

  async find(shopId: string, webhookId: string, transaction: Transaction | null): Promise<Webhook | null> {
    const record = await this.webhooks.findOne({ _id: webhookId, shopId }).session(transaction).lean();
    return record && fromStored(record);
  }

  /** The events that active webhooks of a shop get, or every event. */
  async filtersOf(shopId: string, transaction: Transaction): Promise<ReadonlySet<WebhookFilter>> {
    const records = await this.webhooks.find({ shopId, isActive: true }, { events: 1 }).session(transaction).lean();
    return new Set(records.flatMap(({ events }) => events));
  }

  /** The active webhooks of a shop that get one of some events. A shop has at most as many as its quota. */
  async listeningTo(shopId: string, events: Iterable<ShopEventType>, transaction: Transaction): Promise<Webhook[]> {
    const records = await this.webhooks
      .find({ shopId, isActive: true, events: oneOf<WebhookFilter>([...events, EVERY_EVENT]) })
      .session(transaction)
      .lean();
    return records.map(fromStored);
  }

  /** Switches a webhook off that is on. Returns whether it was on. */
  async disable(shopId: string, webhookId: string, disabledAt: Date, transaction: Transaction): Promise<boolean> {
    const { modifiedCount } = await this.webhooks.updateOne(
      { _id: webhookId, shopId, isActive: true },
      { $set: { isActive: false, disabledAt } },
      { session: transaction },
    );
    return modifiedCount === 1;
  }

  /** Returns the changed webhook, or null when it does not exist. */
  async update(
    shopId: string,
    webhookId: string,
    change: WebhookChange,
    transaction: Transaction,
  ): Promise<Webhook | null> {
    const options = { session: transaction, returnDocument: 'after' } as const;
    const update = { $set: forInsert(change) };
    const record = await this.webhooks.findOneAndUpdate({ _id: webhookId, shopId }, update, options).lean();
    return record && fromStored(record);
  }

  /** Returns the deleted webhook, or null when it does not exist. */
  async delete(shopId: string, webhookId: string, transaction: Transaction): Promise<Webhook | null> {
    const record = await this.webhooks.findOneAndDelete({ _id: webhookId, shopId }, { session: transaction }).lean();
    return record && fromStored(record);
  }

  /** The webhooks of all shops in the order of their ids. @param id null: from the first one */
  async listAfter(id: string | null, limit: number): Promise<Webhook[]> {
    const records = await this.webhooks.find(afterId(id)).sort({ _id: 1 }).limit(limit).lean();
    return records.map(fromStored);
  }

  /** Replaces what is encrypted. Returns false when it has changed since the webhook was read. */
  async reseal(read: Webhook, sealed: SealedFields, transaction: Transaction): Promise<boolean> {
    const { id, shopId, sealedUrl, sealedSecret, sealedPreviousSecret } = read;
    const { matchedCount } = await this.webhooks.updateOne(
      // Each encryption uses a new nonce, so the encrypted values identify the version.
      { _id: id, shopId, sealedUrl, sealedSecret, sealedPreviousSecret },
      { $set: sealed },
      { session: transaction },
    );
    return matchedCount === 1;
  }
}

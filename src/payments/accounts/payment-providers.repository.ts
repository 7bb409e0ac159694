import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { orDuplicate } from '../../infrastructure/database/database-errors.js';
import { afterId } from '../../infrastructure/database/after-id.js';
import { forInsert, fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import {
  type EnabledConfiguration,
  type NewConfiguration,
  type NoticeField,
  type PaymentConfiguration,
  type SealedSecrets,
} from './payment-configuration.types.js';
import { PAYMENT_PROVIDER_MODEL, type PaymentProviderRecord } from './payment-provider.schema.js';

type Changes = Partial<Omit<PaymentConfiguration, 'id' | 'shopId' | 'provider'>>;

/**
 * What identifies a version of the credentials or of the path secret: each encryption uses a new nonce, and each secret is random. Or
 * whether a request is registering the webhook.
 */
type Version = 'sealedCredentials' | 'sealedWebhookSecret' | 'secretHash' | 'registeringUntil';

@Injectable()
export class PaymentProvidersRepository {
  constructor(@InjectModel(PAYMENT_PROVIDER_MODEL) private readonly providers: Model<PaymentProviderRecord>) {}

  async find(shopId: string, provider: string, transaction: Transaction | null): Promise<PaymentConfiguration | null> {
    const record = await this.providers.findOne({ shopId, provider }).session(transaction).lean();
    return record && fromStored(record);
  }

  /** All configurations of a shop, newest first. There are at most as many as there are providers. */
  async list(shopId: string): Promise<PaymentConfiguration[]> {
    const records = await this.providers.find({ shopId }).sort({ _id: -1 }).lean();
    return records.map(fromStored);
  }

  /** What a shop has switched on, newest first, as far as it decides what the shop can charge. */
  async listEnabled(shopId: string, transaction: Transaction): Promise<EnabledConfiguration[]> {
    const records = await this.providers
      .find({ shopId, enabled: true }, { shopId: 1, provider: 1, sealedCredentials: 1 })
      .sort({ _id: -1 })
      .session(transaction)
      .lean();
    return records.map(fromStored);
  }

  /** @throws AppError state_conflict when the shop has configured the provider already */
  async insert(
    shopId: string,
    provider: string,
    values: NewConfiguration,
    transaction: Transaction,
  ): Promise<PaymentConfiguration> {
    const insert = this.providers.insertOne(forInsert({ ...values, shopId, provider }), { session: transaction });
    return fromStored((await orDuplicate(insert, 'state_conflict')).toObject());
  }

  /**
   * Changes a configuration as it was read. Returns null when it has changed since, or was removed.
   * @param versions what must be unchanged
   */
  async update(
    read: PaymentConfiguration,
    changes: Changes,
    transaction: Transaction | null,
    versions: readonly Version[] = ['sealedCredentials'],
  ): Promise<PaymentConfiguration | null> {
    const record = await this.providers
      .findOneAndUpdate(asRead(read, versions), { $set: changes }, { session: transaction, returnDocument: 'after' })
      .lean();
    return record && fromStored(record);
  }

  /** Removes a configuration as it was read. Returns false when it has changed since. */
  async remove(read: PaymentConfiguration, transaction: Transaction): Promise<boolean> {
    const versions = ['sealedCredentials', 'registeringUntil'] as const;
    const { deletedCount } = await this.providers.deleteOne(asRead(read, versions), { session: transaction });
    return deletedCount === 1;
  }

  /**
   * Records that owners get a notice about a configuration as it was read. Returns false when they got one within the interval, or when
   * the configuration has changed since: of parallel calls one succeeds.
   */
  async markNotified(
    read: PaymentConfiguration,
    field: NoticeField,
    now: Date,
    intervalMs: number,
    transaction: Transaction,
  ): Promise<boolean> {
    const isDue = [{ [field]: null }, { [field]: trusted({ $lte: new Date(now.getTime() - intervalMs) }) }];
    const { matchedCount } = await this.providers.updateOne(
      { ...asRead(read), $or: isDue },
      { $set: { [field]: now } },
      { session: transaction },
    );
    return matchedCount === 1;
  }

  /** The configurations of all shops in the order of their ids. @param id null: from the first one */
  async listAfter(id: string | null, limit: number): Promise<PaymentConfiguration[]> {
    const records = await this.providers.find(afterId(id)).sort({ _id: 1 }).limit(limit).lean();
    return records.map(fromStored);
  }

  /** Replaces the encrypted secrets. Returns false when they have changed since the configuration was read. */
  async reseal(read: PaymentConfiguration, secrets: SealedSecrets, transaction: Transaction): Promise<boolean> {
    return (await this.update(read, secrets, transaction, ['sealedCredentials', 'sealedWebhookSecret'])) !== null;
  }
}

/** The filter of a configuration with these versions of its secrets. */
function asRead(read: PaymentConfiguration, versions: readonly Version[] = ['sealedCredentials']) {
  const { shopId, provider } = read;
  return { shopId, provider, ...Object.fromEntries(versions.map((version) => [version, read[version]])) };
}

import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { orDuplicate } from '../../infrastructure/database/database-errors.js';
import { afterId } from '../../infrastructure/database/after-id.js';
import { forInsert, fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type PaymentConfiguration, type ProviderHealth, type SealedSecrets } from './payment-configuration.types.js';
import { MAX_FORMER_SECRETS } from './webhook-secret.js';
import {
  PAYMENT_PROVIDER_MODEL,
  type PaymentProviderRecord,
  type PublicationField,
} from './payment-provider.schema.js';

type Settings = Pick<
  PaymentConfiguration,
  | 'enabled'
  | 'credentialNames'
  | 'sealedCredentials'
  | 'configuredAt'
  | 'configuredBy'
  | 'checkedAt'
  | 'webhookRegistered'
  | 'failure'
  | 'lastError'
  | 'failingSince'
>;

function configurationOf(record: PaymentProviderRecord): PaymentConfiguration {
  const {
    rejectionPublishedAt: _rejection,
    failurePublishedAt: _failure,
    unappliedPublishedAt: _unapplied,
    ...configuration
  } = fromStored(record);
  return configuration;
}

/** A new path secret, as it is stored. */
type NewSecret = Pick<PaymentConfiguration, 'secretHash' | 'sealedWebhookSecret'>;

/** Names one version of a configuration: each encryption uses a new nonce, so the ciphertext identifies it. */
type ConfigurationKey = Pick<PaymentConfiguration, 'shopId' | 'provider' | 'sealedCredentials'>;

@Injectable()
export class PaymentProvidersRepository {
  constructor(@InjectModel(PAYMENT_PROVIDER_MODEL) private readonly providers: Model<PaymentProviderRecord>) {}

  async find(shopId: string, provider: string, transaction: Transaction | null): Promise<PaymentConfiguration | null> {
    const record = await this.providers.findOne({ shopId, provider }).session(transaction).lean();
    return record && configurationOf(record);
  }

  /** All configurations of a shop, newest first. There are at most as many as there are providers. */
  async list(shopId: string): Promise<PaymentConfiguration[]> {
    const records = await this.providers.find({ shopId }).sort({ _id: -1 }).lean();
    return records.map(configurationOf);
  }

  /** @throws AppError state_conflict when the shop has configured the provider already */
  async insert(
    shopId: string,
    provider: string,
    secret: NewSecret,
    settings: Settings,
    transaction: Transaction,
  ): Promise<PaymentConfiguration> {
    const values = forInsert({ ...settings, ...secret, shopId, provider });
    const insert = this.providers.insertOne(values, { session: transaction });
    return configurationOf((await orDuplicate(insert, 'state_conflict')).toObject());
  }

  /** Replaces the settings of a configuration as it was read. Returns null when it has changed since. */
  async update(
    read: PaymentConfiguration,
    settings: Partial<Settings>,
    transaction: Transaction | null,
  ): Promise<PaymentConfiguration | null> {
    const { shopId, provider, sealedCredentials } = read;
    const record = await this.providers
      .findOneAndUpdate(
        { shopId, provider, sealedCredentials },
        { $set: settings },
        { session: transaction, returnDocument: 'after' },
      )
      .lean();
    return record && configurationOf(record);
  }

  /**
   * Sets a new path secret. The previous one works until `previousUntil`, and is recognised afterwards. The provider has the previous
   * address, so it is not known any more to have the webhook. Returns null as `update` does.
   */
  async rotateSecret(
    read: PaymentConfiguration,
    secret: NewSecret,
    previousUntil: Date,
    transaction: Transaction,
  ): Promise<PaymentConfiguration | null> {
    const { shopId, provider } = read;
    const record = await this.providers
      .findOneAndUpdate(
        { shopId, provider, secretHash: read.secretHash },
        {
          $set: {
            ...secret,
            previousSecretHash: read.secretHash,
            previousSecretUntil: previousUntil,
            webhookRegistered: null,
          },
          $push: { formerSecretHashes: { $each: [read.secretHash], $slice: -MAX_FORMER_SECRETS } },
        },
        { session: transaction, returnDocument: 'after' },
      )
      .lean();
    return record && configurationOf(record);
  }

  /** Removes a configuration as it was read. Returns false when it has changed since. */
  async remove(read: PaymentConfiguration, transaction: Transaction): Promise<boolean> {
    const { shopId, provider, sealedCredentials } = read;
    const { deletedCount } = await this.providers.deleteOne(
      { shopId, provider, sealedCredentials },
      { session: transaction },
    );
    return deletedCount === 1;
  }

  /** Records what was found out about a configuration as it was read. Nothing happens when it has changed since. */
  async setHealth(
    { shopId, provider, sealedCredentials }: ConfigurationKey,
    health: Partial<ProviderHealth>,
    transaction: Transaction | null,
  ): Promise<void> {
    await this.providers.updateOne({ shopId, provider, sealedCredentials }, { $set: health }).session(transaction);
  }

  /**
   * Claims the right to publish an event about a configuration as it was read, once in an interval: of parallel claims one succeeds.
   * None succeeds when the configuration has changed since.
   * @param field when the last event was published
   */
  async claimPublication(
    { shopId, provider, sealedCredentials }: ConfigurationKey,
    field: PublicationField,
    now: Date,
    intervalMs: number,
    transaction: Transaction,
  ): Promise<boolean> {
    const isDue = [{ [field]: null }, { [field]: trusted({ $lte: new Date(now.getTime() - intervalMs) }) }];
    const { matchedCount } = await this.providers.updateOne(
      { shopId, provider, sealedCredentials, $or: isDue },
      { $set: { [field]: now } },
      { session: transaction },
    );
    return matchedCount === 1;
  }

  /** The configurations of all shops in the order of their ids. @param id null: from the first one */
  async listAfter(id: string | null, limit: number): Promise<PaymentConfiguration[]> {
    const records = await this.providers.find(afterId(id)).sort({ _id: 1 }).limit(limit).lean();
    return records.map(configurationOf);
  }

  /** Replaces the encrypted secrets. Returns false when they have changed since the configuration was read. */
  async reseal(read: PaymentConfiguration, secrets: SealedSecrets, transaction: Transaction): Promise<boolean> {
    const { shopId, provider, sealedCredentials, sealedWebhookSecret } = read;
    const { matchedCount } = await this.providers.updateOne(
      { shopId, provider, sealedCredentials, sealedWebhookSecret },
      { $set: secrets },
      { session: transaction },
    );
    return matchedCount === 1;
  }
}

import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import { orDuplicate } from '../database/database-errors.js';
import { type Transaction } from '../database/transactions.js';
import { type PaymentConfiguration } from './payment-configuration.types.js';
import { PAYMENT_PROVIDER_MODEL, type PaymentProviderRecord } from './payment-provider.schema.js';

const FIELDS = {
  shopId: 1,
  provider: 1,
  enabled: 1,
  credentialNames: 1,
  sealedCredentials: 1,
  secretHash: 1,
  previousSecretHash: 1,
  previousSecretUntil: 1,
  configuredAt: 1,
} as const;

function toConfiguration(record: Omit<PaymentProviderRecord, 'configuredBy'>): PaymentConfiguration {
  const { _id, shopId, provider, enabled, credentialNames, sealedCredentials } = record;
  const { secretHash, previousSecretHash, previousSecretUntil, configuredAt } = record;
  return {
    id: _id.toHexString(),
    shopId: shopId.toHexString(),
    provider,
    enabled,
    credentialNames: [...credentialNames],
    sealedCredentials,
    secretHash,
    previousSecretHash,
    previousSecretUntil,
    configuredAt,
  };
}

type Settings = Pick<
  PaymentProviderRecord,
  'enabled' | 'credentialNames' | 'sealedCredentials' | 'configuredAt' | 'configuredBy'
>;

@Injectable()
export class PaymentProvidersRepository {
  constructor(@InjectModel(PAYMENT_PROVIDER_MODEL) private readonly providers: Model<PaymentProviderRecord>) {}

  async find(shopId: string, provider: string): Promise<PaymentConfiguration | null> {
    const record = await this.providers.findOne({ shopId, provider }, FIELDS).lean();
    return record && toConfiguration(record);
  }

  /** All of a shop's, newest first; there are no more than there are providers. */
  async list(shopId: string): Promise<PaymentConfiguration[]> {
    const records = await this.providers.find({ shopId }, FIELDS).sort({ _id: -1 }).lean();
    return records.map(toConfiguration);
  }

  /** @throws AppError state_conflict when there is a configuration already */
  async insert(
    shopId: string,
    provider: string,
    secretHash: string,
    settings: Settings,
    transaction: Transaction,
  ): Promise<PaymentConfiguration> {
    const record = new this.providers({ shopId: new Types.ObjectId(shopId), provider, secretHash, ...settings });
    return toConfiguration(await orDuplicate(record.save({ session: transaction }), 'state_conflict'));
  }

  /** Replaces the settings of a configuration as it was read; null when it changed meanwhile. */
  async update(
    read: PaymentConfiguration,
    settings: Settings,
    transaction: Transaction,
  ): Promise<PaymentConfiguration | null> {
    const { shopId, provider, sealedCredentials } = read;
    const record = await this.providers
      .findOneAndUpdate(
        // Every sealing draws a new nonce, so equal texts are the same version.
        { shopId, provider, sealedCredentials },
        { $set: settings },
        { session: transaction, returnDocument: 'after', projection: FIELDS },
      )
      .lean();
    return record && toConfiguration(record);
  }

  /** Makes a new path secret the current one; the one that was read opens until `previousUntil`. Null as in `update`. */
  async rotateSecret(
    read: PaymentConfiguration,
    secretHash: string,
    previousUntil: Date,
    transaction: Transaction,
  ): Promise<PaymentConfiguration | null> {
    const { shopId, provider } = read;
    const record = await this.providers
      .findOneAndUpdate(
        { shopId, provider, secretHash: read.secretHash },
        { $set: { secretHash, previousSecretHash: read.secretHash, previousSecretUntil: previousUntil } },
        { session: transaction, returnDocument: 'after', projection: FIELDS },
      )
      .lean();
    return record && toConfiguration(record);
  }
}

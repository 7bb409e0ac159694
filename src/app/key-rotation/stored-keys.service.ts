import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../platform/config/app-config.js';
import { ConfigurationError } from '../../platform/config/environment.js';
import { keyId } from '../../platform/crypto/encryption-keys.js';
import { Transactions } from '../../platform/database/transactions.js';
import { StoredKeysRepository } from './stored-keys.repository.js';

/** Knows which encryption keys the data in the database needs. */
@Injectable()
export class StoredKeysService {
  constructor(
    private readonly keys: StoredKeysRepository,
    private readonly config: AppConfig,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Records that data is encrypted with the current key from now on. It comes before anything is read or encrypted.
   * @throws ConfigurationError when the data needs a key that is not configured
   */
  async requireReadable(): Promise<void> {
    const { encryptionKey, previousEncryptionKey, environment, dataDir } = this.config;
    const current = keyId(encryptionKey);
    const readable = [current, ...(previousEncryptionKey === null ? [] : [keyId(previousEncryptionKey)])];
    const missing = await this.transactions.run(async (transaction) => {
      const needed = await this.keys.list(transaction);
      const unknown = needed.filter((id) => !readable.includes(id));
      if (unknown.length === 0 && !needed.includes(current)) await this.keys.replace([...needed, current], transaction);
      return unknown;
    });
    if (missing.length === 0) return;
    const generated =
      environment === 'production' ? '' : ` (or restore ${join(dataDir, 'secrets.json')}, which had it)`;
    throw new ConfigurationError(
      `ENCRYPTION_KEY has the id ${current}, but the stored data is encrypted with the key ${missing.join(' and the key ')}: ` +
        `set that one as ENCRYPTION_KEY, or as ENCRYPTION_KEY_PREVIOUS to replace it${generated}; ` +
        'docs/handbook/encryption-key.md says what to do when it is lost',
    );
  }

  /** Records that only the current key is needed: everything is encrypted with it, or what is not is given up. */
  async acceptCurrent(): Promise<void> {
    const current = keyId(this.config.encryptionKey);
    await this.transactions.run((transaction) => this.keys.replace([current], transaction));
  }
}

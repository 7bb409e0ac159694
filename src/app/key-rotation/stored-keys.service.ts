import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { ConfigurationError } from '../../infrastructure/config/environment.js';
import { keyId, keyIds } from '../../lib/crypto/encryption-keys.js';
import { Transactions } from '../../infrastructure/database/transactions.js';
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
    const current = keyId(this.config.encryptionKey);
    const problem = await this.transactions.run(async (transaction) => {
      const needed = await this.keys.list(transaction);
      const found = this.problemWith(needed);
      if (found === null && !needed.includes(current)) await this.keys.replace([...needed, current], transaction);
      return found;
    });
    if (problem !== null) throw new ConfigurationError(problem);
  }

  /** Which key the data needs that is not configured, and what to do, as one sentence; null: none. Writes nothing. */
  async missingKeyProblem(): Promise<string | null> {
    return this.problemWith(await this.keys.list(null));
  }

  /** Records that only the current key is needed: everything is encrypted with it, or what is not is given up. */
  async acceptCurrent(): Promise<void> {
    const current = keyId(this.config.encryptionKey);
    await this.transactions.run((transaction) => this.keys.replace([current], transaction));
  }

  private problemWith(needed: readonly string[]): string | null {
    const { environment, dataDir } = this.config;
    const readable = keyIds(this.config);
    const missing = needed.filter((id) => !readable.includes(id));
    if (missing.length === 0) return null;
    const generated =
      environment === 'production' ? '' : ` (or restore ${join(dataDir, 'secrets.json')}, which had it)`;
    return (
      `ENCRYPTION_KEY has the id ${readable[0]}, but the stored data is encrypted with the key ${missing.join(' and the key ')}: ` +
      `set that one as ENCRYPTION_KEY, or as ENCRYPTION_KEY_PREVIOUS to replace it${generated}; ` +
      'docs/handbook/encryption-key.md says what to do when it is lost'
    );
  }
}

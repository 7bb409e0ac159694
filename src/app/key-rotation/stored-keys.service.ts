import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { ConfigurationError } from '../../infrastructure/config/environment.js';
import { keyId, keyIds } from '../../lib/crypto/encryption-keys.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { Job } from '../../infrastructure/jobs/job.js';
import { describeError } from '../../infrastructure/logging/logger.js';
import { MINUTE_MS, SECOND_MS } from '../../lib/time/durations.js';
import { RunningProcessesRepository } from './running-processes.repository.js';
import { StoredKeysRepository } from './stored-keys.repository.js';

/** How often a process says that it runs. */
const INTERVAL_MS = 15 * SECOND_MS;
/** For how long it counts as running after that. A process that was killed holds up `acceptCurrent` as long. */
const LIFETIME_MS = MINUTE_MS;

/**
 * Knows which encryption keys the data in the database needs, and which ones running processes encrypt with: MongoDB does not tell who
 * uses it, and a key that a process uses is not lost.
 */
@Injectable()
export class StoredKeysService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(StoredKeysService.name);
  private readonly processId = randomUUID();
  private readonly current: string;
  private readonly job = new Job('encryption-key', INTERVAL_MS, () => this.keepAlive());
  private isRegistered = false;

  constructor(
    private readonly keys: StoredKeysRepository,
    private readonly processes: RunningProcessesRepository,
    private readonly config: AppConfig,
    private readonly transactions: Transactions,
  ) {
    this.current = keyId(config.encryptionKey);
  }

  /**
   * Records that data is encrypted with the current key from now on, by this process. It comes before anything is read or encrypted.
   * @throws ConfigurationError when the data needs a key that is not configured
   */
  async requireReadable(): Promise<void> {
    const problem = await this.transactions.run(async (transaction) => {
      const needed = await this.keys.list(transaction);
      const found = this.problemWith(needed);
      if (found === null) await this.use(needed, transaction);
      return found;
    });
    if (problem !== null) throw new ConfigurationError(problem);
    this.isRegistered = true;
  }

  onApplicationBootstrap(): void {
    if (this.isRegistered) this.job.start();
  }

  async onApplicationShutdown(): Promise<void> {
    if (!this.isRegistered) return;
    await this.job.stop();
    try {
      await this.transactions.run((transaction) => this.processes.remove(this.processId, transaction));
    } catch (error) {
      // Without the database the record ends by its time.
      this.logger.warn('The end of this process could not be recorded', describeError(error));
    }
  }

  /** Which key the data needs that is not configured, and what to do, as one sentence; null: none. Writes nothing. */
  async missingKeyProblem(): Promise<string | null> {
    return this.problemWith(await this.keys.list(null));
  }

  /**
   * Records that only the current key is needed: everything is encrypted with it, or what is not is given up. Changes nothing while a
   * process encrypts with another key. @returns the ids of such keys; empty: it is recorded
   */
  acceptCurrent(): Promise<readonly string[]> {
    return this.transactions.run(async (transaction) => {
      const others = await this.processes.otherKeys(this.current, new Date(), transaction);
      if (others.length === 0) await this.keys.replace([this.current], new Date(), transaction);
      return others;
    });
  }

  /** Writes the keys also when none is new, so that of this and `acceptCurrent` at once, one runs again and sees the other. */
  private async use(needed: readonly string[], transaction: Transaction): Promise<void> {
    await this.keys.replace([...new Set([...needed, this.current])], new Date(), transaction);
    await this.keep(transaction);
  }

  private keep(transaction: Transaction): Promise<void> {
    const aliveUntil = new Date(Date.now() + LIFETIME_MS);
    return this.processes.keep(this.processId, this.current, aliveUntil, transaction);
  }

  /** A process that was asleep for longer than its record lasts may find that its key was given up meanwhile: it is needed again. */
  private async keepAlive(): Promise<void> {
    await this.transactions.run(async (transaction) => {
      const needed = await this.keys.list(transaction);
      return needed.includes(this.current) ? this.keep(transaction) : this.use(needed, transaction);
    });
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

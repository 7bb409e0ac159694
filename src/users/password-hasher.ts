import { Injectable } from '@nestjs/common';
import { Algorithm, hash, verify } from '@node-rs/argon2';
import { Semaphore } from '../common/concurrency/semaphore.js';

/** OWASP's figures for argon2id; the library's numbers are KiB, passes and lanes. */
const ARGON2ID = { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const MAX_PARALLEL = 4;
const MAX_WAITING = 100;

/** argon2id, at most four at once: a flood of logins must not take all memory. */
@Injectable()
export class PasswordHasher {
  private readonly semaphore = new Semaphore(MAX_PARALLEL, MAX_WAITING);
  private dummy: Promise<string> | undefined;

  hash(password: string): Promise<string> {
    return this.semaphore.run(() => hash(password, ARGON2ID));
  }

  /**
   * Whether a password fits a hash. Without a hash (an unknown user) it computes as long and says no, so that the time of
   * the answer does not tell who has an account.
   */
  async verify(passwordHash: string | null, password: string): Promise<boolean> {
    const reference = passwordHash ?? (await (this.dummy ??= this.hash('nobody has this password')));
    const fits = await this.semaphore.run(() => verify(reference, password));
    return fits && passwordHash !== null;
  }
}

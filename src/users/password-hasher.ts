import { Injectable } from '@nestjs/common';
import { Algorithm, hash, verify } from '@node-rs/argon2';
import { Semaphore } from '../common/concurrency/semaphore.js';

/** OWASP's figures for argon2id; the library's numbers are KiB, passes and lanes. */
const ARGON2ID = { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** A salt and a result, 16 and 32 bytes in base64, that were made up: no password is known to lead to them. */
const MADE_UP = 'bm9ib2R5cyBzYWx0LCAxNg$bm8gcGFzc3dvcmQgbGVhZHMgdG8gdGhpcywgMzIgQnk';
/** What an unknown person's password is compared with: the figures of every other hash, so the same work. */
export const NOBODYS_HASH = `$argon2id$v=19$m=${ARGON2ID.memoryCost},t=${ARGON2ID.timeCost},p=${ARGON2ID.parallelism}$${MADE_UP}`;

const MAX_PARALLEL = 4;
const MAX_WAITING = 100;

/** argon2id, at most four at once: a flood of logins must not take all memory. */
@Injectable()
export class PasswordHasher {
  private readonly semaphore = new Semaphore(MAX_PARALLEL, MAX_WAITING);

  hash(password: string): Promise<string> {
    return this.semaphore.run(() => hash(password, ARGON2ID));
  }

  /**
   * Whether a password fits a hash. Without a hash (an unknown user) it computes as long and says no, so that the time of
   * the answer does not tell who has an account; nor does a full line, which both wait in.
   * @throws AppError service_unavailable when too many wait already
   */
  async verify(passwordHash: string | null, password: string): Promise<boolean> {
    const fits = await this.semaphore.run(() => verify(passwordHash ?? NOBODYS_HASH, password));
    return fits && passwordHash !== null;
  }
}

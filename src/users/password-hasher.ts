import { Injectable } from '@nestjs/common';
import { Algorithm, hash, verify } from '@node-rs/argon2';
import { Semaphore } from '../common/concurrency/semaphore.js';

/** The parameters that OWASP recommends for argon2id. `memoryCost` is in KiB. */
const ARGON2ID = { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** An invented salt and result (16 and 32 bytes in base64). No password is known to give this result. */
const MADE_UP = 'bm9ib2R5cyBzYWx0LCAxNg$bm8gcGFzc3dvcmQgbGVhZHMgdG8gdGhpcywgMzIgQnk';
/** The hash to check against when there is no such person. It has the usual parameters, so the check takes as long. */
export const NOBODYS_HASH = `$argon2id$v=19$m=${ARGON2ID.memoryCost},t=${ARGON2ID.timeCost},p=${ARGON2ID.parallelism}$${MADE_UP}`;

const MAX_PARALLEL = 4;
const MAX_WAITING = 100;

/** argon2id hashes, at most four at once, so that many logins at once do not use up the memory. */
@Injectable()
export class PasswordHasher {
  private readonly semaphore = new Semaphore(MAX_PARALLEL, MAX_WAITING);

  hash(password: string): Promise<string> {
    return this.semaphore.run(() => hash(password, ARGON2ID));
  }

  /**
   * Whether a password fits a hash. Without a hash (an unknown person) it does the same work and returns false, so that
   * neither the time nor an overload shows who has an account.
   * @throws AppError service_unavailable when too many others are waiting
   */
  async verify(passwordHash: string | null, password: string): Promise<boolean> {
    const fits = await this.semaphore.run(() => verify(passwordHash ?? NOBODYS_HASH, password));
    return fits && passwordHash !== null;
  }
}

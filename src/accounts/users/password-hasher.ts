import { Injectable } from '@nestjs/common';
import { Algorithm, hash, verify } from '@node-rs/argon2';
import { unavailable } from '../../domain/errors/app-error.js';
import { Semaphore } from '../../lib/concurrency/semaphore.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';

/** An invented salt and result (16 and 32 bytes in base64). No password is known to give this result. */
const MADE_UP = 'bm9ib2R5cyBzYWx0LCAxNg$bm8gcGFzc3dvcmQgbGVhZHMgdG8gdGhpcywgMzIgQnk';

const MAX_PARALLEL = 4;
const MAX_WAITING = 100;

/** The same bytes for a password from every keyboard: systems write é or full-width letters in different ways (NIST SP 800-63B). */
const normalised = (password: string): string => password.normalize('NFKC');

/** argon2id hashes, at most four at once, so that many logins at once do not use up the memory. */
@Injectable()
export class PasswordHasher {
  /** The hash to check against when there is no such person. It has the usual parameters, so the check takes as long. */
  readonly dummyHash: string;
  private readonly semaphore = new Semaphore(MAX_PARALLEL, MAX_WAITING, unavailable);
  private readonly cost: AppConfig['passwordCost'];

  constructor({ passwordCost }: AppConfig) {
    this.cost = passwordCost;
    this.dummyHash = `$argon2id$v=19$m=${passwordCost.memoryKib},t=${passwordCost.passes},p=1$${MADE_UP}`;
  }

  hash(password: string): Promise<string> {
    const { memoryKib, passes } = this.cost;
    const parameters = {
      algorithm: 2 satisfies Algorithm.Argon2id,
      memoryCost: memoryKib,
      timeCost: passes,
      parallelism: 1,
    };
    return this.semaphore.run(() => hash(normalised(password), parameters));
  }

  /**
   * Whether a password fits a hash. Without a hash (an unknown person, or one who has set no password) it does the same work and returns false, so that
   * neither the time nor an overload shows who has an account.
   * @throws AppError service_unavailable when too many others are waiting
   */
  async verify(passwordHash: string | null, password: string): Promise<boolean> {
    const fits = await this.semaphore.run(() => verify(passwordHash ?? this.dummyHash, normalised(password)));
    return fits && passwordHash !== null;
  }
}

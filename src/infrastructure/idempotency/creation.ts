import { randomSecret } from '../../lib/crypto/opaque-token.js';
import { newObjectId } from '../../lib/ids/object-id.js';

/**
 * What a request creates. With an `Idempotency-Key`, it is the same each time the request runs. So nothing is created twice when
 * a process ends after the work, but before it stores the response.
 */
export interface Creation {
  readonly id: string;
  /** For a secret that the response shows: 256 bits in base64url. Like the id, it is the same each time the request runs. */
  readonly secret: string;
  /** Whether the request ran before without a known result: what it creates may exist already. */
  readonly isRepeated: boolean;
}

/** The creation of a request that has not run before. */
export function newCreation(): Creation {
  return { id: newObjectId(), secret: randomSecret(), isRepeated: false };
}

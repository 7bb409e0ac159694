import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { MINUTE_MS } from '../../lib/time/durations.js';

/** How long after its use a form that is sent again gets the same page: a second click, or a page that is loaded again. */
export const REPETITION_MS = MINUTE_MS;

/**
 * The id of what was sent with a token. Other content, or another token, has another id, and nobody can find out the content without the
 * token.
 * @param content what the form says, without the password
 */
export function usedTokenId(token: string, content: readonly string[]): string {
  return sha256(JSON.stringify([token, ...content]));
}

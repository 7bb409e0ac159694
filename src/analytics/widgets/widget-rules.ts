import { isErasedNickname } from '../../domain/buyers/erased-buyer.js';
import { type MinorUnits } from '../../lib/money/money.js';

/**
 * How much of a goal is reached, in whole percent, rounded down: 100 means that all of it is. 0 when more was given back than
 * paid. More than 100 when more than the goal is reached.
 */
export function percentReached(reachedMinor: MinorUnits, targetMinor: MinorUnits): number {
  return Math.max(0, Math.floor((reachedMinor * 100) / targetMinor));
}

/** What stands for a buyer whom the shop has erased. */
const ERASED = 'somebody';

/** A player as everybody sees one. */
export const shownPlayer = (nickname: string): string => (isErasedNickname(nickname) ? ERASED : nickname);

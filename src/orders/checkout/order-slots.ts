import { type OpenOrderSlot } from '../order/order.types.js';

/**
 * The number of a free slot of a holder, or null when as many as the quota are taken. Not the first free one, because parallel
 * orders would all choose it.
 * @param taken slots of this and other holders
 * @param random from 0 to 1
 */
export function freeSlot(
  holder: string,
  taken: readonly OpenOrderSlot[],
  quota: number,
  random: number,
): number | null {
  const numbers = new Set(taken.filter((slot) => slot.holder === holder).map(({ number }) => number));
  if (numbers.size >= quota) return null;
  let number = Math.floor(random * quota);
  while (numbers.has(number)) number = (number + 1) % quota;
  return number;
}

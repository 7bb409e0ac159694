import { type MinorUnits } from './money.js';

/**
 * Splits an amount into whole minor units by weights, so that the parts add up to it: each gets its share rounded down, and the units that
 * are left go to those with the largest remainders, the first of equal ones first. Weights that are all 0 count as equal.
 * @param amount not negative
 * @param weights not negative
 */
export function splitAmount(amount: MinorUnits, weights: readonly number[]): MinorUnits[] {
  const hasWeight = weights.some((weight) => weight > 0);
  // The product of two amounts of a large order is no safe integer.
  const counted = weights.map((weight) => BigInt(hasWeight ? weight : 1));
  const sum = counted.reduce((total, weight) => total + weight, 0n);
  const shares = counted.map((weight, index) => {
    const product = BigInt(amount) * weight;
    return { index, part: Number(product / sum), remainder: product % sum };
  });
  const left = amount - shares.reduce((total, { part }) => total + part, 0);
  const byRemainder = shares.toSorted(
    (one, other) => Number(other.remainder - one.remainder) || one.index - other.index,
  );
  const raised = new Set(byRemainder.slice(0, left).map(({ index }) => index));
  return shares.map(({ index, part }) => part + (raised.has(index) ? 1 : 0));
}

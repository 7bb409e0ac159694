/** How many transactions can change one counter at the same time. Each reader of the counter reads as many documents. */
export const SHARDS = 16;

/** The shard that an order prefers. Orders are spread evenly. @param id 24 hexadecimal digits */
export function shardOf(id: string): number {
  return parseInt(id.slice(-2), 16) % SHARDS;
}

/**
 * Splits a number among all shards as evenly as possible. No shard is below zero while another one is above it: otherwise
 * what a late payment took beyond the limit could be taken once more.
 */
export function splitEvenly(total: number): number[] {
  const each = Math.trunc(total / SHARDS);
  const rest = total - each * SHARDS;
  return Array.from({ length: SHARDS }, (_, shard) => each + (shard < Math.abs(rest) ? Math.sign(rest) : 0));
}

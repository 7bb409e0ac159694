import { Double } from 'bson';
import { compare, hashOf } from '../values/compare.js';
import { double, integer } from '../values/numbers.js';
import { isNumber, type Maybe, type Num, type Value } from '../values/types.js';
import { sizeOf } from './work.js';

/** Collects the values of one group. */
export interface Accumulator {
  /** Adds one value and returns about how many bytes the group has grown. */
  add(value: Maybe): number;
  result(): Value;
}

/** Adds numbers as MongoDB does: whole numbers exactly, doubles with a compensation of rounding errors. */
export class Sum {
  private whole = 0n;
  private high = 0;
  private low = 0;
  private doubles = false;
  private longs = false;

  add(value: Num): void {
    if (value instanceof Double) {
      this.doubles = true;
      const sum = this.high + value.value;
      const part = sum - this.high;
      if (Number.isFinite(sum)) this.low += this.high - (sum - part) + (value.value - part);
      this.high = sum;
      return;
    }
    this.longs ||= typeof value === 'bigint';
    this.whole += BigInt(value);
  }

  /** The sum as a double. */
  total(): number {
    return this.high + (this.low + Number(this.whole));
  }

  /** The sum in the widest type that was added, wider where it doesn't fit. */
  value(): Num {
    return this.doubles ? double(this.total()) : integer(this.whole, this.longs);
  }
}

/** `$sum`. */
export function summing(): Accumulator {
  const sum = new Sum();
  return { add: (value) => (isNumber(value) && sum.add(value), 0), result: () => sum.value() };
}

/** `$avg`. */
export function average(): Accumulator {
  const sum = new Sum();
  let count = 0;
  return {
    add: (value) => {
      if (!isNumber(value)) return 0;
      sum.add(value);
      count++;
      return 0;
    },
    result: () => (count === 0 ? null : double(sum.total() / count)),
  };
}

/** `$max`, or `$min` with -1. */
export function extreme(way: 1 | -1): Accumulator {
  let best: Maybe;
  return {
    add: (value) => {
      if (value == null || (best !== undefined && compare(value, best) * way <= 0)) return 0;
      const grown = sizeOf(value) - sizeOf(best);
      best = value;
      return grown;
    },
    result: () => best ?? null,
  };
}

function picking(last: boolean): Accumulator {
  let picked: Maybe;
  let seen = false;
  return {
    add: (value) => {
      if (seen && !last) return 0;
      const grown = sizeOf(value) - sizeOf(picked);
      picked = value;
      seen = true;
      return grown;
    },
    result: () => picked ?? null,
  };
}

function pushing(): Accumulator {
  const values: Value[] = [];
  return {
    add: (value) => {
      if (value === undefined) return 0;
      values.push(value);
      return sizeOf(value);
    },
    result: () => values,
  };
}

function addingToSet(): Accumulator {
  const values = new Map<string, Value>();
  return {
    add: (value) => {
      const hash = hashOf(value);
      if (value === undefined || values.has(hash)) return 0;
      values.set(hash, value);
      return sizeOf(value) + hash.length;
    },
    result: () => [...values.values()],
  };
}

/** The accumulators of `$group` (manual: reference/operator/aggregation/group/#accumulator-operator). */
export const accumulators: Readonly<Record<string, (() => Accumulator) | undefined>> = {
  $sum: summing,
  $count: summing,
  $avg: average,
  $min: () => extreme(-1),
  $max: () => extreme(1),
  $first: () => picking(false),
  $last: () => picking(true),
  $push: pushing,
  $addToSet: addingToSet,
};

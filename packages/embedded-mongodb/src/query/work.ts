import { fail } from '../errors.js';
import { isDoc, type Maybe } from '../values/types.js';
import { memoryLimit } from './sorting.js';

/** About how many bytes a value takes in memory; counting ends once that is more than {@link memoryLimit}. */
export function sizeOf(value: Maybe): number {
  if (typeof value === 'string') return 16 + value.length * 2;
  if (typeof value !== 'object' || value === null) return 24;
  let sum = 32;
  if (Array.isArray(value)) {
    for (const element of value) if ((sum += sizeOf(element)) > memoryLimit) break;
    return sum;
  }
  if (!isDoc(value)) return 24;
  for (const [name, field] of value) if ((sum += name.length * 2 + 32 + sizeOf(field)) > memoryLimit) break;
  return sum;
}

/** The largest number of units of work of one expression for one document; a unit is about the call of one operator. */
const most = 2_000_000;
/** After this many units the time is checked. */
const interval = 4096;

/**
 * Bounds what the expressions of a command cost. They are evaluated without a pause for each document, so work
 * that is too large must be stopped: no other command runs meanwhile.
 */
export class Work {
  private done = 0;
  private sinceCheck = 0;

  /** `deadline` gives the time (`performance.now()`) at which the command is over. */
  constructor(private readonly deadline: () => number) {}

  /** Another document begins. */
  begin(): void {
    this.done = 0;
  }

  /** Counts units of work. 50 when the command's time is over, or the expression costs too much for one document. */
  add(units: number): void {
    this.done += units;
    this.sinceCheck += units;
    if (this.sinceCheck < interval) return;
    this.sinceCheck = 0;
    this.checkTime();
    if (this.done > most)
      fail(50, `operation exceeded time limit: one expression took more than ${most} steps for one document`);
  }

  /** 50 when the command's time is over. */
  checkTime(): void {
    if (performance.now() > this.deadline()) fail(50, 'operation exceeded time limit');
  }

  /** Counts a value that was put together of others. 146 when it is too large, even where its parts are shared. */
  hold<T extends Maybe>(value: T, name: string): T {
    const bytes = sizeOf(value);
    if (bytes > memoryLimit)
      fail(146, `${name} would use too much memory and cannot spill to disk. Memory limit: ${memoryLimit} bytes`);
    this.add(bytes >> 8);
    return value;
  }
}

/** For expressions that are evaluated without a command. */
export const unlimited = (): Work => new Work(() => Number.POSITIVE_INFINITY);

/** Operators that return their operands, or a copy of them. */
const cheap = new Set('$size $isArray $arrayElemAt $first $last $concatArrays $slice $concat $type $eq $ne'.split(' '));

/** What calling an operator with these operands costs, in units. */
export function costOf(name: string, args: readonly Maybe[]): number {
  let units = 1;
  for (const arg of args) {
    if (Array.isArray(arg)) units += cheap.has(name) ? arg.length >> 5 : arg.length;
    else if (typeof arg === 'string') units += arg.length >> (cheap.has(name) ? 8 : 4);
  }
  return units;
}

import { fail } from '../errors.js';
import { parsePattern } from './pattern.js';
import { compilePattern, type Program, type Step } from './program.js';
import { unlimited, type Work } from './work.js';

/** Steps that one test may take, as PCRE's match limit, and further ones for each character of the text. */
const [stepLimit, stepsPerCharacter] = [5_000_000, 4];
/** After this many steps the time is checked. */
const batchSize = 100_000;
/** How many positions for backtracking one test may store, three numbers each. */
const stackLimit = 3_000_000;

const wide = (code: number): number => (code > 0xffff ? 2 : 1);
const isWide = (text: string, at: number): boolean => (text.codePointAt(at) ?? 0) > 0xffff;

/** The position `count` characters before another; -1 when there are not so many. */
function before(text: string, at: number, count: number): number {
  let place = at;
  for (let left = count; left > 0; left--) {
    if (place <= 0) return -1;
    place -= place > 1 && isWide(text, place - 2) ? 2 : 1;
  }
  return place;
}

/**
 * A regular expression as MongoDB executes it: with PCRE's meaning, and stopped after a fixed number of steps, so that no
 * pattern keeps the thread for long. A test ends earlier when the time of the command is over.
 */
export class Regex {
  private readonly program: Program;
  private readonly slots: Int32Array;
  private readonly stack: number[] = [];
  private text = '';
  /** Steps until the next check of the time, and those that are allowed after them. */
  private left = 0;
  private rest = 0;
  /** The next step. */
  private next = 0;

  constructor(
    source: string,
    options: string,
    private readonly work: Work,
  ) {
    for (const option of options)
      if (!'imsxu'.includes(option)) fail(51108, `invalid flag in regex options: ${option}`);
    const [i, m, s, x] = ['i', 'm', 's', 'x'].map((flag) => options.includes(flag));
    const flags = { i: i === true, m: m === true, s: s === true, x: x === true };
    this.program = compilePattern(parsePattern(source, flags));
    this.slots = new Int32Array(this.program.slots);
  }

  /**
   * Whether the text has a match. 51156 when that takes too many steps, MongoDB's error when PCRE's limit is reached; 50 when
   * the command's time is over.
   */
  test(text: string): boolean {
    const { code, first, prefix, beginning } = this.program;
    this.text = text;
    this.left = 0;
    this.rest = stepLimit + stepsPerCharacter * text.length;
    this.slots.fill(-1);
    this.stack.length = 0;
    for (let at = 0; at <= text.length; at++) {
      if (prefix !== '') at = text.indexOf(prefix, at);
      if (at < 0) return false;
      if ((!first || first.has(text.codePointAt(at) ?? Number.NaN)) && this.run(code, at) >= 0) return true;
      if (beginning === 'text') return false;
      if (beginning === 'line') at = text.indexOf('\n', at);
      if (at < 0) return false;
      if (isWide(text, at)) at++;
    }
    return false;
  }

  private countStep(): void {
    if (--this.left >= 0) return;
    if (this.rest <= 0) this.stop();
    this.work.checkTime();
    this.left = Math.min(batchSize, this.rest);
    this.rest -= this.left;
  }

  private stop(): never {
    return fail(51156, 'Error occurred while executing the regular expression. Result code: match limit exceeded');
  }

  /**
   * Runs a program from a place of the text and returns where it ends, or -1. The other ways that are still to be tried are on
   * the stack, three numbers each: a step and a place to go on from; or -1, a slot, and the value to put back into it; or -2
   * minus the position of a `run`, the place where it ended, and the place before which it must not end.
   */
  private run(code: readonly Step[], start: number): number {
    const base = this.stack.length;
    let at = start;
    for (let pc = 0; ; pc = this.next) {
      const step = code[pc];
      if (!step) return at;
      this.countStep();
      if (this.stack.length > stackLimit) this.stop();
      this.next = pc + 1;
      at = this.take(step, at);
      if (at < 0) at = this.goBack(base);
      if (at < 0) return -1;
    }
  }

  /** Takes the last of the other ways that were put on the stack above `base`; -1 when there is none. */
  private goBack(base: number): number {
    const { stack } = this;
    while (stack.length > base) {
      const [third, second, first] = [stack.pop() ?? 0, stack.pop() ?? 0, stack.pop() ?? 0];
      if (first === -1) {
        this.slots[second] = third;
        continue;
      }
      if (first >= 0) {
        this.next = first;
        return second;
      }
      const shorter = before(this.text, second, 1);
      if (shorter > third) stack.push(first, shorter, third);
      this.next = -1 - first;
      return shorter;
    }
    return -1;
  }

  /** Executes one step and returns the position after it, or -1; `next` is the next step. */
  private take(step: Step, at: number): number {
    switch (step.op) {
      case 'one': {
        const code = this.text.codePointAt(at);
        return code !== undefined && step.set.has(code) ? at + wide(code) : -1;
      }
      case 'text':
        return this.text.startsWith(step.text, at) ? at + step.text.length : -1;
      case 'run':
        return this.takeRun(step, at);
      case 'try':
        this.stack.push(step.other, at, 0);
        return at;
      case 'jump':
        this.next = step.to;
        return at;
      case 'place':
        return step.holds(this.text, at) ? at : -1;
      case 'begin':
        this.set(step.slot, 0);
        this.set(step.slot + 1, -1);
        return at;
      case 'loop':
        return this.takeLoop(step, at);
      case 'round':
        this.set(step.slot, this.slot(step.slot) + 1);
        this.set(step.slot + 1, at);
        return at;
      case 'open':
        this.set(step.slot + 2, at);
        return at;
      case 'close':
        this.set(step.slot, this.slot(step.slot + 2));
        this.set(step.slot + 1, at);
        return at;
      case 'atomic': {
        const [base, { next }] = [this.stack.length, this];
        const end = this.run(step.code, at);
        this.next = next;
        this.keepValues(base);
        return end;
      }
      case 'look':
        return this.takeLook(step, at);
      case 'reference': {
        const [start, end] = [this.slot(step.slot), this.slot(step.slot + 1)];
        const same = start >= 0 && this.text.startsWith(this.text.slice(start, end), at);
        return same ? at + end - start : -1;
      }
    }
  }

  private takeRun({ set, least, most, keeps }: Extract<Step, { op: 'run' }>, start: number): number {
    let at = start;
    let leastEnd = least === 0 ? start : -1;
    for (let count = 0; count < most;) {
      const code = this.text.codePointAt(at);
      if (code === undefined || !set.has(code)) break;
      this.countStep();
      at += wide(code);
      if (++count === least) leastEnd = at;
    }
    if (leastEnd < 0) return -1;
    if (at > leastEnd && !keeps) this.stack.push(-1 - this.next, at, leastEnd);
    return at;
  }

  private takeLoop({ slot, least, most, lazy, exit }: Extract<Step, { op: 'loop' }>, at: number): number {
    const count = this.slot(slot);
    const stuck = count > 0 && this.slot(slot + 1) === at; // a round that matched no character is the last one
    if (stuck || count >= most) this.next = exit;
    else if (count >= least) {
      this.stack.push(lazy ? this.next : exit, at, 0);
      if (lazy) this.next = exit;
    }
    return at;
  }

  private takeLook({ options, negated }: Extract<Step, { op: 'look' }>, at: number): number {
    const [base, { next }] = [this.stack.length, this];
    const found = options.some((option) => {
      const start = before(this.text, at, option.back);
      return start >= 0 && this.run(option.code, start) >= 0;
    });
    this.next = next;
    if (negated) this.undo(base);
    else this.keepValues(base);
    return found === negated ? -1 : at;
  }

  /** Removes the other ways above `base`, but not the values to put back. */
  private keepValues(base: number): void {
    const { stack } = this;
    let kept = base;
    for (let index = base; index < stack.length; index += 3) {
      if (stack[index] !== -1) continue;
      stack.copyWithin(kept, index, index + 3);
      kept += 3;
    }
    stack.length = kept;
  }

  /** Puts back the values above `base`, and removes the other ways. */
  private undo(base: number): void {
    const { stack } = this;
    while (stack.length > base) {
      const [third, second, first] = [stack.pop() ?? 0, stack.pop() ?? 0, stack.pop() ?? 0];
      if (first === -1) this.slots[second] = third;
    }
  }

  private slot(index: number): number {
    return this.slots[index] ?? -1;
  }

  private set(slot: number, value: number): void {
    this.stack.push(-1, slot, this.slot(slot));
    this.slots[slot] = value;
  }
}

/** Compiles a regular expression. 51091 when it is malformed or uses an unsupported feature, 51108 for an unknown option. */
export const regexOf = (source: string, options: string, work: Work = unlimited()): Regex =>
  new Regex(source, options, work);

import { fail } from '../errors.js';
import { type Assertion, type Node, Parser, refuse, type Test } from './pattern.js';
import { unlimited, type Work } from './work.js';

/** A state of the automaton: it reads a character, checks a position, or does neither. */
interface State {
  readonly test?: Test;
  readonly holds?: Assertion;
  next: readonly number[];
}

const mostStates = 5000;
/** Steps that one test may take, and further ones for each character of the string. */
const [stepLimit, stepsPerCharacter] = [5_000_000, 4];
/** After so many characters the time is checked. */
const checkEvery = 4096;

/**
 * A regular expression with PCRE's meaning: literals, classes, groups, choices, quantifiers and the anchors `^` and `$`. It goes
 * through the text once with all states that are possible (K. Thompson, 1968), so no pattern makes it slow. It can only test
 * a text, and has no captures.
 */
export class Regex {
  private readonly states: State[] = [];
  private readonly first: number;
  private readonly seen: Int32Array;

  constructor(
    source: string,
    options: string,
    private readonly work: Work,
  ) {
    for (const option of options)
      if (!'imsxu'.includes(option)) fail(51108, `invalid flag in regex options: ${option}`);
    if (options.includes('x')) refuse('the option x');
    const [i = false, m = false, s = false] = ['i', 'm', 's'].map((flag) => options.includes(flag));
    this.states.push({ next: [] }); // the end, which has the number 0
    this.first = this.compile(new Parser(source, { i, m, s }).parse(), 0);
    this.seen = new Int32Array(this.states.length);
  }

  /** The state at which a node begins that `next` follows. */
  private compile(node: Node, next: number): number {
    switch (node.kind) {
      case 'character':
        return this.add({ test: node.test, next: [next] });
      case 'assertion':
        return this.add({ holds: node.holds, next: [next] });
      case 'sequence':
        return node.parts.reduceRight((after, part) => this.compile(part, after), next);
      case 'choice':
        return this.add({ next: node.parts.map((part) => this.compile(part, next)) });
      case 'repetition':
        return this.repeat(node.part, node.least, node.most, next);
    }
  }

  private repeat(part: Node, least: number, most: number, next: number): number {
    let start = next;
    if (most === Number.POSITIVE_INFINITY) {
      const loop: State = { next: [] };
      start = this.add(loop);
      loop.next = [this.compile(part, start), next];
    } else for (let i = least; i < most; i++) start = this.add({ next: [this.compile(part, start), next] });
    for (let i = 0; i < least; i++) start = this.compile(part, start);
    return start;
  }

  private add(state: State): number {
    if (this.states.length >= mostStates) refuse('a pattern that is so large');
    return this.states.push(state) - 1;
  }

  /** Whether the string has a match. 51156, MongoDB's error for PCRE's limit, when that takes too many steps; 50 when the time is over. */
  test(text: string): boolean {
    const { states, seen } = this;
    const limit = stepLimit + stepsPerCharacter * text.length;
    let [steps, reading]: [number, number[]] = [0, []];
    seen.fill(-1);
    for (let at = 0, count = 0; ; count++) {
      const [open, waiting]: [number[], State[]] = [[...reading, this.first], []];
      for (let number = open.pop(); number !== undefined; number = open.pop()) {
        if (number === 0) return true;
        if (seen[number] === at) continue;
        seen[number] = at;
        steps++;
        const state = states[number];
        if (state?.test) waiting.push(state);
        else if (state && (!state.holds || state.holds(text, at))) open.push(...state.next);
      }
      if (steps > limit) fail(51156, 'Error occurred while executing the regular expression: match limit exceeded');
      if (count % checkEvery === checkEvery - 1) this.work.checkTime();
      if (at >= text.length) return false;
      const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
      reading = waiting.flatMap(({ test, next }) => (test?.(character) === true ? next : []));
      at += character.length;
    }
  }
}

/** Compiles a regular expression. 51091 when it is malformed or uses an unsupported feature, 51108 for an unknown option. */
export const regexOf = (source: string, options: string, work: Work = unlimited()): Regex =>
  new Regex(source, options, work);

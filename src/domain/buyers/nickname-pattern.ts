/**
 * The regular expressions that a shop can write for its nicknames: characters, classes, groups, alternatives and repetitions. They
 * run in the service and in the forms of storefronts, on engines that backtrack, so a pattern that would be slow there is rejected.
 */

export const MAX_NICKNAME_LENGTH = 32;

/**
 * The steps of an engine that backtracks, on a nickname with which every character of the pattern matches until the last one does
 * not. So many take a few milliseconds.
 */
const MAX_STEPS = 500_000;

interface Repetition {
  readonly kind: 'repetition';
  readonly body: Node;
  readonly min: number;
  readonly max: number;
}

type Node =
  | { readonly kind: 'character'; readonly source: string; readonly at: number }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Node[] }
  | Repetition;

/** Why a pattern is rejected. */
class PatternProblem extends Error {}

const REPETITION = /[*+?]|\{(?<min>\d{1,2})(?<range>,(?<max>\d{1,2})?)?\}/y;

/** Reads a pattern from left to right. The positions in messages count from 1. */
class PatternReader {
  private index = 0;

  constructor(private readonly pattern: string) {}

  /** @throws PatternProblem */
  read(): Node {
    this.skip('^');
    const node = this.choice();
    if (this.next === ')') throw new PatternProblem(`${this.here()} closes no group: write \\) for the character`);
    return node;
  }

  private get next(): string {
    return this.pattern.charAt(this.index);
  }

  /** The next character and its position, for messages. */
  private here(): string {
    const [character = ''] = this.pattern.slice(this.index);
    return `the ${character} at position ${this.index + 1}`;
  }

  private skip(expected: string): boolean {
    const isNext = this.pattern.startsWith(expected, this.index);
    if (isNext) this.index += expected.length;
    return isNext;
  }

  private choice(): Node {
    const parts = [this.sequence()];
    while (this.skip('|')) parts.push(this.sequence());
    return { kind: 'choice', parts };
  }

  private sequence(): Node {
    const parts: Node[] = [];
    while (!this.isAtEnd()) parts.push(this.repeated());
    if (parts.length > 0) return { kind: 'sequence', parts };
    throw new PatternProblem(
      `there is nothing to match at position ${this.index + 1}: write ? after what can be absent`,
    );
  }

  /** Whether a sequence ends here. The anchor at the end of the pattern is not part of it. */
  private isAtEnd(): boolean {
    const isAnchor = this.next === '$' && this.index === this.pattern.length - 1;
    return this.next === '' || this.next === '|' || this.next === ')' || isAnchor;
  }

  private repeated(): Node {
    const body = this.atom();
    REPETITION.lastIndex = this.index;
    const found = REPETITION.exec(this.pattern);
    if (found === null) return body;
    const at = this.index;
    const [written] = found;
    this.index += written.length;
    if ('*+?{'.includes(this.next) && this.next !== '') {
      throw new PatternProblem(`${this.here()} repeats a repetition: remove it`);
    }
    const { min, range, max } = found.groups ?? {};
    const least = min === undefined ? Number(written === '+') : Number(min);
    const ceiling = written === '?' ? 1 : Math.max(least, MAX_NICKNAME_LENGTH);
    const most = min !== undefined && range === undefined ? least : Number(max ?? ceiling);
    if (most < least) throw new PatternProblem(`the repetition ${written} at position ${at + 1} ends before it begins`);
    // It has no meaning, and the steps of what it repeats would not be counted, however often it is repeated again.
    if (most === 0)
      throw new PatternProblem(`the repetition ${written} at position ${at + 1} allows nothing: remove it`);
    return { kind: 'repetition', body, min: least, max: Math.min(most, ceiling) };
  }

  private atom(): Node {
    const at = this.index;
    if (this.skip('(')) return this.group(at);
    if (this.skip('[')) return { kind: 'character', source: this.members(at), at };
    const meaning: Readonly<Record<string, string>> = {
      '.': 'allows every character: write \\. for a dot, or a class such as [\\w.]',
      '^': 'is allowed only at the start of the pattern',
      $: 'is allowed only at the end of the pattern',
      '*': 'repeats nothing: write \\* for the character',
      '+': 'repeats nothing: write \\+ for the character',
      '?': 'repeats nothing: write \\? for the character',
      '{': 'must begin a repetition such as {3} or {3,16}',
      '}': 'ends no repetition: write \\} for the character',
      ']': 'ends no class: write \\] for the character',
    };
    const problem = meaning[this.next];
    if (problem !== undefined) throw new PatternProblem(`${this.here()} ${problem}`);
    return { kind: 'character', source: this.member(false), at };
  }

  private group(at: number): Node {
    if (this.next === '?' && !this.skip('?:')) {
      const kind = /^\?(?:<?[=!]|<\w*>?|[\w-]*:)?/.exec(this.pattern.slice(this.index))?.[0] ?? '';
      throw new PatternProblem(
        `the group at position ${at + 1} begins with (${kind} and only (...) and (?:...) are supported`,
      );
    }
    const node = this.choice();
    if (!this.skip(')')) throw new PatternProblem(`the group at position ${at + 1} is not closed with )`);
    return node;
  }

  /** The class whose members begin here. */
  private members(at: number): string {
    const name = `the class at position ${at + 1}`;
    if (this.next === '^') {
      throw new PatternProblem(`${name} excludes characters: name those that are allowed, such as [\\w.-]`);
    }
    const members: string[] = [];
    while (!this.skip(']')) {
      if (this.next === '') throw new PatternProblem(`${name} is not closed with ]`);
      members.push(this.range());
    }
    if (members.length === 0) throw new PatternProblem(`${name} has no characters`);
    return `[${members.join('')}]`;
  }

  /** A member of a class, or a range of them. A hyphen beside `\w`, `\d` or the end of the class is a character. */
  private range(): string {
    const at = this.index;
    const from = this.member(true);
    const isRange = this.next === '-' && !['', ']'].includes(this.pattern.charAt(this.index + 1));
    const isClass = (source: string): boolean => source === '\\d' || source === '\\w';
    if (!isRange || isClass(from)) return from;
    this.index += 1;
    const to = this.member(true);
    if (isClass(to)) return `${from}\\-${to}`;
    if (pointOf(from) <= pointOf(to)) return `${from}-${to}`;
    throw new PatternProblem(
      `the range ${this.pattern.slice(at, this.index)} at position ${at + 1} ends before it begins`,
    );
  }

  /** One character, as `sourceOf` writes it, or a class with a name. */
  private member(isInClass: boolean): string {
    const here = this.here();
    const isEscaped = this.skip('\\');
    const { next } = this;
    this.index += 1;
    if (isEscaped && 'dw'.includes(next) && next !== '') return `\\${next}`;
    if (isEscaped && next === '') throw new PatternProblem(`${here} has nothing after it`);
    if (isEscaped && !/[!-/:-@[-`{-~]/.test(next)) {
      throw new PatternProblem(
        `${here} begins \\${next}: there are only \\d, \\w and a \\ before punctuation, such as \\.`,
      );
    }
    if (!/[ -~]/.test(next)) throw new PatternProblem(`${here} is no ASCII character, and only those are supported`);
    return sourceOf(next, isInClass);
  }
}

/** A character as it is written for the flags `u` and `v`, which reject what they do not need to be escaped, or need to be. */
function sourceOf(character: string, isInClass: boolean): string {
  if (/[\w ]/.test(character) || (character === '-' && !isInClass)) return character;
  if (/[\^$\\.*+?()[\]{}|/-]/.test(character)) return `\\${character}`;
  return `\\x${character.charCodeAt(0).toString(16)}`;
}

/** The code of the character that `sourceOf` wrote. */
function pointOf(source: string): number {
  return source.startsWith('\\x') ? Number.parseInt(source.slice(2), 16) : source.charCodeAt(source.length - 1);
}

function timesOf({ min, max }: Repetition): string {
  if (min === 0 && max === 1) return '?';
  return min === max ? `{${min}}` : `{${min},${max}}`;
}

/** The part of a pattern for the flags `u` and `v`. */
function written(node: Node): string {
  switch (node.kind) {
    case 'character':
      return node.source;
    case 'sequence':
      return node.parts.map(written).join('');
    case 'choice':
      return `(?:${node.parts.map(written).join('|')})`;
    case 'repetition':
      return written(node.body) + timesOf(node);
  }
}

/** By the number of characters before a position of the pattern: the number of ways in which an engine gets there. */
type Ways = readonly number[];

const none = (ways: Ways): boolean => ways.every((count) => count === 0);
const sum = (ways: Ways): number => ways.reduce((total, count) => total + count, 0);
const both = (one: Ways, other: Ways): Ways => one.map((count, length) => count + (other[length] ?? 0));

/** Counts the steps of an engine that attempts every way. @throws PatternProblem where they are too many */
class StepCounter {
  private steps = 0;

  /** The ways behind a part of a pattern. @param before the ways in front of it */
  behind(node: Node, before: Ways): Ways {
    if (none(before)) return before;
    switch (node.kind) {
      case 'character':
        this.steps += sum(before);
        if (this.steps <= MAX_STEPS) return [0, ...before.slice(0, -1)];
        throw new PatternProblem(
          `too many ways to match lead to position ${node.at + 1}: use smaller limits, such as {1,3}, or repeat one class, such as ` +
            '[\\w-]{3,16}, instead of a group',
        );
      case 'sequence':
        return node.parts.reduce((ways, part) => this.behind(part, ways), before);
      case 'choice':
        return node.parts.map((part) => this.behind(part, before)).reduce(both);
      case 'repetition':
        return this.behindRepetition(node, before);
    }
  }

  private behindRepetition({ body, min, max }: Repetition, before: Ways): Ways {
    let ways = before;
    let behind = min === 0 ? before : before.map(() => 0);
    for (let times = 1; times <= max && !none(ways); times += 1) {
      ways = this.behind(body, ways);
      if (times >= min) behind = both(behind, ways);
    }
    return behind;
  }
}

/**
 * Reads a pattern, with or without the anchors around it.
 * @returns the same for the flags `u` and `v`, over the whole nickname; or what is wrong with it, and where
 */
export function readPattern(pattern: string): { readonly source: string } | { readonly problem: string } {
  try {
    const node = new PatternReader(pattern).read();
    new StepCounter().behind(node, [1, ...Array<number>(MAX_NICKNAME_LENGTH).fill(0)]);
    return { source: `^${written(node)}$` };
  } catch (error) {
    if (error instanceof PatternProblem) return { problem: error.message };
    throw error;
  }
}

import { fail } from '../errors.js';

/** Whether a character belongs to a set. */
export type Test = (character: string) => boolean;
/** Whether a position of the string fulfils a condition. */
export type Assertion = (text: string, at: number) => boolean;

/** A regular expression as it is written. */
export type Node =
  | { readonly kind: 'character'; readonly test: Test }
  | { readonly kind: 'assertion'; readonly holds: Assertion }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  | { readonly kind: 'choice'; readonly parts: readonly Node[] }
  | { readonly kind: 'repetition'; readonly part: Node; readonly least: number; readonly most: number };

/** How deep groups may be. */
const deepest = 250;

/** Error 51091: a pattern that is malformed or uses what this store does not have. */
export const refuse = (what: string): never =>
  fail(51091, `Regular expression is invalid: ${what} is not supported by the embedded store`);

const digit: Test = (character) => character >= '0' && character <= '9' && character.length === 1;
const word: Test = (character) => /^[A-Za-z0-9_]$/.test(character);
const space: Test = (character) => ' \t\n\v\f\r'.includes(character);
const not =
  (test: Test): Test =>
  (character) =>
    !test(character);
const shorthands: Readonly<Record<string, Test>> = {
  d: digit,
  D: not(digit),
  w: word,
  W: not(word),
  s: space,
  S: not(space),
};
const controls: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f' };

/** Reads a pattern from left to right. */
export class Parser {
  private readonly characters: readonly string[];
  private at = 0;
  private depth = 0;

  constructor(
    source: string,
    private readonly flags: { readonly i: boolean; readonly m: boolean; readonly s: boolean },
  ) {
    this.characters = [...source];
  }

  parse(): Node {
    const node = this.choice();
    return this.at < this.characters.length ? refuse('an unmatched )') : node;
  }

  private choice(): Node {
    const parts = [this.sequence()];
    while (this.takes('|')) parts.push(this.sequence());
    return { kind: 'choice', parts };
  }

  private sequence(): Node {
    const parts: Node[] = [];
    for (let next = this.peek(); next !== undefined && next !== '|' && next !== ')'; next = this.peek())
      parts.push(this.repeated(this.atom()));
    return { kind: 'sequence', parts };
  }

  private repeated(part: Node): Node {
    const [least, most] = this.quantifier() ?? [];
    if (least === undefined || most === undefined) return part;
    if (part.kind === 'assertion') refuse('a quantifier of an assertion');
    if (least > most) refuse('a quantifier whose numbers are out of order');
    this.takes('?'); // a lazy quantifier matches the same strings
    if (this.peek() === '+') refuse('a possessive quantifier');
    return { kind: 'repetition', part, least, most };
  }

  private quantifier(): [number, number] | undefined {
    if (this.takes('*')) return [0, Number.POSITIVE_INFINITY];
    if (this.takes('+')) return [1, Number.POSITIVE_INFINITY];
    if (this.takes('?')) return [0, 1];
    const [whole, least = '', comma, most = ''] =
      /^\{(\d{1,5})(,(\d{0,5}))?\}/.exec(this.characters.slice(this.at, this.at + 13).join('')) ?? [];
    if (whole === undefined) return undefined;
    this.at += whole.length;
    if (comma === undefined) return [Number(least), Number(least)];
    return [Number(least), most === '' ? Number.POSITIVE_INFINITY : Number(most)];
  }

  private atom(): Node {
    if (this.quantifier()) refuse('a quantifier that follows nothing');
    const character = this.take();
    const { m, s } = this.flags;
    switch (character) {
      case '(':
        return this.group();
      case '[':
        return { kind: 'character', test: this.set() };
      case '.':
        return { kind: 'character', test: s ? () => true : (one) => one !== '\n' };
      case '^':
        return { kind: 'assertion', holds: (text, at) => at === 0 || (m && at < text.length && text[at - 1] === '\n') };
      case '$':
        return {
          kind: 'assertion',
          holds: (text, at) => at === text.length || (text[at] === '\n' && (m || at === text.length - 1)),
        };
      default:
        return { kind: 'character', test: character === '\\' ? this.escaped() : this.range(character, character) };
    }
  }

  private group(): Node {
    if (this.takes('*')) refuse('a verb');
    if (this.takes('?') && !this.takes(':')) refuse('a group that begins with (?');
    if (++this.depth > deepest) refuse('a group that is so deep');
    const node = this.choice();
    this.depth--;
    return this.takes(')') ? node : refuse('a group without an end');
  }

  /** A set of characters in brackets, after the first one. */
  private set(): Test {
    const isNegated = this.takes('^');
    const tests: Test[] = [];
    for (let isFirst = true; isFirst || this.peek() !== ']'; isFirst = false) {
      if (this.peek() === undefined) refuse('a class without an end');
      tests.push(this.member());
    }
    this.take();
    const test: Test = (character) => tests.some((one) => one(character));
    return isNegated ? not(test) : test;
  }

  private member(): Test {
    const first = this.take();
    if (first === '[' && [':', '.', '='].includes(this.peek() ?? '')) refuse('a named class');
    const isShorthand = first === '\\' && Object.hasOwn(shorthands, this.peek() ?? '');
    if (isShorthand) return this.shorthand();
    const low = first === '\\' ? this.literal() : first;
    const high = this.characters[this.at + 1];
    if (this.peek() !== '-' || high === undefined || high === ']') return this.range(low, low);
    this.take();
    const end = this.take();
    if (end === '\\' && Object.hasOwn(shorthands, this.peek() ?? '')) refuse('a range that ends with a class');
    return this.range(low, end === '\\' ? this.literal() : end);
  }

  /** A set such as `\\d` in a class. PCRE rejects it as the begin of a range. */
  private shorthand(): Test {
    const test = shorthands[this.take()] ?? refuse('an escape');
    const end = this.characters[this.at + 1];
    return this.peek() === '-' && end !== ']' ? refuse('a range that begins with a class') : test;
  }

  private escaped(): Test {
    const shorthand = shorthands[this.peek() ?? ''];
    if (!shorthand) {
      const character = this.literal();
      return this.range(character, character);
    }
    this.take();
    return shorthand;
  }

  /** The character that an escape stands for, after the backslash. */
  private literal(): string {
    const character = this.take();
    if (character === '') refuse('a \\ at the end');
    return /^[A-Za-z0-9]$/.test(character) ? (controls[character] ?? refuse(`\\${character}`)) : character;
  }

  private range(low: string, high: string): Test {
    const [from, to] = [low.codePointAt(0) ?? 0, high.codePointAt(0) ?? 0];
    if (from > to) refuse('a range that is out of order');
    const isWithin: Test = (character) => {
      const code = character.codePointAt(0) ?? -1;
      return code >= from && code <= to;
    };
    if (!this.flags.i) return isWithin;
    // The rules of upper and lower case are those of JavaScript's own expressions, which are PCRE's too (simple case folding).
    const hex = (code: number): string => `\\u{${code.toString(16)}}`;
    const folded = new RegExp(`^[${hex(from)}-${hex(to)}]$`, 'iu');
    return (character) => folded.test(character);
  }

  private peek(): string | undefined {
    return this.characters[this.at];
  }

  /** The next character; empty at the end. */
  private take(): string {
    return this.characters[this.at++] ?? '';
  }

  private takes(character: string): boolean {
    const found = this.peek() === character;
    if (found) this.at++;
    return found;
  }
}

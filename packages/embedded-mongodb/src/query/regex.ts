import { fail } from '../errors.js';
import { type Work } from './work.js';

/** Whether a character belongs to a set. */
type Test = (character: string) => boolean;

/** One character of a pattern, and how often it may come. */
interface Part {
  readonly test: Test;
  readonly isOptional: boolean;
  readonly isRepeated: boolean;
}

/** A character, an escape or a class in brackets, and the quantifiers behind it. */
const atoms = /(\[\^?\]?(?:\\.|[^\]\\])*\]|\\.|.)([*+?]*)/gsu;
/** In a class, after the bracket: a character or an escape, and the end of a range. */
const members = /(\\.|.)(?:-(\\.|.))?/gsu;
const quantifiers = ['', '*', '+', '?', '*?', '+?', '??']; // a lazy quantifier matches the same strings
const shorthands: Readonly<Record<string, RegExp>> = {
  '\\d': /^[0-9]$/,
  '\\D': /^[^0-9]$/u,
  '\\w': /^[A-Za-z0-9_]$/,
  '\\W': /^[^A-Za-z0-9_]$/u,
  '\\s': /^[ \t\n\v\f\r]$/,
  '\\S': /^[^ \t\n\v\f\r]$/u,
};
const controls: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f' };

/** Steps that one test may take, and further ones for each character of the string. */
const [stepLimit, stepsPerCharacter] = [5_000_000, 4];
/** After so many characters the time is checked. */
const checkEvery = 4096;

/** Error 51091: a pattern that is malformed or uses what this store does not have. */
const refuse = (what: string): never =>
  fail(51091, `Regular expression is invalid: ${what} is not supported by the embedded store`);

/** The character that is written, if need be as an escape. */
function literal(written: string): string {
  const character = written.replace(/^\\/, '');
  if (character === '') refuse('a \\ at the end');
  if (character === written || !/^[A-Za-z0-9]$/.test(character)) return character;
  return controls[character] ?? refuse(written);
}

/** The characters from one to another. The option `i` has the simple case folding of JavaScript, which is PCRE's too. */
function range(low: string, high: string, isCaseless: boolean): Test {
  const [from, to] = [low.codePointAt(0) ?? 0, high.codePointAt(0) ?? 0];
  if (from > to) refuse('a range that is out of order');
  const hex = (code: number): string => `\\u{${code.toString(16)}}`;
  const characters = new RegExp(`^[${hex(from)}-${hex(to)}]$`, isCaseless ? 'iu' : 'u');
  return (character) => characters.test(character);
}

/** The set that an escape or a single character stands for. */
function single(written: string, isCaseless: boolean): Test {
  const shorthand = shorthands[written];
  if (shorthand) return (character) => shorthand.test(character);
  const character = literal(written);
  return range(character, character, isCaseless);
}

/** The set of a class in brackets. */
function classOf(written: string, isCaseless: boolean): Test {
  const isNegated = written.startsWith('[^');
  const inside = written.slice(isNegated ? 2 : 1, -1);
  if (inside === '') refuse('a class without an end');
  if (/\[[:.=]/.test(inside)) refuse('a named class');
  const tests = [...inside.matchAll(members)].map(([, low = '', high]) => {
    if (high === undefined) return single(low, isCaseless);
    if (low in shorthands || high in shorthands) refuse('a range of a class');
    return range(literal(low), literal(high), isCaseless);
  });
  return (character) => tests.some((test) => test(character)) !== isNegated;
}

/** The parts of a pattern without its anchors. */
function partsOf(source: string, isCaseless: boolean): Part[] {
  return [...source.matchAll(atoms)].map(([, atom = '', quantifier = '']): Part => {
    if ('*+?'.includes(atom)) refuse('a quantifier that follows nothing');
    if ('^$(){|'.includes(atom)) refuse(`${atom} here`);
    if (atom === '[') refuse('a class without an end');
    if (!quantifiers.includes(quantifier)) refuse(`the quantifier ${quantifier}`);
    const isClass = atom.length > 1 && atom.startsWith('[');
    return {
      test: atom === '.' ? (one) => one !== '\n' : isClass ? classOf(atom, isCaseless) : single(atom, isCaseless),
      isOptional: /^[*?]/.test(quantifier),
      isRepeated: /^[*+]/.test(quantifier),
    };
  });
}

/**
 * A regular expression with PCRE's meaning: characters and classes in a row, each with a quantifier, and an anchor at either end. It
 * goes through the string once with all positions of the pattern that are possible (K. Thompson, 1968), so no pattern makes it slow. 51091 for a pattern
 * that is malformed or uses an unsupported feature.
 */
export class Regex {
  private readonly parts: readonly Part[];
  private readonly fromStart: boolean;
  private readonly toEnd: boolean;

  constructor(
    source: string,
    options: string,
    private readonly work: Work,
  ) {
    for (const option of options) if (!'iu'.includes(option)) refuse(`the option ${option}`);
    this.fromStart = source.startsWith('^');
    this.toEnd = /(?<!\\)(\\\\)*\$$/.test(source);
    const inner = source.slice(this.fromStart ? 1 : 0, this.toEnd ? -1 : undefined);
    this.parts = partsOf(inner, options.includes('i'));
  }

  /** Whether the string has a match. 51156, MongoDB's error for PCRE's limit, when that takes too many steps; 50 when the time is over. */
  test(text: string): boolean {
    const { parts } = this;
    const limit = stepLimit + stepsPerCharacter * text.length;
    let [steps, reached] = [0, new Set([0])];
    for (let at = 0, count = 1; ; count++) {
      for (const position of reached) if (parts[position]?.isOptional) reached.add(position + 1);
      if (reached.has(parts.length) && (!this.toEnd || at === text.length || text.slice(at) === '\n')) return true;
      if (at >= text.length) return false;
      if ((steps += reached.size) > limit)
        fail(51156, 'Error occurred while executing the regular expression: match limit exceeded');
      if (count % checkEvery === 0) this.work.checkTime();
      const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
      const next = new Set(this.fromStart ? [] : [0]);
      for (const position of reached) {
        const part = parts[position];
        if (!part?.test(character)) continue;
        next.add(position + 1);
        if (part.isRepeated) next.add(position);
      }
      reached = next;
      at += character.length;
    }
  }
}

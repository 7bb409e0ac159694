/** A range of code points, both ends included. */
export type Range = readonly [low: number, high: number];

/** A set of code points. The results for ASCII are cached. */
export class CodePoints {
  private readonly known = new Int8Array(128); // 0: not yet known, 1: inside, 2: outside

  /** `only` is the single member, where there is just one. */
  constructor(
    private readonly find: (code: number) => boolean,
    readonly only?: number,
  ) {}

  /** Whether the code point, or NaN where there is none, belongs to the set. */
  has(code: number): boolean {
    if (!(code < 128)) return code >= 128 && this.find(code);
    if (this.known[code] === 0) this.known[code] = this.find(code) ? 1 : 2;
    return this.known[code] === 1;
  }
}

const highest = 0x10ffff;

/** All code points outside of the ranges. */
export function complement(ranges: readonly Range[]): Range[] {
  const result: Range[] = [];
  let next = 0;
  for (const [low, high] of [...ranges].sort(([a], [b]) => a - b)) {
    if (low > next) result.push([next, low - 1]);
    next = Math.max(next, high + 1);
  }
  return next > highest ? result : [...result, [next, highest]];
}

const digit: Range[] = [[0x30, 0x39]];
const upper: Range[] = [[0x41, 0x5a]];
const lower: Range[] = [[0x61, 0x7a]];
const alpha = [...upper, ...lower];
const word: Range[] = [...digit, ...alpha, [0x5f, 0x5f]];
const space: Range[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
];

/** The class escapes as PCRE reads them without UCP: `\d`, `\s` and `\w` are ASCII only (pcre2pattern, "Generic character types"). */
export const escapes: Readonly<Record<string, readonly Range[]>> = {
  d: digit,
  s: space,
  w: word,
  h: [
    [0x09, 0x09],
    [0x20, 0x20],
    [0xa0, 0xa0],
    [0x1680, 0x1680],
    [0x180e, 0x180e],
    [0x2000, 0x200a],
    [0x202f, 0x202f],
    [0x205f, 0x205f],
    [0x3000, 0x3000],
  ],
  v: [
    [0x0a, 0x0d],
    [0x85, 0x85],
    [0x2028, 0x2029],
  ],
};

/** The POSIX classes (pcre2pattern, "POSIX character classes"). */
export const posix: Readonly<Record<string, readonly Range[]>> = {
  alnum: [...digit, ...alpha],
  alpha,
  ascii: [[0, 0x7f]],
  blank: [
    [0x09, 0x09],
    [0x20, 0x20],
  ],
  cntrl: [
    [0, 0x1f],
    [0x7f, 0x7f],
  ],
  digit,
  graph: [[0x21, 0x7e]],
  lower,
  print: [[0x20, 0x7e]],
  punct: [
    [0x21, 0x2f],
    [0x3a, 0x40],
    [0x5b, 0x60],
    [0x7b, 0x7e],
  ],
  space,
  upper,
  word,
  xdigit: [...digit, [0x41, 0x46], [0x61, 0x66]],
};

/** Whether a code point is an ASCII letter, digit or underscore, as for `\b`. */
export const isWord = (code: number): boolean => word.some(([low, high]) => code >= low && code <= high);

/** The members of a character class. */
export interface Members {
  /** Single characters; with `i` also their upper and lower case. */
  readonly named: Range[];
  /** The sets of class escapes and POSIX classes; `i` does not change them. */
  readonly typed: Range[];
  /** Unicode properties, each as a regular expression of one character. */
  readonly properties: RegExp[];
}

const text = (code: number): string => `\\u{${code.toString(16)}}`;

/** The set of the members, or of everything else. Without regard to case means Unicode's simple case folding, as in PCRE. */
export function setOf({ named, typed, properties }: Members, caseless: boolean, negated: boolean): CodePoints {
  const exact = caseless ? typed : [...typed, ...named];
  // JavaScript's folding under `iu` is the same one. The expression only ever sees one character.
  const folded =
    caseless && named.length > 0
      ? new RegExp(`^[${named.map(([low, high]) => `${text(low)}-${text(high)}`).join('')}]$`, 'iu')
      : undefined;
  const find = (code: number): boolean => {
    if (exact.some(([low, high]) => code >= low && code <= high)) return true;
    if (!folded && properties.length === 0) return false;
    const character = String.fromCodePoint(code);
    return folded?.test(character) === true || properties.some((property) => property.test(character));
  };
  return new CodePoints((code) => find(code) !== negated);
}

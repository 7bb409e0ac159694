import { complement, escapes, posix, type Members, type Range, setOf } from './codepoints.js';
import {
  anything,
  atStart,
  exactly,
  lineBreak,
  lineEnd,
  lineStart,
  nearEnd,
  type Node,
  notNewline,
  one,
  type Pattern,
  places,
  width,
} from './nodes.js';
import { PatternText } from './patterntext.js';

type Flags = Readonly<Record<'i' | 'm' | 's' | 'x', boolean>>;

const deepest = 250; // PCRE's default limit of nested parentheses
const largestCount = 65_535;
const blank = /^(?:[\t-\r \u0085\u200e\u200f\u2028\u2029]|#[^\n]*(?:\n|$))/;

/**
 * Parses a regular expression of PCRE2 10.42 as MongoDB compiles it (UTF, no UCP). 51091 for what is malformed there, and
 * for what this store does not support.
 */
export function parsePattern(source: string, flags: Flags): Pattern {
  return new Parser(source, flags).parse();
}

class Parser extends PatternText {
  private depth = 0;
  private groups = 0;
  private readonly names = new Map<string, number>();
  /** References to groups, checked at the end, as a group may follow its reference. */
  private readonly references: (number | string)[] = [];

  constructor(
    source: string,
    private flags: Flags,
  ) {
    super(source);
  }

  parse(): Pattern {
    const root = this.choice();
    if (this.at < this.source.length) this.refuse('unmatched closing parenthesis');
    const { groups, names } = this;
    const exists = (to: number | string): boolean => (typeof to === 'string' ? names.has(to) : to >= 1 && to <= groups);
    if (!this.references.every(exists)) this.refuse('reference to non-existent subpattern');
    return { root, groups, names, references: this.references.length > 0 };
  }

  private skipBlanks(): void {
    while (this.take(/^\(\?#[^)]*\)/) ?? (this.flags.x ? this.take(blank) : undefined));
  }

  /** Alternatives up to a closing parenthesis or the end; flags that are set inside end with them. */
  private choice(): Node {
    if (++this.depth > deepest) this.refuse('parentheses are too deeply nested');
    const { flags } = this;
    const options: Node[] = [this.sequence()];
    while (this.takeText('|')) options.push(this.sequence());
    this.flags = flags;
    this.depth--;
    const [only] = options;
    return only && options.length === 1 ? only : { kind: 'choice', options };
  }

  private sequence(): Node {
    const parts: Node[] = [];
    for (;;) {
      this.skipBlanks();
      const next = this.source[this.at];
      if (next === undefined || next === '|' || next === ')') break;
      const part = this.part();
      if (!part) continue;
      this.skipBlanks();
      parts.push(this.repeated(part));
    }
    const [only] = parts;
    return only && parts.length === 1 ? only : { kind: 'sequence', parts };
  }

  private quantifier(): [least: number, most: number] | undefined {
    const found = this.take(/^(?:[*+?]|\{(\d+)(,?)(\d*)\})/);
    if (!found) return undefined;
    const [text, least, comma, most] = found;
    if (least === undefined) return text === '*' ? [0, Infinity] : text === '+' ? [1, Infinity] : [0, 1];
    const [from, to] = [Number(least), most ? Number(most) : comma ? Infinity : Number(least)];
    if (from > largestCount || (to > largestCount && to !== Infinity)) this.refuse('number too big in {} quantifier');
    if (from > to) this.refuse('numbers out of order in {} quantifier');
    return [from, to];
  }

  private repeated(body: Node): Node {
    const counts = this.quantifier();
    if (!counts) return body;
    if (body.kind === 'place') this.refuse('quantifier does not follow a repeatable item');
    const [least, most] = counts;
    const way = this.takeText('?') ? 'lazy' : this.takeText('+') ? 'possessive' : 'greedy';
    // PCRE reads a repeated assertion as an optional one, or as a single one.
    return { kind: 'repeat', body, least, most: body.kind === 'look' ? Math.min(most, Math.max(least, 1)) : most, way };
  }

  /** One part without its quantifier; `undefined` for flags, which match nothing themselves. */
  private part(): Node | undefined {
    if (this.takeText('(')) return this.group();
    if (this.takeText('[')) return this.characterClass();
    if (this.takeText('\\')) return this.escape();
    if (this.takeText('.')) return this.flags.s ? anything : notNewline;
    if (this.takeText('^')) return this.flags.m ? lineStart : atStart;
    if (this.takeText('$')) return this.flags.m ? lineEnd : nearEnd;
    if (this.quantifier()) this.refuse('quantifier does not follow a repeatable item');
    return this.literal(this.character());
  }

  private literal(code: number): Node {
    if (!this.flags.i) return exactly(code);
    return one(setOf({ named: [[code, code]], typed: [], properties: [] }, true, false));
  }

  private close(body: Node): Node {
    if (!this.takeText(')')) this.refuse('missing closing parenthesis');
    return body;
  }

  private group(): Node | undefined {
    if (this.takeText('*')) return this.refuseOffer('a verb (*...)');
    if (!this.takeText('?')) return this.capture();
    const name = this.take(/^(?:P?<([A-Za-z_]\w*)>|'([A-Za-z_]\w*)')/);
    if (name) return this.capture(name[1] ?? name[2]);
    if (this.takeText('>')) return this.close({ kind: 'atomic', body: this.choice() });
    const look = this.take(/^<?[=!]/);
    if (look) return this.look(look[0]);
    const same = this.take(/^P=([A-Za-z_]\w*)/);
    if (same) return this.close(this.reference(same[1] ?? ''));
    const { flags } = this;
    this.setFlags();
    if (this.takeText(')')) return undefined;
    if (!this.takeText(':')) this.refuseOffer(`(?${this.source.slice(this.at, this.at + 2)}`);
    const body = this.close(this.choice());
    this.flags = flags;
    return { kind: 'sequence', parts: [body] };
  }

  private setFlags(): void {
    const found = this.take(/^(\^?)([imsx]*)(?:-([imsx]*))?(?=[:)])/);
    if (!found) return;
    const [, reset, on = '', off = ''] = found;
    const base = reset ? { i: false, m: false, s: false, x: false } : this.flags;
    const entries = Object.entries(base).map(([flag, set]): [string, boolean] => [
      flag,
      (set || on.includes(flag)) && !off.includes(flag),
    ]);
    this.flags = { ...base, ...Object.fromEntries(entries) };
  }

  private capture(name?: string): Node {
    const group = ++this.groups;
    if (name !== undefined && this.names.has(name)) this.refuse('two named subpatterns have the same name');
    if (name !== undefined) this.names.set(name, group);
    return this.close({ kind: 'capture', group, body: this.choice() });
  }

  private look(opening: string): Node {
    const body = this.close(this.choice());
    const negated = opening.endsWith('!');
    if (!opening.startsWith('<')) return { kind: 'look', options: [{ body, back: 0 }], negated };
    const options = (body.kind === 'choice' ? body.options : [body]).map((option) => ({
      body: option,
      back: width(option) ?? this.refuse('lookbehind assertion is not fixed length'),
    }));
    return { kind: 'look', options, negated };
  }

  private reference(to: number | string): Node {
    if (this.flags.i) return this.refuseOffer('a back reference without regard to case');
    this.references.push(to);
    return { kind: 'reference', to };
  }

  private escape(): Node {
    const property = this.property();
    if (property) return one(setOf({ named: [], typed: [], properties: [property] }, false, false));
    const named = this.take(/^(?:k(?:\{(\w+)\}|<(\w+)>|'(\w+)')|g\{([A-Za-z_]\w*)\})/);
    if (named) return this.reference(named[1] ?? named[2] ?? named[3] ?? named[4] ?? '');
    const numbered = this.take(/^g(?:\{([+-]?\d+)\}|([+-]?\d+))/);
    if (numbered) return this.reference(this.numbered(numbered[1] ?? numbered[2] ?? ''));
    const digits = /^[1-9]\d*/.exec(this.source.slice(this.at))?.[0] ?? '';
    if (digits !== '' && (digits.length === 1 || /^[89]/.test(digits) || Number(digits) <= this.groups)) {
      this.at += digits.length;
      return this.reference(Number(digits));
    }
    const letter = this.source[this.at] ?? '';
    const ranges = escapes[letter.toLowerCase()];
    const simple =
      places[letter] ??
      (letter === 'N' ? notNewline : letter === 'R' ? lineBreak : undefined) ??
      (ranges && one(setOf({ named: [], typed: [...ranges], properties: [] }, false, letter !== letter.toLowerCase())));
    if (!simple) return this.literal(this.coded());
    this.at++;
    if (letter === 'N' && this.source[this.at] === '{' && !/^\{\d+,?\d*\}/.test(this.source.slice(this.at)))
      this.refuseOffer('\\N{...}');
    return simple;
  }

  /** The number of the group that `\g` names; with a sign it counts from here. */
  private numbered(text: string): number {
    if (text.startsWith('-')) return this.groups + 1 + Number(text);
    return text.startsWith('+') ? this.groups + Number(text) : Number(text);
  }

  private characterClass(): Node {
    const negated = this.takeText('^');
    const members: Members = { named: [], typed: [], properties: [] };
    for (let first = true; first || !this.takeText(']'); first = false) {
      if (this.at >= this.source.length) this.refuse('missing terminating ] for character class');
      const low = this.member(members);
      if (!/^-[^\]]/.test(this.source.slice(this.at))) {
        if (low !== undefined) members.named.push([low, low]);
        continue;
      }
      if (low === undefined) this.refuse('invalid range in character class');
      this.at++;
      const high = this.member(members) ?? this.refuse('invalid range in character class');
      if (high < low) this.refuse('range out of order in character class');
      members.named.push([low, high]);
    }
    return one(setOf(members, this.flags.i, negated));
  }

  /** One member of a class: a code point, or `undefined` for a type of characters, which is added to the members. */
  private member(members: Members): number | undefined {
    const named = this.take(/^\[:(\^?)(\w*):\]/);
    if (named) {
      const [, caret, name = ''] = named;
      const cased = this.flags.i && (name === 'upper' || name === 'lower') ? 'alpha' : name;
      const ranges = posix[cased] ?? this.refuse('unknown POSIX class name');
      members.typed.push(...(caret ? complement(ranges) : ranges));
      return undefined;
    }
    if (this.take(/^\[([.=])[^\]]*\1\]/)) this.refuse('POSIX collating elements are not supported');
    if (!this.takeText('\\')) return this.character();
    const property = this.property();
    if (property) return void members.properties.push(property);
    const type = this.take(/^[dswhv]/i)?.[0];
    if (type !== undefined) {
      const ranges: readonly Range[] = escapes[type.toLowerCase()] ?? [];
      members.typed.push(...(type === type.toLowerCase() ? ranges : complement(ranges)));
      return undefined;
    }
    if (this.takeText('b')) return 8;
    if (this.take(/^[BRXN]/)) this.refuse('escape sequence is invalid in character class');
    return this.coded();
  }
}

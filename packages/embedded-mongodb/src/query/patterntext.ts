import { fail } from '../errors.js';

const controls: Readonly<Record<string, number>> = { a: 7, e: 27, f: 12, n: 10, r: 13, t: 9 };

/** Writes the text between `\Q` and `\E` as escaped characters. */
const unquoted = (source: string): string =>
  source.replace(/\\(?:Q([^]*?)(?:\\E|$)|E|[^])/g, (all, quoted?: string) =>
    quoted !== undefined ? quoted.replace(/[^\p{L}\p{N}]/gu, '\\$&') : all === '\\E' ? '' : all,
  );

/** The text of a pattern, read from the beginning to the end. A malformed or unsupported part is error 51091. */
export class PatternText {
  protected readonly source: string;
  protected at = 0;

  constructor(source: string) {
    this.source = unquoted(source);
  }

  protected refuse(reason: string): never {
    return fail(51091, `Regular expression is invalid: ${reason}: ${this.source}`);
  }

  protected refuseOffer(what: string): never {
    return this.refuse(`${what} is not supported by the embedded store`);
  }

  /** Reads the text that the expression matches at the current position. */
  protected take(expression: RegExp): RegExpExecArray | undefined {
    const found = expression.exec(this.source.slice(this.at));
    if (found?.index !== 0) return undefined;
    this.at += found[0].length;
    return found;
  }

  protected takeText(text: string): boolean {
    if (!this.source.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  protected character(): number {
    const code = this.source.codePointAt(this.at) ?? this.refuse('\\ at end of pattern');
    this.at += code > 0xffff ? 2 : 1;
    return code;
  }

  /** An escape for one code point, inside a class or outside. */
  protected coded(): number {
    const octal = this.take(/^(?:0[0-7]{0,2}|[1-7][0-7]{0,2}|o\{([0-7]+)\})/);
    if (octal) return this.valid(parseInt(octal[1] ?? octal[0], 8));
    const hexadecimal = this.take(/^x(?:\{([0-9A-Fa-f]+)\}|(?!\{)([0-9A-Fa-f]{0,2}))/);
    if (hexadecimal) return this.valid(parseInt(hexadecimal[1] ?? `0${hexadecimal[2] ?? ''}`, 16));
    const control = this.take(/^c([ -~])/);
    if (control) return (control[1] ?? '').toUpperCase().charCodeAt(0) ^ 64;
    const code = this.character();
    const letter = String.fromCodePoint(code);
    if (letter in controls) return controls[letter] ?? code;
    if (/[CKX]/.test(letter)) return this.refuseOffer(`\\${letter}`);
    return /[A-Za-z0-9]/.test(letter) ? this.refuse(`unrecognized character follows \\`) : code;
  }

  protected valid(code: number): number {
    return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
      ? code
      : this.refuse('character code point is too large');
  }

  /** A Unicode property by its general category, as a regular expression of one character. */
  protected property(): RegExp | undefined {
    const found = this.take(/^([pP])(?:\{(\^?)([^}]*)\}|([A-Z]))/);
    if (!found) return undefined;
    const [, letter, caret, long, short] = found;
    const name = long ?? short ?? '';
    if (!/^(?:[CLMNPSZ][a-z&]?|Any)$/.test(name)) return this.refuseOffer(`\\p{${name}}`);
    const negated = (letter === 'P') !== (caret === '^');
    try {
      return new RegExp(`^\\${negated ? 'P' : 'p'}{${name === 'L&' ? 'LC' : name}}$`, 'u');
    } catch {
      return this.refuse('unknown property name after \\P or \\p');
    }
  }
}

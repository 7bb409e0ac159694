import { CodePoints, escapes, isWord, setOf } from './codepoints.js';

/** A part of a parsed regular expression. */
export type Node =
  | { readonly kind: 'one'; readonly set: CodePoints }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  | { readonly kind: 'choice'; readonly options: readonly Node[] }
  | { readonly kind: 'capture'; readonly group: number; readonly body: Node }
  | {
      readonly kind: 'repeat';
      readonly body: Node;
      readonly least: number;
      readonly most: number;
      readonly way: 'greedy' | 'lazy' | 'possessive';
    }
  /** A test of the place between two characters; `start` when only the beginning of the text passes it. */
  | { readonly kind: 'place'; readonly holds: (text: string, at: number) => boolean; readonly start: boolean }
  /** A lookahead or, with the width of each option in characters, a lookbehind. */
  | { readonly kind: 'look'; readonly options: readonly Look[]; readonly negated: boolean }
  | { readonly kind: 'atomic'; readonly body: Node }
  /** The text of a group that was matched before. */
  | { readonly kind: 'reference'; readonly to: number | string };

/** One option of a lookaround: what must match, and how many characters before the place it begins. */
export interface Look {
  readonly body: Node;
  readonly back: number;
}

/** A parsed pattern and its capturing groups. */
export interface Pattern {
  readonly root: Node;
  readonly groups: number;
  /** Whether there are references to groups. */
  readonly references: boolean;
  /** The numbers of the groups that have names. */
  readonly names: ReadonlyMap<string, number>;
}

const newline = 10;
const place = (holds: (text: string, at: number) => boolean, start = false): Node => ({ kind: 'place', holds, start });
export const atStart = place((_, at) => at === 0, true);
const atEnd = place((text, at) => at === text.length);
/** The end, or before a newline that ends the text. */
export const nearEnd = place(
  (text, at) => at === text.length || (at === text.length - 1 && text.charCodeAt(at) === newline),
);
/** With `m`: after each newline, but not after one that ends the text. */
export const lineStart = place((text, at) => at === 0 || (at < text.length && text.charCodeAt(at - 1) === newline));
export const lineEnd = place((text, at) => at === text.length || text.charCodeAt(at) === newline);
const boundary = (wanted: boolean): Node =>
  place((text, at) => (isWord(text.charCodeAt(at - 1)) !== isWord(text.charCodeAt(at))) === wanted);
/** The escapes that match a position. */
export const places: Readonly<Record<string, Node>> = {
  A: atStart,
  G: atStart,
  Z: nearEnd,
  z: atEnd,
  b: boundary(true),
  B: boundary(false),
};

/** One character of a set. */
export const one = (set: CodePoints): Node => ({ kind: 'one', set });
export const anything = one(new CodePoints(() => true));
export const notNewline = one(new CodePoints((code) => code !== newline));
/** The character itself; those of ASCII are created once. */
const ascii = Array.from({ length: 128 }, (_, code) => one(new CodePoints((other) => other === code, code)));
export const exactly = (code: number): Node => ascii[code] ?? one(new CodePoints((other) => other === code, code));
/** `\R`: any line break. CR LF is one line break, which is never split. */
export const lineBreak: Node = {
  kind: 'atomic',
  body: {
    kind: 'choice',
    options: [
      { kind: 'sequence', parts: [exactly(13), exactly(10)] },
      one(setOf({ named: [], typed: [...(escapes['v'] ?? [])], properties: [] }, false, false)),
    ],
  },
};

/** How many characters the node always matches; `undefined` when the number varies. */
export function width(node: Node): number | undefined {
  switch (node.kind) {
    case 'one':
      return 1;
    case 'place':
    case 'look':
      return 0;
    case 'sequence':
      return node.parts.reduce<number | undefined>((sum, part) => {
        const more = width(part);
        return sum === undefined || more === undefined ? undefined : sum + more;
      }, 0);
    case 'choice': {
      const [first, ...others] = node.options.map(width);
      return others.every((other) => other === first) ? first : undefined;
    }
    case 'capture':
    case 'atomic':
      return width(node.body);
    case 'repeat': {
      const each = width(node.body);
      return each === undefined || node.least !== node.most ? undefined : each * node.least;
    }
    case 'reference':
      return undefined;
  }
}

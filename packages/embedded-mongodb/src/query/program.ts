import { CodePoints } from './codepoints.js';
import { anything, type Look, type Node, notNewline, type Pattern } from './nodes.js';

/** One instruction of a compiled pattern; the ways on are positions in the same program. */
export type Step =
  | { readonly op: 'one'; readonly set: CodePoints }
  | { readonly op: 'text'; readonly text: string }
  /** As many characters of a set as there are; all but `least` may be given back, unless it is possessive. */
  | {
      readonly op: 'run';
      readonly set: CodePoints;
      readonly least: number;
      readonly most: number;
      readonly keeps: boolean;
    }
  | { readonly op: 'place'; readonly holds: (text: string, at: number) => boolean }
  | { readonly op: 'jump'; readonly to: number }
  /** Goes on with the next step, and at `other` when that fails. */
  | { readonly op: 'try'; readonly other: number }
  | { readonly op: 'open'; readonly slot: number }
  | { readonly op: 'close'; readonly slot: number }
  | { readonly op: 'begin'; readonly slot: number }
  /** Decides whether a loop goes round again; its count and the place of its last round are in two slots. */
  | {
      readonly op: 'loop';
      readonly slot: number;
      readonly least: number;
      readonly most: number;
      readonly lazy: boolean;
      exit: number;
    }
  | { readonly op: 'round'; readonly slot: number }
  | { readonly op: 'look'; readonly options: readonly { code: Step[]; back: number }[]; readonly negated: boolean }
  | { readonly op: 'atomic'; readonly code: Step[] }
  | { readonly op: 'reference'; readonly slot: number };

/** The text that the parts from a position on match, as long as each part is exactly one character. */
function textAt(parts: readonly Node[], from: number): string {
  let text = '';
  for (const part of parts.slice(from)) {
    if (part.kind !== 'one' || part.set.only === undefined) break;
    text += String.fromCodePoint(part.set.only);
  }
  return text;
}

class Compiler {
  /** How many numbers a match stores: three for each group, two for each loop. */
  slots: number;

  constructor(private readonly pattern: Pattern) {
    this.slots = (pattern.groups + 1) * 3;
  }

  program(node: Node): Step[] {
    const code: Step[] = [];
    this.add(node, code);
    return code;
  }

  private add(node: Node, code: Step[]): void {
    switch (node.kind) {
      case 'one':
        code.push({ op: 'one', set: node.set });
        return;
      case 'sequence':
        this.sequence(node.parts, code);
        return;
      case 'choice':
        this.choice(node.options, code);
        return;
      case 'capture':
        code.push({ op: 'open', slot: node.group * 3 });
        this.add(node.body, code);
        code.push({ op: 'close', slot: node.group * 3 });
        return;
      case 'repeat':
        this.repeat(node, code);
        return;
      case 'place':
        code.push({ op: 'place', holds: node.holds });
        return;
      case 'look': {
        const options = node.options.map(({ body, back }: Look) => ({ code: this.program(body), back }));
        code.push({ op: 'look', options, negated: node.negated });
        return;
      }
      case 'atomic':
        code.push({ op: 'atomic', code: this.program(node.body) });
        return;
      case 'reference':
        code.push({ op: 'reference', slot: this.groupOf(node.to) * 3 });
    }
  }

  /** Characters that follow one another are compared as one text. */
  private sequence(parts: readonly Node[], code: Step[]): void {
    for (let at = 0; at < parts.length;) {
      const text = textAt(parts, at);
      const part = parts[at];
      if (text.length > 1) code.push({ op: 'text', text });
      else if (part) this.add(part, code);
      at += Math.max(1, [...text].length);
    }
  }

  private groupOf(to: number | string): number {
    return typeof to === 'number' ? to : (this.pattern.names.get(to) ?? 0);
  }

  private choice(options: readonly Node[], code: Step[]): void {
    const ends: number[] = [];
    for (const [index, option] of options.entries()) {
      const at = code.length;
      if (index < options.length - 1) code.push({ op: 'jump', to: at });
      this.add(option, code);
      if (index === options.length - 1) continue;
      ends.push(code.length);
      code.push({ op: 'jump', to: 0 });
      code[at] = { op: 'try', other: code.length };
    }
    for (const end of ends) code[end] = { op: 'jump', to: code.length };
  }

  private repeat({ body, least, most, way }: Extract<Node, { kind: 'repeat' }>, code: Step[]): void {
    if (body.kind === 'one' && way !== 'lazy') {
      code.push({ op: 'run', set: body.set, least, most, keeps: way === 'possessive' });
      return;
    }
    if (way === 'possessive') {
      code.push({ op: 'atomic', code: this.program({ kind: 'repeat', body, least, most, way: 'greedy' }) });
      return;
    }
    const slot = this.slots;
    this.slots += 2;
    code.push({ op: 'begin', slot });
    const at = code.length;
    const loop: Step = { op: 'loop', slot, least, most, lazy: way === 'lazy', exit: 0 };
    code.push(loop, { op: 'round', slot });
    this.add(body, code);
    code.push({ op: 'jump', to: at });
    loop.exit = code.length;
  }
}

/** The characters that every match begins with one of; `undefined` when that is not known. */
function firstOf(node: Node): CodePoints | undefined {
  switch (node.kind) {
    case 'one':
      return node.set;
    case 'sequence': {
      const first = node.parts.find(({ kind }) => kind !== 'place' && kind !== 'look');
      return first && firstOf(first);
    }
    case 'choice': {
      const sets = node.options.map(firstOf);
      return sets.includes(undefined)
        ? undefined
        : new CodePoints((code) => sets.some((set) => set?.has(code) === true));
    }
    case 'capture':
    case 'atomic':
      return firstOf(node.body);
    case 'repeat':
      return node.least > 0 ? firstOf(node.body) : undefined;
    default:
      return undefined;
  }
}

/**
 * Where a match can begin: where the text does, where a line does, or anywhere. What begins with `.*` needs no other places
 * (pcre2pattern, "Repetition"), unless a reference uses what it matched.
 */
function beginningOf(node: Node, references: boolean): Beginning {
  switch (node.kind) {
    case 'place':
      return node.start ? 'text' : 'anywhere';
    case 'repeat': {
      const all = node.least === 0 && node.most === Infinity && node.way !== 'possessive' && !references;
      return all && node.body === anything ? 'text' : all && node.body === notNewline ? 'line' : 'anywhere';
    }
    case 'sequence': {
      const [first] = node.parts;
      return first ? beginningOf(first, references) : 'anywhere';
    }
    case 'choice': {
      const all = node.options.map((option) => beginningOf(option, references));
      return all.includes('anywhere') ? 'anywhere' : all.includes('line') ? 'line' : 'text';
    }
    case 'capture':
      return beginningOf(node.body, references);
    default:
      return 'anywhere';
  }
}

/** Where matches can begin. */
export type Beginning = 'text' | 'line' | 'anywhere';

/** A compiled pattern. */
export interface Program {
  readonly code: readonly Step[];
  /** How many numbers a match stores. */
  readonly slots: number;
  /** The characters that every match begins with one of, where that is known. */
  readonly first: CodePoints | undefined;
  /** The text that every match begins with. */
  readonly prefix: string;
  readonly beginning: Beginning;
}

/** Compiles a parsed pattern. */
export function compilePattern(pattern: Pattern): Program {
  const { root, references } = pattern;
  const compiler = new Compiler(pattern);
  const code = compiler.program(root);
  const prefix = textAt(root.kind === 'sequence' ? root.parts : [root], 0);
  return { code, slots: compiler.slots, first: firstOf(root), prefix, beginning: beginningOf(root, references) };
}

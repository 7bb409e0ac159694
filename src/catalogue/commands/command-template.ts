import { type CommandStages } from './command-list.types.js';

/**
 * Commands for the console of a game server, made from the templates of a shop. A console splits its input into commands and
 * arguments, and each game does it in its own way. The rules here keep each placeholder exactly one argument on all of them.
 * Nothing is ever repaired or escaped: what does not follow the rules is rejected.
 */

/** The names that are filled in. */
export const PLACEHOLDERS: readonly string[] = ['nickname', 'uuid', 'orderId', 'quantity'];

/** The values for the placeholders. `{uuid}` has none: only the plugin knows it, so it stays in the command. */
export interface CommandValues {
  readonly nickname: string;
  readonly orderId: string;
  readonly quantity: number;
}

/** A filled in template, or why its command must not run. */
export type Rendering = { readonly command: string } | { readonly problem: string };

/** Consoles of the Source engine cut longer lines. */
const MAX_COMMAND_BYTES = 500;

/** The length of a UUID. No other value is longer, and all are ASCII. */
const MAX_VALUE_LENGTH = 36;

/** What a value may be, so that it is one argument on every console. */
const VALUE_RULES = {
  unquoted: {
    pattern: /^[A-Za-z0-9_.][A-Za-z0-9_.-]*$/,
    says: 'may contain only letters from A to Z, digits, _, . and -, and must not start with -',
  },
  quoted: {
    pattern: /^[A-Za-z0-9_.](?:[A-Za-z0-9_.-]| (?! ))*(?<! )$/,
    says: 'may contain only letters from A to Z, digits, _, ., - and single spaces, and must not start with - or a space or end with a space',
  },
} as const;

const PLACEHOLDER = /\{([A-Za-z]\w*)\}/g;

/** A placeholder in a template. */
interface Placeholder {
  /** As written in the braces. */
  readonly name: string;
  /** Whether a double quote stands directly on both sides. */
  readonly isQuoted: boolean;
  /** The rest of the template on both sides, without these quotes. */
  readonly before: string;
  readonly after: string;
}

/** A parsed template: string, placeholder, string, ..., placeholder, string. */
interface Template {
  readonly strings: readonly string[];
  readonly placeholders: readonly Placeholder[];
}

function parse(template: string): Template {
  const strings: string[] = [];
  const placeholders: Placeholder[] = [];
  let end = 0;
  for (const { 0: written, 1: name = '', index } of template.matchAll(PLACEHOLDER)) {
    strings.push(template.slice(end, index));
    end = index + written.length;
    const isQuoted = template.charAt(index - 1) === '"' && template.charAt(end) === '"';
    const quote = isQuoted ? 1 : 0;
    placeholders.push({ name, isQuoted, before: template.slice(0, index - quote), after: template.slice(end + quote) });
  }
  return { strings: [...strings, template.slice(end)], placeholders };
}

const PLACEHOLDER_NAMES = PLACEHOLDERS.map((name) => `{${name}}`).join(', ');

/**
 * Plain words and whole arguments in double quotes, each with a space after it. It leaves out what some console takes for a
 * quote, an escape, a separator of commands or a comment: after one of these, consoles disagree about where arguments begin.
 */
const PLAIN = /^(?:(?!#|\/\*)(?:[^ "'\\“”;|]*|"[^"'\\“”;|]*") )*$/;

/** Whether a bracket is open at the end of a string: that of a list, a selector, JSON or NBT. */
function endsInBrackets(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\](){}]/g)) depth = Math.max(0, depth + ('[({'.includes(bracket) ? 1 : -1));
  return depth > 0;
}

function placeholderProblem({ name, isQuoted, before, after }: Placeholder): string | null {
  if (!PLACEHOLDERS.includes(name)) return `{${name}} is not a placeholder; there are ${PLACEHOLDER_NAMES}`;
  if (endsInBrackets(before)) return `{${name}} must not be inside brackets`;
  if (!/(?:^| )$/.test(before) || !/^(?: |$)/.test(after)) {
    const where = isQuoted
      ? 'a space on both sides of its quotes'
      : 'a space, or a double quote, directly on both sides';
    return `{${name}} must be an argument of its own: with ${where}`;
  }
  if (!/[\p{L}\p{N}]/u.test(before)) return `{${name}} must not be the command itself`;
  if (!PLAIN.test(before) || before.includes('//')) {
    return `before {${name}} there may only be plain words and arguments in double quotes, without ; | \\ ' or a comment`;
  }
  return null;
}

function templateProblems(template: string): string[] {
  const { strings, placeholders } = parse(template);
  const problems = placeholders.map(placeholderProblem).filter((problem) => problem !== null);
  if (template.trim() === '') problems.push('must not be empty');
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(template)) problems.push('must not contain line breaks or control characters');
  if (Buffer.byteLength(strings.join('')) + placeholders.length * MAX_VALUE_LENGTH > MAX_COMMAND_BYTES) {
    problems.push(`must have at most ${MAX_COMMAND_BYTES} bytes with its placeholders filled in`);
  }
  return [...new Set(problems)];
}

/**
 * What is wrong with command templates: one sentence for each problem, with the position of its command. Every placeholder
 * must be an argument of its own, and the longest command that a template can become must fit into every console.
 * @param field the name of the field with the templates
 */
export function commandProblems(field: string, templates: readonly string[]): string[] {
  return templates.flatMap((template, position) =>
    templateProblems(template).map((problem) => `${field}.${position}: ${problem}`),
  );
}

/** The largest number of commands that a plugin runs for one item at once. */
export const MAX_COMMANDS = 100;

/** Whether some templates become more commands than `MAX_COMMANDS`. */
function areTooMany(templates: readonly string[], quantity: number): boolean {
  return templates.reduce((sum, template) => sum + runsOf(template, quantity), 0) > MAX_COMMANDS;
}

/** Whether one of the stages of an item has more than `MAX_COMMANDS` commands. */
export function hasTooManyCommands(
  { commands, extendCommands, upgradeCommands, takeBackCommands, expiryCommands }: CommandStages,
  quantity: number,
): boolean {
  return [commands, extendCommands, upgradeCommands, takeBackCommands, expiryCommands].some((templates) =>
    areTooMany(templates, quantity),
  );
}

/** How often the command of a template runs: once with `{quantity}`, and otherwise once for each unit. */
export function runsOf(template: string, quantity: number): number {
  return parse(template).placeholders.some(({ name }) => name === 'quantity') ? 1 : quantity;
}

function valueProblem({ name, isQuoted }: Placeholder, value: string): string | null {
  const { pattern, says } = VALUE_RULES[isQuoted ? 'quoted' : 'unquoted'];
  return pattern.test(value) && value.length <= MAX_VALUE_LENGTH
    ? null
    : `In the commands of this order, the ${name} ${says}`;
}

/**
 * Fills in a template. All placeholders are filled in one pass, so a value is never filled in again. Each value must follow
 * the rule of its placeholder: inside double quotes, single spaces are allowed too. Nothing is returned that is not safe to run.
 */
export function renderCommand(template: string, values: CommandValues): Rendering {
  if (templateProblems(template).length > 0) return { problem: 'A command of this order is not safe to run' };
  const { strings, placeholders } = parse(template);
  const { nickname, orderId, quantity } = values;
  const filledIn = new Map([
    ['nickname', nickname],
    ['orderId', orderId],
    ['quantity', String(quantity)],
  ]);
  let command = strings[0] ?? '';
  for (const [position, placeholder] of placeholders.entries()) {
    const value = filledIn.get(placeholder.name);
    const problem = value === undefined ? null : valueProblem(placeholder, value);
    if (problem !== null) return { problem };
    command += (value ?? `{${placeholder.name}}`) + (strings[position + 1] ?? '');
  }
  return { command };
}

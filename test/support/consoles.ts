/** How a console reads one line: the commands that it finds, each as its arguments. */
export interface GameConsole {
  readonly name: string;
  /** Whether a double quote groups words. Elsewhere it is a character like any other. */
  readonly hasQuotes: boolean;
  /** @throws Error where the console reports an error and runs nothing */
  readonly read: (line: string) => string[][];
}

const isBlank = (character: string): boolean => character <= ' ';

/** Reads from a position up to a character that ends it, or to the end of the line. */
function until(line: string, from: number, ends: (character: string, position: number) => boolean): number {
  let position = from;
  while (position < line.length && !ends(line.charAt(position), position)) position++;
  return position;
}

/** Splits at separators outside of double quotes, and at line breaks everywhere. */
function splitCommands(line: string, separator: string, withComments: boolean): string[] {
  const commands = [''];
  let isQuoted = false;
  for (let position = 0; position < line.length; position++) {
    const character = line.charAt(position);
    if (character === '"') isQuoted = !isQuoted;
    if (withComments && !isQuoted && line.startsWith('//', position)) {
      position = until(line, position, (end) => end === '\n') - 1;
    } else if (character === '\n' || character === '\r' || (character === separator && !isQuoted)) {
      if (character !== separator) isQuoted = false;
      commands.push('');
    } else commands.push((commands.pop() ?? '') + character);
  }
  return commands;
}

/** Arguments between blanks. A double quote starts an argument wherever it stands, and so does each of the breaks. */
function blankArguments(line: string, breaks: string, canEscape: boolean): string[] {
  const found: string[] = [];
  for (let position = 0; position < line.length;) {
    const character = line.charAt(position);
    if (isBlank(character)) position++;
    else if (character === '"') {
      const end = until(line, position + 1, (quote, at) => quote === '"' && !(canEscape && line[at - 1] === '\\'));
      found.push(line.slice(position + 1, end));
      position = end + 1;
    } else if (breaks.includes(character)) {
      found.push(character);
      position++;
    } else {
      const end = until(line, position, (next) => isBlank(next) || next === '"' || breaks.includes(next));
      found.push(line.slice(position, end));
      position = end;
    }
  }
  return found;
}

/** Mojang's brigadier: a quote counts as the first character of an argument only. Each argument is read as a string. */
function brigadier(line: string): string[][] {
  const found: string[] = [];
  for (let position = line.startsWith('/') ? 1 : 0; position <= line.length; position++) {
    const quote = line.charAt(position);
    let end = until(line, position, (character) => character === ' ');
    if (quote === '"' || quote === "'") {
      end = until(line, position + 1, (character, at) => character === quote && line[at - 1] !== '\\') + 1;
      if (end > line.length) throw new Error('unclosed quote');
      if (/\\[^'"\\]/.test(line.slice(position, end))) throw new Error('invalid escape');
      if (end < line.length && line.charAt(end) !== ' ') throw new Error('text after a quote');
      found.push(line.slice(position + 1, end - 1));
    } else found.push(line.slice(position, end));
    position = end;
  }
  return [found];
}

/** LuckPerms: three quotes, of which any closes any. They count as the first character of an argument only. */
function luckPerms(line: string): string[][] {
  const isQuote = (character: string): boolean => '"\u201C\u201D'.includes(character);
  const found: string[] = [];
  for (let position = 0; position < line.length; position++) {
    const isQuoted = isQuote(line.charAt(position));
    const start = isQuoted ? position + 1 : position;
    const end = until(line, start, (character) => (isQuoted ? isQuote(character) : character === ' '));
    found.push(line.slice(start, end));
    position = isQuoted && line.charAt(end + 1) === ' ' ? end + 1 : end;
  }
  return [found];
}

/** Source: works on bytes. Bytes outside of ASCII are below the blank where `char` is signed. */
function source(line: string): string[][] {
  const bytes = Buffer.from(line).toString('latin1');
  const blanked = (command: string): string => command.replace(/[\x80-\xff]/g, ' ');
  return splitCommands(bytes, ';', true).map((command) => blankArguments(blanked(command), "{}()':", false));
}

/** ULib's own split, for what the engine handed to it. */
function ulib(line: string): string[][] {
  return splitCommands(line, ';', true).map((command) =>
    command
      .trim()
      .split('"')
      .flatMap((text, position) => (position % 2 === 1 ? [text] : text.split(/\s+/).filter((word) => word !== ''))),
  );
}

/** Rust: any white space of Unicode splits. Quotes count as the first character of an argument only. */
function rust(line: string): string[][] {
  const words = line.replaceAll('\\"', '\uE000').match(/"([^"]+)"|'([^']+)'|\S+/g) ?? [];
  return [words.map((word) => word.replace(/^[ "]+|[ "]+$/g, '').replaceAll('\uE000', '"'))];
}

/** FiveM: the buffer splits commands, then each is read with comments and escaped quotes. */
function fiveM(line: string): string[][] {
  return splitCommands(line, ';', false).map((command) => {
    const comment = /(?:^|[\s"])(?:\/\/|\/\*|#)/.exec(
      command.replace(/"(?:\\"|[^"])*"?/g, (text) => '"'.repeat(text.length)),
    );
    return blankArguments(comment === null ? command : command.slice(0, comment.index), '', true);
  });
}

/** Hytale: quotes and escapes count everywhere, and the argument keeps its quotes. */
function hytale(line: string): string[][] {
  const found = [''];
  let quote = '';
  for (let position = 0; position < line.length; position++) {
    const character = line.charAt(position);
    if (character === '\\') {
      position++;
      if (!/["',[\]\\]/.test(line.charAt(position))) throw new Error('invalid escape');
    } else if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === ' ') {
      found.push('');
      continue;
    }
    found.push((found.pop() ?? '') + line.charAt(position));
  }
  if (quote !== '') throw new Error('unclosed quote');
  return [found.map((word) => word.replace(/^"(.*)"$/, '$1'))];
}

/**
 * The consoles of the games, as their own code or public descriptions of it read a line. They show where commands and
 * arguments begin and end, not what a command then does with an argument. Limits on the number of arguments are left out.
 */
export const CONSOLES: readonly GameConsole[] = [
  { name: 'Minecraft', hasQuotes: true, read: brigadier },
  { name: 'Bukkit and BungeeCord', hasQuotes: false, read: (line) => [line.split(' ')] },
  { name: 'LuckPerms', hasQuotes: true, read: luckPerms },
  { name: 'Source', hasQuotes: true, read: source },
  { name: 'ULib', hasQuotes: true, read: ulib },
  { name: 'Rust', hasQuotes: true, read: rust },
  {
    name: 'ARK',
    hasQuotes: false,
    read: (line) => splitCommands(line, '|', true).map((command) => command.split(/\s+/)),
  },
  { name: 'FiveM', hasQuotes: true, read: fiveM },
  { name: 'Hytale', hasQuotes: true, read: hytale },
];

import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { ConfigurationError, ENVIRONMENT_NAMES, type RawEnvironment } from './environment.js';

/** What only docker-compose.yml reads of the same file. */
const OF_COMPOSE = ['MONGO_PASSWORD', 'COMPOSE_PROFILES', 'COMPOSE_PROJECT_NAME', 'COMPOSE_FILE', 'BACKUP_FOLDER'];
/** A part of a key that lost its line can look like a name, so others are not shown. */
const NAME = /^[A-Z][A-Z0-9_]{0,39}$/;
/** How many characters can be wrong in a name that is recognized. */
const MOST_WRONG = 3;

/**
 * The variables of a `.env` file in the working directory, with or without a byte order mark.
 * @throws ConfigurationError when it is not UTF-8
 */
export function readEnvFile(): RawEnvironment {
  const file = resolve('.env');
  if (!existsSync(file)) return {};
  const bytes = readFileSync(file);
  // UTF-16 without a mark has a zero byte in each character of a name.
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff) || bytes.includes(0)) {
    throw new ConfigurationError(`${file} is in UTF-16: save it in UTF-8`);
  }
  try {
    // Leaves out the byte order mark.
    return parseEnv(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof TypeError) throw new ConfigurationError(`${file} is not in UTF-8: save it in UTF-8`);
    throw error;
  }
}

/** One sentence for each variable of the `.env` file that nobody reads, without its value. */
export function unknownVariables(file: RawEnvironment = readEnvFile()): string[] {
  const known = [...ENVIRONMENT_NAMES, ...OF_COMPOSE];
  return Object.keys(file)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const nearest = nearestOf(name, known);
      if (nearest === null && !NAME.test(name)) return '.env has a line that sets no known variable';
      const advice = nearest === null ? '' : `: did you mean ${nearest}?`;
      return `.env sets ${name}, which the service does not know${advice}`;
    });
}

function nearestOf(name: string, known: readonly string[]): string | null {
  const near = known
    .map((other) => ({ other, distance: distanceOf(name.toUpperCase(), other) }))
    .sort((left, right) => left.distance - right.distance)
    .find(({ other, distance }) => distance <= Math.min(MOST_WRONG, other.length / 3));
  return near?.other ?? null;
}

/** How many characters have to be inserted, deleted or replaced (Levenshtein). */
function distanceOf(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [index, character] of [...left].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= right.length; at++) {
      const replaced = (row[at - 1] ?? 0) + (character === right[at - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

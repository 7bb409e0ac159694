import { type Game, withoutCodes } from './games.js';

/** What the text of a console says about a command. `absent`: it did nothing, because the player cannot get it now. */
export type Verdict = 'done' | 'failed' | 'absent' | 'unclear';

/** What stands before a line in a log: times, threads and levels in brackets. */
const PREFIX = /^(?:\[[^\]]*\]\s*:?\s*)+/;

const isWhole = (line: string, phrase: RegExp): boolean =>
  new RegExp(`^(?:${phrase.source})$`, phrase.flags).test(line);

/**
 * Where the output is mixed with the log, only a whole line after the prefix of the log means failure, and the phrase anywhere else leaves it
 * unclear: a player can write "No player was found" into the chat.
 */
export function verdictOn(text: string, { failures, absences }: Game, isMixed: boolean): Verdict {
  const lines = withoutCodes(text)
    .split('\n')
    .map((line) => (isMixed ? line.trim().replace(PREFIX, '') : line.trim()));
  const has = (phrases: readonly RegExp[]): boolean =>
    lines.some((line) => phrases.some((phrase) => isWhole(line, phrase)));
  if (has(absences)) return 'absent';
  if (has(failures)) return 'failed';
  const isNamed = [...failures, ...absences].some((phrase) => phrase.test(lines.join('\n')));
  if (!isNamed) return 'done';
  return isMixed ? 'unclear' : 'failed';
}

/** Why a command must not be sent to the console of a game; null: it can be. */
export function commandProblem(command: string, { maxBytes, forbidden }: Game): string | null {
  if (Buffer.byteLength(command) > maxBytes)
    return `The command has more than ${maxBytes} bytes: ${command.slice(0, 80)}...`;
  return forbidden.test(command) ? `The command has characters that the console does not take: ${command}` : null;
}

import { safeForTerminal } from '../../lib/formats/terminal.js';

/** The reader of the result has ended, as `head` does. The rest of a list is of no use to anybody. */
export class ReaderGone extends Error {
  override readonly name = 'ReaderGone';
}

let readerIsGone = false;

/** Lets a command go on when nobody reads its output any more: what it has begun must not stop in the middle. */
export function expectReadersToLeave(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      if (stream === process.stdout) readerIsGone = true;
    });
  }
}

/** Writes the result, or a part of it, to standard output. */
export function print(text: string): void {
  if (!readerIsGone) process.stdout.write(`${safeForTerminal(text)}\n`);
}

/** Writes a line about the progress, or an error, to standard error. */
export function printProgress(text: string): void {
  process.stderr.write(`${safeForTerminal(text)}\n`);
}

/**
 * Prints a line of a list, its columns separated by tabs.
 * @throws ReaderGone
 */
export function printRow(columns: readonly string[]): void {
  if (readerIsGone) throw new ReaderGone();
  print(columns.map((column) => safeForTerminal(column, 'in one line')).join('\t'));
}

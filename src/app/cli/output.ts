/** Writes a line of the result to standard output. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Writes a line about the progress to standard error. */
export function printProgress(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Prints the columns of a list, separated by tabs. Names of people and shops have no control characters. */
export function printRow(columns: readonly string[]): void {
  print(columns.join('\t'));
}

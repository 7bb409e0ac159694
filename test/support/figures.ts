/** Prints what a long run has done, for the record of its result: `300 kills, 600 orders`. */
export function printFigures(figures: Readonly<Record<string, number>>): void {
  const line = Object.entries(figures).map(([name, figure]) => `${figure} ${name}`);
  process.stdout.write(`${line.join(', ')}\n`);
}

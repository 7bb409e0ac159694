// Writes what `npm run bench` has measured.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';

const RESULTS = join(import.meta.dirname, '..', 'RESULTS.md');
const BEGIN = '<!-- bench:begin -->';
const END = '<!-- bench:end -->';

/** A table in Markdown. */
export const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** When, of what and where the figures are. Read before the measurement, because somebody may commit during it. */
export function circumstances() {
  // Without tags, because a reader looks for the commit.
  const commit = execFileSync('git', ['describe', '--always', '--dirty', '--exclude=*'], { encoding: 'utf8' }).trim();
  const [day, time] = new Date().toISOString().split('T');
  const machine = `${availableParallelism()} cores, Node ${process.versions.node}`;
  return `Measured on ${day} (${time.slice(0, 5)} UTC) on commit ${commit} by \`npm run bench\`, ${machine}.`;
}

/** Replaces the figures in RESULTS.md. @param parts paragraphs and tables */
export async function writeResults(parts) {
  const text = readFileSync(RESULTS, 'utf8');
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`RESULTS.md has no place for the figures: ${BEGIN} and ${END}`);
  const figures = [BEGIN, ...parts].join('\n\n');
  const whole = `${text.slice(0, begin)}${figures}\n\n${text.slice(end)}`;
  writeFileSync(RESULTS, await format(whole, { ...(await resolveConfig(RESULTS)), parser: 'markdown' }));
}

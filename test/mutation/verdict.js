import { readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { workspaceOf } from './scope.js';
import { survivors } from './survivors.js';

/** The least share of the mutants, in per cent, that the specs must kill. */
const THRESHOLD = 90;
const MAX_LENGTH = 100;

const short = (text) => (text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}...` : text);
const oneLine = (text) => short(text.replaceAll(/\s+/g, ' ').trim());

/** A mutant as survivors.js names it: the line before and after the change. Line numbers would change too often. */
function describeMutant({ fileName, location: { start, end }, replacement }) {
  const lines = readFileSync(fileName, 'utf8').split('\n');
  const before = lines.slice(start.line - 1, end.line).join('\n');
  const rest = (lines[end.line - 1] ?? '').slice(end.column - 1);
  const after = (lines[start.line - 1] ?? '').slice(0, start.column - 1) + replacement + rest;
  return `${oneLine(before)} => ${oneLine(after)}`;
}

const count = (mutants, ...statuses) => mutants.filter(({ status }) => statuses.includes(status)).length;

function score(mutants) {
  const killed = count(mutants, 'Killed', 'Timeout');
  const alive = count(mutants, 'Survived', 'NoCoverage');
  return (100 * killed) / (killed + alive);
}

/** The figures as a table for docs/testing.md: one row for each folder, and the sum. */
function table(mutants, name) {
  const folderOf = (mutant) => dirname(name(mutant));
  const folders = [...new Set(mutants.map(folderOf))].sort();
  const rows = [...folders, 'all'].map((folder) => {
    const some = folder === 'all' ? mutants : mutants.filter((mutant) => folderOf(mutant) === folder);
    return [
      folder,
      some.length,
      count(some, 'Killed'),
      count(some, 'Timeout'),
      count(some, 'Survived'),
      count(some, 'NoCoverage'),
      score(some).toFixed(1),
    ];
  });
  const header = ['Folder', 'Mutants', 'Killed', 'Timeouts', 'Survived', 'Not run', '%'];
  return [header, header.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** The entries of `these` that are not in `those`. An entry that is twice in one must be twice in the other. */
function missing(these, those) {
  const left = [...those];
  return these.filter((entry) => {
    const at = left.indexOf(entry);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/**
 * Prints the figures and what is wrong: survivors that survivors.js does not list, listed ones that are dead, and, for a run
 * of everything, too many survivors.
 * @returns whether nothing is wrong
 */
export function isGood(mutants, files, everything) {
  const name = ({ fileName }) => relative(process.cwd(), fileName);
  const alive = mutants.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
  const found = alive.map((mutant) => `${name(mutant)}: ${describeMutant(mutant)}`);
  const listed = survivors
    .flatMap((group) => Object.entries(group.mutants))
    .filter(([file]) => (everything && workspaceOf(file) === '.') || files.includes(file))
    .flatMap(([file, texts]) => texts.map((text) => `${file}: ${text}`));

  console.log(`\n${table(mutants, name)}\n`);
  const problems = [
    [
      'These mutants survive. Write a test that fails, or list them with a reason in survivors.js',
      missing(found, listed),
    ],
    ['These mutants of survivors.js do not survive. Remove them from the list', missing(listed, found)],
    [
      `The specs kill less than ${THRESHOLD} % of the mutants`,
      everything && score(mutants) < THRESHOLD ? [`${score(mutants).toFixed(1)} %`] : [],
    ],
  ].filter(([, entries]) => entries.length > 0);
  for (const [problem, entries] of problems) console.log(`${problem}:\n${entries.join('\n')}\n`);
  return problems.length === 0;
}

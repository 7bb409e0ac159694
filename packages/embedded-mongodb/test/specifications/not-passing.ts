import { readFileSync } from 'node:fs';
import { RunnerError } from './format.js';

/** How a listed test must fail: by the code of a server's error, by a pattern of the message, or both. */
export interface Expected {
  readonly code?: number;
  readonly message?: string;
}

/** Tests that do not pass for one reason: a feature that the store does not have, or a deviation of the driver. */
interface Group {
  readonly reason: string;
  readonly expected: Expected;
  /** The titles of the tests by their file. */
  readonly tests: Readonly<Record<string, readonly string[]>>;
}

/** A test that is listed as not passing. */
export interface Listed {
  readonly file: string;
  readonly title: string;
  readonly reason: string;
  readonly expected: Expected;
}

/** The tests that are listed in `not-passing.json`; throws for an entry without a code or message, and for a repeated one. */
export function readList(url: URL): Listed[] {
  const groups = JSON.parse(readFileSync(url, 'utf8')) as Group[];
  const all = groups.flatMap(({ reason, expected, tests }) => {
    if (expected.code === undefined && expected.message === undefined)
      throw new RunnerError(`no expected error for: ${reason}`);
    return Object.entries(tests).flatMap(([file, titles]) =>
      titles.map((title): Listed => ({ file, title, reason, expected })),
    );
  });
  const names = all.map(({ file, title }) => `${file}: ${title}`);
  const repeated = names.filter((name, index) => names.indexOf(name) !== index);
  if (repeated.length > 0) throw new RunnerError(`listed twice: ${repeated.join('; ')}`);
  return all;
}

/** The error, its cause, the cause of that, and so on. */
function* chain(error: unknown): Generator<Error & { readonly code?: unknown }> {
  for (let next = error; next instanceof Error; next = next.cause) yield next;
}

/** Runs a listed test. Throws when it passes, and when it fails for another reason than the listed one. */
export async function failsAsListed({ reason, expected }: Listed, run: () => Promise<void>): Promise<void> {
  let failure: unknown;
  try {
    await run();
  } catch (error) {
    failure = error;
  }
  if (failure === undefined) throw new Error(`the test passes, but is listed as not passing: ${reason}`);
  const errors = [...chain(failure)];
  const isOurs = errors.some((error) => error instanceof RunnerError);
  const pattern = expected.message === undefined ? undefined : new RegExp(expected.message);
  const isListed = errors.some(
    ({ code, message }) => (expected.code === undefined || code === expected.code) && (pattern?.test(message) ?? true),
  );
  if (isOurs || !isListed)
    throw new Error(`the test fails for another reason than ${JSON.stringify(expected)}`, { cause: failure });
}

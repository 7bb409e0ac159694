import { AppError } from './app-error.js';

/**
 * The error for invalid input, with one sentence for each problem; the catalogue's sentence when none is known.
 * @param headers what the response says about the problems to programs
 */
export function invalidInput(problems: readonly string[], headers: AppError['headers'] = {}): AppError {
  return new AppError('validation_failed', {
    ...(problems.length === 0 ? {} : { message: problems.join('; ') }),
    headers,
  });
}

/**
 * Rejects input that a rule found problems with. Rules are pure functions that return one sentence per problem.
 * @throws AppError validation_failed with every problem, unless there is none
 */
export function requireValid(problems: readonly string[]): void {
  if (problems.length > 0) throw invalidInput(problems);
}

/** The times from an instant on, and before another one. An absent end does not limit it. */
interface TimeRange {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** @throws AppError validation_failed when both ends were sent and the range is empty */
export function requireTimeRange({ from, to }: TimeRange): void {
  requireValid(from !== undefined && to !== undefined && from >= to ? ['from must be before to'] : []);
}

import { AppError } from './app-error.js';

/**
 * Rejects input that a rule found problems with. Rules are pure functions that return one sentence per problem.
 * @throws AppError validation_failed with every problem, unless there is none
 */
export function requireValid(problems: readonly string[]): void {
  if (problems.length > 0) throw new AppError('validation_failed', { message: problems.join('; ') });
}

import { requireValid } from './require-valid.js';

/**
 * Returns what a rule read from input. Such a rule returns the value, or one sentence for each problem.
 * @throws AppError validation_failed with every problem, when the rule found any
 */
export function orInvalid<Value extends object>(read: Value | readonly string[]): Value {
  if (!isProblems(read)) return read;
  requireValid(read);
  throw new Error('A rule returned neither a value nor a problem');
}

function isProblems(read: object): read is readonly string[] {
  return Array.isArray(read);
}

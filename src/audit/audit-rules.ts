import { type AuditChange } from './audit.types.js';

/** Longer values are cut: the log tells what happened, it is no backup. */
const MAX_VALUE_LENGTH = 300;

export type AuditValue = string | number | boolean | Date | readonly string[] | null | undefined;

/**
 * The fields in which two states of a record differ.
 * @param before null for a record that is new
 * @param after what was written; fields that it does not name did not change. Never hand a secret in.
 */
export function changesBetween(
  before: Readonly<Record<string, AuditValue>> | null,
  after: Readonly<Record<string, AuditValue>>,
): AuditChange[] {
  return Object.entries(after)
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => ({ field, before: inWords(before?.[field]), after: inWords(value) }))
    .filter((change) => change.before !== change.after)
    .map((change) => ({ field: change.field, before: cut(change.before), after: cut(change.after) }));
}

function inWords(value: AuditValue): string | null {
  if (value === null || value === undefined) return null;
  return value instanceof Date ? value.toISOString() : Array.isArray(value) ? value.join(', ') : String(value);
}

function cut(words: string | null): string | null {
  return words !== null && words.length > MAX_VALUE_LENGTH ? `${words.slice(0, MAX_VALUE_LENGTH - 3)}...` : words;
}

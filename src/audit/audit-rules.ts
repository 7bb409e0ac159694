import { type AuditChange } from './audit.types.js';

/** Longer values are cut: the log tells what happened, it is no backup. */
const MAX_VALUE_LENGTH = 300;

export type AuditValue = string | number | boolean | Date | readonly string[] | null | undefined;

/**
 * Returns the fields in which two states of a record differ. Never pass a secret.
 * @param before null for a record that was created
 * @param after what was written; a field that it does not name did not change. null for a record that was deleted
 */
export function changesBetween(
  before: Readonly<Record<string, AuditValue>> | null,
  after: Readonly<Record<string, AuditValue>> | null,
): AuditChange[] {
  return Object.keys(after ?? before ?? {})
    .filter((field) => after === null || after[field] !== undefined)
    .map((field) => ({ field, before: inWords(before?.[field]), after: inWords(after?.[field]) }))
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

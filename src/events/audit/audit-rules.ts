import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { type AuditChange } from './audit.types.js';

/** Longer values are cut: the log records what happened, it is not a backup. */
export const MAX_AUDIT_VALUE_LENGTH = 300;
const DIGEST_LENGTH = 12;

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
    .map((field) => ({ field, before: asString(before?.[field]), after: asString(after?.[field]) }))
    .filter((change) => change.before !== change.after)
    .map((change) => ({ field: change.field, before: cut(change.before), after: cut(change.after) }));
}

/** A value as a string; null for an empty value. */
function asString(value: AuditValue): string | null {
  if (value === null || value === undefined) return null;
  const string =
    value instanceof Date
      ? value.toISOString()
      : Array.isArray(value)
        ? value.map(quotedEntry).join(', ')
        : String(value);
  return string === '' ? null : string;
}

/** Quotes an entry that could be read as several, so that different lists never look the same. */
function quotedEntry(entry: string): string {
  return entry === '' || entry.includes(',') || entry.startsWith('"') ? JSON.stringify(entry) : entry;
}

/** Cuts a long value and adds a digest of the whole value, so that two values with the same beginning look different. */
function cut(string: string | null): string | null {
  if (string === null || string.length <= MAX_AUDIT_VALUE_LENGTH) return string;
  const ending = `... (sha256 ${sha256(string).slice(0, DIGEST_LENGTH)})`;
  return string.slice(0, MAX_AUDIT_VALUE_LENGTH - ending.length) + ending;
}

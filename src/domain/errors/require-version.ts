import { createHash } from 'node:crypto';
import { AppError } from './app-error.js';

/** The versions of a record that a caller accepts to change (`If-Match`); null: any. */
export type ExpectedVersions = readonly string[] | null;

/** A short name of a value: equal values have equal names. */
export function fingerprintOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22);
}

/**
 * Rejects a change of a record that the caller has not read as it is now. Call it in the transaction that writes the record, with what the
 * transaction reads: a change by somebody else in between is a conflict of the two, and the transaction runs again.
 * @param current the version that the record has
 * @throws AppError version_mismatch, whose `ETag` header names the current version
 */
export function requireVersion(expected: ExpectedVersions, current: string): void {
  if (expected === null || expected.includes(current)) return;
  throw new AppError('version_mismatch', { headers: { ETag: `"${current}"` } });
}

import { AppError } from '../../domain/errors/app-error.js';

const WORD = /^[A-Za-z0-9_]{1,40}$/;

/**
 * What kind of error something is, for people who must not see its message, because a message can contain an address, a query
 * or a secret: the code of an `AppError`, or the class and the code of any other error (`MongoServerError 112`).
 */
export function errorKind(error: unknown): string {
  if (error instanceof AppError) return error.code;
  if (!(error instanceof Error)) return 'unknown';
  const { name, code } = error as Error & { readonly code?: unknown };
  const isCode = typeof code === 'number' || typeof code === 'string';
  return [name, isCode ? String(code) : ''].filter((word) => WORD.test(word)).join(' ') || 'unknown';
}

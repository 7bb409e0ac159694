import { AppError } from '../../domain/errors/app-error.js';
import { ConfigurationError } from '../../infrastructure/config/environment.js';
import { TransferError } from '../../infrastructure/database/transfer/transfer-error.js';

/** A command cannot do its work. The message is one sentence that says what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** What the operator reads about an error: one sentence, and the stack only of an error that nobody has foreseen. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const foreseen = [CommandError, AppError, ConfigurationError, TransferError].some((kind) => error instanceof kind);
  // The errors of the driver and of the file system name what failed.
  const isOutside = error.name.startsWith('Mongo') || 'syscall' in error;
  return foreseen || isOutside ? error.message : (error.stack ?? error.message);
}

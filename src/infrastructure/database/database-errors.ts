import mongoose from 'mongoose';
import { AppError } from '../../domain/errors/app-error.js';
import { type ErrorCode } from '../../domain/errors/error-catalogue.js';

const { MongoBulkWriteError, MongoError, MongoServerError, MongoServerSelectionError, MongoNetworkError } =
  mongoose.mongo;
const DUPLICATE_KEY = 11000;
/**
 * HostUnreachable, NetworkTimeout, MaxTimeMSExpired, WriteConflict (after all retries), PrimarySteppedDown, NotWritable,
 * InterruptedAtShutdown, FileStreamFailed, OutOfDiskSpace and similar codes: the server may exist, but it cannot serve us now.
 */
const NOT_SERVING = new Set([
  6, 7, 39, 50, 89, 91, 112, 133, 134, 189, 262, 9001, 10058, 10107, 11600, 11602, 13435, 13436, 14031,
]);
const UNAVAILABLE_LABELS = ['TransientTransactionError', 'RetryableWriteError'];

/**
 * Whether a call failed because the database cannot be reached or is too slow now, and not because of the call itself. A transaction that
 * reached its time limit is one of them.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'service_unavailable';
  // What the driver wraps when a command of several writes fails: for example that no connection was free.
  if (error instanceof MongoBulkWriteError && (error.errorResponse as unknown) instanceof MongoError) {
    return isDatabaseUnavailable(error.errorResponse);
  }
  if (error instanceof MongoServerSelectionError || error instanceof MongoNetworkError) return true;
  if (error instanceof MongoServerError) {
    return NOT_SERVING.has(Number(error.code)) || UNAVAILABLE_LABELS.some((label) => error.hasErrorLabel(label));
  }
  if (error instanceof mongoose.Error.MongooseServerSelectionError) return true;
  return error instanceof MongoError && /Pool|Timeout|NotConnected|Closed/.test(error.name);
}

/** The name of the unique index that a write violated, or null for any other error. */
export function violatedIndex(error: unknown): string | null {
  if (!(error instanceof MongoServerError) || error.code !== DUPLICATE_KEY) return null;
  // Only the message of the error names the index: "index: _id_ dup key" in MongoDB, "Index '_id_'" in other servers.
  return /index: (\S+) dup key|index '([^']+)'/i.exec(error.message)?.slice(1).find(Boolean) ?? '';
}

/**
 * Runs a write of a transaction whose uniqueness an index guards. After a violation the transaction runs again, and reads what another
 * one has written since.
 */
export async function orConflict<Result>(write: Promise<Result>): Promise<Result> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof MongoServerError && violatedIndex(error) !== null) {
      error.addErrorLabel('TransientTransactionError');
    }
    throw error;
  }
}

/**
 * Runs a write whose uniqueness an index guards, and turns the violation into an error of the catalogue.
 * @throws AppError `code` when the write would repeat what must be unique
 */
export async function orDuplicate<Result>(write: Promise<Result>, code: ErrorCode): Promise<Result> {
  try {
    return await write;
  } catch (error) {
    if (violatedIndex(error) !== null) throw new AppError(code, {});
    throw error;
  }
}

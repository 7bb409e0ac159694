import mongoose from 'mongoose';
import { AppError } from '../common/errors/app-error.js';
import { type ErrorCode } from '../common/errors/error-catalogue.js';

const { MongoError, MongoServerError, MongoServerSelectionError, MongoNetworkError } = mongoose.mongo;
const DUPLICATE_KEY = 11000;
/**
 * MaxTimeMSExpired, WriteConflict (after all retries), NotWritablePrimary, PrimarySteppedDown, InterruptedAtShutdown and
 * their kin: the server is there, but not for us, now.
 */
const NOT_SERVING = new Set([50, 91, 112, 189, 10107, 11600, 11602, 13435, 13436]);

/** Whether a call failed because the database is not there or too slow now, rather than because of what was asked. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof MongoServerSelectionError || error instanceof MongoNetworkError) return true;
  if (error instanceof MongoServerError) {
    return NOT_SERVING.has(Number(error.code)) || error.hasErrorLabel('TransientTransactionError');
  }
  if (error instanceof mongoose.Error.MongooseServerSelectionError) return true;
  return error instanceof MongoError && /Pool|Timeout|NotConnected|TopologyClosed/.test(error.name);
}

/** The fields of the unique index that a write violated, or null for any other error. */
export function duplicateKeyFields(error: unknown): readonly string[] | null {
  if (!(error instanceof MongoServerError) || error.code !== DUPLICATE_KEY) return null;
  return Object.keys((error['keyPattern'] as Record<string, unknown> | undefined) ?? {});
}

/**
 * Runs a write whose uniqueness an index guards, and turns the violation into an error of the catalogue.
 * @throws AppError `code` when the write would repeat what must be unique
 */
export async function orDuplicate<Result>(write: Promise<Result>, code: ErrorCode): Promise<Result> {
  try {
    return await write;
  } catch (error) {
    if (duplicateKeyFields(error) !== null) throw new AppError(code, {});
    throw error;
  }
}

import { type Value } from './values/types.js';

/** MongoDB's names of the codes that this store uses (mongo/src/mongo/base/error_codes.yml). */
const codeNames: Readonly<Record<number, string>> = {
  1: 'InternalError',
  2: 'BadValue',
  9: 'FailedToParse',
  13: 'Unauthorized',
  14: 'TypeMismatch',
  15: 'Overflow',
  17: 'ProtocolError',
  20: 'IllegalOperation',
  22: 'InvalidBSON',
  26: 'NamespaceNotFound',
  27: 'IndexNotFound',
  28: 'PathNotViable',
  39: 'FileStreamFailed',
  40: 'ConflictingUpdateOperators',
  43: 'CursorNotFound',
  48: 'NamespaceExists',
  50: 'MaxTimeMSExpired',
  52: 'DollarPrefixedFieldName',
  53: 'InvalidIdField',
  54: 'NotSingleValueField',
  59: 'CommandNotFound',
  64: 'WriteConcernTimeout',
  66: 'ImmutableField',
  67: 'CannotCreateIndex',
  68: 'IndexAlreadyExists',
  72: 'InvalidOptions',
  73: 'InvalidNamespace',
  79: 'UnknownReplWriteConcern',
  85: 'IndexOptionsConflict',
  86: 'IndexKeySpecsConflict',
  89: 'NetworkTimeout',
  91: 'ShutdownInProgress',
  100: 'UnsatisfiableWriteConcern',
  112: 'WriteConflict',
  125: 'CommandFailed',
  171: 'CannotIndexParallelArrays',
  175: 'QueryPlanKilled',
  189: 'PrimarySteppedDown',
  197: 'InvalidIndexSpecificationOption',
  225: 'TransactionTooOld',
  237: 'CursorKilled',
  238: 'NotImplemented',
  246: 'SnapshotUnavailable',
  251: 'NoSuchTransaction',
  256: 'TransactionCommitted',
  262: 'ExceededTimeLimit',
  263: 'OperationNotSupportedInTransaction',
  278: 'UnsatisfiableCommitQuorum',
  279: 'ClientDisconnect',
  292: 'QueryExceededMemoryLimitNoDiskUseAllowed',
  322: 'APIVersionError',
  323: 'APIStrictError',
  9001: 'SocketException',
  10107: 'NotWritablePrimary',
  10334: 'BSONObjectTooLarge',
  11000: 'DuplicateKey',
  11600: 'InterruptedAtShutdown',
  11601: 'Interrupted',
  11602: 'InterruptedDueToReplStateChange',
  12051: 'CursorInUse',
  13435: 'NotPrimaryNoSecondaryOk',
  13436: 'NotPrimaryOrSecondary',
  14031: 'OutOfDiskSpace',
};

/** The name that MongoDB prints beside an error code: its own name, or `Location<code>`. */
export const codeName = (code: number): string => codeNames[code] ?? `Location${code}`;

/** An error for the client, with MongoDB's code. `details` become further fields of the reply. */
export class StoreError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly details: Readonly<Record<string, Value>> = {},
  ) {
    super(message);
  }
}

/** An open transaction or an index build has locked what is to be written. The command waits for `released` and starts again. */
export class Blocked extends Error {
  constructor(readonly released: Promise<void>) {
    super('blocked by another operation');
  }
}

/** Throws a {@link StoreError}. It is a function, so that an expression can use it: `x ?? fail(...)`. */
export function fail(code: number, message: string, details?: Readonly<Record<string, Value>>): never {
  throw new StoreError(code, message, details);
}

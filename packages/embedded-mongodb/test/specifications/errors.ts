import { MongoBulkWriteError, MongoError, MongoServerError } from 'mongodb';
import { type Entities } from './entities.js';
import { type Fields, fieldsOf, Mismatch, only, RunnerError, text } from './format.js';
import { match } from './matching.js';
import { resultOf } from './results.js';

const known = [
  'isError',
  'isClientError',
  'isTimeoutError',
  'errorContains',
  'errorCode',
  'errorCodeName',
  'errorLabelsContain',
  'errorLabelsOmit',
  'errorResponse',
  'expectResult',
  'writeErrors',
  'writeConcernErrors',
];

const labels = (value: unknown): string[] => {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value.map(text);
  throw new RunnerError(`error labels must be a list: ${text(value)}`);
};

/** Checks an error against `expectError`. Throws {@link Mismatch}, with the error as its cause. */
export function checkError(expected: Fields, error: unknown, entities: Entities): void {
  only(expected, known, 'the expectation of an error');
  try {
    compare(expected, error, entities);
  } catch (mismatch) {
    if (mismatch instanceof Mismatch) throw new Mismatch(mismatch.message, { cause: error });
    throw mismatch;
  }
}

function compare(expected: Fields, error: unknown, { lookup }: Entities): void {
  if (!(error instanceof Error)) throw new Mismatch(`expected an error, got ${text(error)}`);
  const cause = error.cause instanceof MongoServerError ? error.cause : error;
  const { code, codeName, errorResponse } = fieldsFrom(cause);
  const { writeErrors, writeConcernErrors } = fieldsFrom(error);
  const check = (isMet: boolean, what: string): void => {
    if (!isMet) throw new Mismatch(`expected an error with ${what}, got ${String(error)} (code ${text(code)})`);
  };
  const has = (label: string): boolean =>
    [error, cause].some((one) => one instanceof MongoError && one.hasErrorLabel(label));
  if (expected['isError'] === false) throw new RunnerError('isError must be true');
  if ('isClientError' in expected)
    check(expected['isClientError'] !== isFromServer(error), `isClientError: ${text(expected['isClientError'])}`);
  if ('isTimeoutError' in expected)
    check(expected['isTimeoutError'] === (error.name === 'MongoOperationTimeoutError'), 'isTimeoutError');
  if ('errorContains' in expected)
    check(error.message.toLowerCase().includes(text(expected['errorContains']).toLowerCase()), 'that text');
  if ('errorCode' in expected) check(code === expected['errorCode'], `code ${text(expected['errorCode'])}`);
  if ('errorCodeName' in expected)
    check(codeName === expected['errorCodeName'], `code name ${text(expected['errorCodeName'])}`);
  for (const label of labels(expected['errorLabelsContain'])) check(has(label), `label ${label}`);
  for (const label of labels(expected['errorLabelsOmit'])) check(!has(label), `no label ${label}`);
  if ('errorResponse' in expected) match(expected['errorResponse'], errorResponse, lookup);
  if ('expectResult' in expected) match(expected['expectResult'], partialResult(error), lookup);
  if ('writeErrors' in expected) {
    const errors = fieldsOf(resultOf(writeErrors));
    const wanted = Object.entries(fieldsOf(expected['writeErrors']));
    check(Object.keys(errors).length === wanted.length, `${wanted.length} write errors`);
    for (const [index, one] of wanted) match(one, errors[index], lookup);
  }
  if ('writeConcernErrors' in expected) match(expected['writeConcernErrors'], writeConcernErrors, lookup);
}

const fieldsFrom = (error: Error): Fields => error as unknown as Fields;

/** Whether a server has reported the error. Errors of the network are the client's (format: isClientError). */
const isFromServer = (error: Error): boolean =>
  (error.cause instanceof Error ? error.cause : error) instanceof MongoServerError;

/**
 * What a failed write has done, if the driver says so. `insertedIds` are left out: of a failed bulk the driver also names
 * documents that were not inserted (lib/bulk/common.js, getSuccessfullyInsertedIds cuts the list of inserts at the position
 * of the failed operation), and the format lets a driver report none.
 */
function partialResult(error: Error): unknown {
  const { result, partialResult: partial } = fieldsFrom(error);
  const done = resultOf(result ?? partial);
  return error instanceof MongoBulkWriteError ? { ...fieldsOf(done), insertedIds: undefined } : done;
}

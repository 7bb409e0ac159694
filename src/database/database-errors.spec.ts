import { describe, expect, it } from '@jest/globals';
import mongoose from 'mongoose';
import { duplicateKeyFields, isDatabaseUnavailable, orDuplicate } from './database-errors.js';

const { MongoError, MongoNetworkError, MongoServerError, MongoServerSelectionError } = mongoose.mongo;
const answer = (code: number, ...errorLabels: string[]): Error =>
  new MongoServerError({ message: '', code, errorLabels });
const named = (name: string): Error => Object.defineProperty(new MongoError('no'), 'name', { value: name });
const DUPLICATE = new MongoServerError({ message: '', code: 11000, keyPattern: { shopId: 1, code: 1 } });

describe('isDatabaseUnavailable', () => {
  it.each<[string, Error]>([
    ['no server was found', new mongoose.Error.MongooseServerSelectionError('none')],
    ['no server was found in time', new MongoServerSelectionError('none', {} as never)],
    ['the connection broke', new MongoNetworkError('closed')],
    ['the server is shutting down', answer(91)],
    ['a conflict remains after all retries', answer(112)],
    ['the transaction may be repeated', answer(1, 'TransientTransactionError')],
    ['the write may be repeated', answer(1, 'RetryableWriteError')],
    ['the pool is closed', named('MongoPoolClosedError')],
    ['a timeout was reached', named('MongoOperationTimeoutError')],
    ['there is no connection', named('MongoNotConnectedError')],
  ])('is true when %s', (_name, error) => {
    expect(isDatabaseUnavailable(error)).toBe(true);
  });

  it.each<[string, Error]>([
    ['a duplicate key', DUPLICATE],
    ['a wrong command', answer(9, 'Other')],
    ['a wrong use of the driver', named('MongoInvalidArgumentError')],
    ['any other error', new Error('Timeout')],
  ])('is false for %s', (_name, error) => {
    expect(isDatabaseUnavailable(error)).toBe(false);
  });
});

describe('duplicateKeyFields', () => {
  it('returns the fields of the unique index, and null for every other error', () => {
    expect(duplicateKeyFields(DUPLICATE)).toEqual(['shopId', 'code']);
    expect(duplicateKeyFields(answer(11000))).toEqual([]);
    expect(duplicateKeyFields(answer(112))).toBeNull();
    expect(duplicateKeyFields(Object.assign(new Error('no'), { code: 11000 }))).toBeNull();
  });
});

describe('orDuplicate', () => {
  it('turns only a duplicate key into the error of the catalogue', async () => {
    expect(await orDuplicate(Promise.resolve(1), 'email_taken')).toBe(1);
    await expect(orDuplicate(Promise.reject(DUPLICATE), 'email_taken')).rejects.toMatchObject({ code: 'email_taken' });
    const other = answer(112);
    await expect(orDuplicate(Promise.reject(other), 'email_taken')).rejects.toBe(other);
  });
});

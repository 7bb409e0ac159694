import { describe, expect, it } from '@jest/globals';
import mongoose from 'mongoose';
import { AppError } from '../../domain/errors/app-error.js';
import { isDatabaseUnavailable, orConflict, orDuplicate, violatedIndex } from './database-errors.js';

const { MongoBulkWriteError, MongoError, MongoNetworkError, MongoServerError, MongoServerSelectionError } =
  mongoose.mongo;
const serverError = (code: number, ...errorLabels: string[]): Error =>
  new MongoServerError({ message: '', code, errorLabels });
const named = (name: string): Error => Object.defineProperty(new MongoError('no'), 'name', { value: name });
const wrapped = (error: Error): Error => new MongoBulkWriteError(error, {} as never);
const DUPLICATE = new MongoServerError({
  message: 'E11000 duplicate key error collection: shop.discounts index: shopId_1_code_1 dup key: { code: "A" }',
  code: 11000,
});

describe('isDatabaseUnavailable', () => {
  it.each<[string, Error]>([
    ['no server was found', new mongoose.Error.MongooseServerSelectionError('none')],
    ['no server was found in time', new MongoServerSelectionError('none', {} as never)],
    ['the connection broke', new MongoNetworkError('closed')],
    ['the server is shutting down', serverError(91)],
    ['a conflict remains after all retries', serverError(112)],
    ['the disk of the server is full', serverError(14031)],
    ['the disk of the server fails', serverError(39)],
    ['the transaction may be repeated', serverError(1, 'TransientTransactionError')],
    ['the write may be repeated', serverError(1, 'RetryableWriteError')],
    ['the pool is closed', named('MongoPoolClosedError')],
    ['a timeout was reached', named('MongoOperationTimeoutError')],
    ['there is no connection', named('MongoNotConnectedError')],
    ['a transaction reached its time limit', new AppError('service_unavailable')],
    ['several writes find no connection that is free', wrapped(named('MongoWaitQueueTimeoutError'))],
  ])('returns true when %s', (_name, error) => {
    expect(isDatabaseUnavailable(error)).toBe(true);
  });

  it.each<[string, Error]>([
    ['a duplicate key', DUPLICATE],
    ['a wrong command', serverError(9, 'Other')],
    ['a wrong use of the driver', named('MongoInvalidArgumentError')],
    ['any other error', new Error('Timeout')],
    ['an error of a caller', new AppError('order_not_found')],
    ['a duplicate key of several writes', wrapped(DUPLICATE)],
  ])('returns false for %s', (_name, error) => {
    expect(isDatabaseUnavailable(error)).toBe(false);
  });
});

describe('violatedIndex', () => {
  const duplicate = (message: string): Error => new MongoServerError({ message, code: 11000 });

  it('returns the name of the unique index, and null for every other error', () => {
    expect(violatedIndex(DUPLICATE)).toBe('shopId_1_code_1');
    expect(
      violatedIndex(duplicate('E11000 duplicate key error collection: a.index index: _id_ dup key: { _id: 1 }')),
    ).toBe('_id_');
    expect(violatedIndex(duplicate("E11000 duplicate key error: Index 'slots.holder_1'"))).toBe('slots.holder_1');
    expect(violatedIndex(serverError(11000))).toBe('');
    expect(violatedIndex(serverError(112))).toBeNull();
    expect(violatedIndex(Object.assign(new Error('no'), { code: 11000 }))).toBeNull();
  });
});

describe('orConflict', () => {
  it('marks only a duplicate key for another run of the transaction', async () => {
    expect(await orConflict(Promise.resolve(1))).toBe(1);
    const marked = async (error: Error): Promise<boolean> => {
      await expect(orConflict(Promise.reject(error))).rejects.toBe(error);
      return error instanceof MongoServerError && error.hasErrorLabel('TransientTransactionError');
    };
    expect(await marked(serverError(11000))).toBe(true);
    expect(await marked(serverError(50))).toBe(false);
    expect(await marked(new Error('no'))).toBe(false);
  });
});

describe('orDuplicate', () => {
  it('turns only a duplicate key into the error of the catalogue', async () => {
    expect(await orDuplicate(Promise.resolve(1), 'email_taken')).toBe(1);
    await expect(orDuplicate(Promise.reject(DUPLICATE), 'email_taken')).rejects.toMatchObject({ code: 'email_taken' });
    const other = serverError(112);
    await expect(orDuplicate(Promise.reject(other), 'email_taken')).rejects.toBe(other);
  });
});

import { expect, it } from '@jest/globals';
import mongoose from 'mongoose';
import { AppError } from '../../domain/errors/app-error.js';
import { ConfigurationError } from '../../infrastructure/config/environment.js';
import { TransferError } from '../../infrastructure/database/transfer/transfer-error.js';
import { CommandError, explain } from './problems.js';

it.each<[error: Error]>([
  [new CommandError('There is no shop x.')],
  [new AppError('shop_not_found')],
  [new ConfigurationError('PORT must be a number')],
  [new TransferError('The file is no backup')],
  [new mongoose.mongo.MongoNetworkError('connection refused')],
  [Object.assign(new Error('EACCES: permission denied, open backup.gz'), { syscall: 'open' })],
])('explains %s in one sentence', (error) => {
  expect(explain(error)).toBe(error.message);
});

it('shows where an error comes from that nobody has foreseen', () => {
  expect(explain(new TypeError('x is not a function'))).toMatch(/^TypeError: x is not a function\n +at /);
  expect(explain('thrown')).toBe('thrown');
});

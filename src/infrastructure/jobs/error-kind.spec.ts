import { describe, expect, it } from '@jest/globals';
import { AppError } from '../../domain/errors/app-error.js';
import { errorKind } from './error-kind.js';

const SECRET = 'mongodb://user:secret@host';

describe('the kind of an error', () => {
  it.each<[string, unknown, string]>([
    ['an error of the catalogue', new AppError('service_unavailable', { message: SECRET }), 'service_unavailable'],
    ['an error of the language', new TypeError(SECRET), 'TypeError'],
    [
      'an error of MongoDB',
      Object.assign(new Error(SECRET), { name: 'MongoServerError', code: 112 }),
      'MongoServerError 112',
    ],
    ['an error of the network', Object.assign(new Error(SECRET), { code: 'ECONNREFUSED' }), 'Error ECONNREFUSED'],
    ['a name and a code that are strings', Object.assign(new Error(SECRET), { name: SECRET, code: SECRET }), 'unknown'],
    ['a very long name', Object.assign(new Error(), { name: 'x'.repeat(41) }), 'unknown'],
    ['something that is not an error', SECRET, 'unknown'],
    ['nothing', undefined, 'unknown'],
  ])('names the kind of %s without any part of its message', (_what, error, kind) => {
    expect(errorKind(error)).toBe(kind);
  });
});

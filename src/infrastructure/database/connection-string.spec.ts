import { describe, expect, it } from '@jest/globals';
import { ConfigurationError } from '../config/environment.js';
import { requireConnectionString } from './connection-string.js';

const problemOf = (uri: string): unknown => {
  try {
    requireConnectionString(uri);
    return null;
  } catch (error) {
    return error;
  }
};

describe('a connection string', () => {
  it.each([
    ['no host', 'mongodb://'],
    ['an @ in its password', 'mongodb://shop:hunt@er2@db.example.com/shop'],
    ['a slash in its password', 'mongodb://shop:hunt/er2@db.example.com/shop'],
    ['a port that is no number', 'mongodb://shop:hunter2@db.example.com:hunter2/shop'],
    ['an unknown option', 'mongodb://shop:hunter2@db.example.com/shop?hunter2=hunter2'],
  ])('rejects a connection string with %s, in a sentence that has no part of it', (_, uri) => {
    const error = problemOf(uri) as Error;
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toMatch(/^MONGODB_URI is not a MongoDB connection string/);
    expect(error.message).not.toMatch(/hunt|er2|example/);
    expect(error.cause).toBeUndefined();
  });

  it.each([
    'mongodb://shop:p%40ss@a.example.com:27017,b.example.com:27017/shop?replicaSet=rs0&tls=true',
    'mongodb+srv://cluster.example.com/shop',
    'mongodb://%2Ftmp%2Fmongodb.sock/shop',
  ])('accepts the connection string %s', (uri) => {
    expect(problemOf(uri)).toBeNull();
  });
});

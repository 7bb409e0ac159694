import { describe, expect, it } from '@jest/globals';
import mongoose from 'mongoose';
import { ConfigurationError } from '../config/environment.js';
import { whenConnected } from './when-connected.js';

const reasonOf = async (uri: string): Promise<unknown> => {
  const connection = mongoose.createConnection(uri, { serverSelectionTimeoutMS: 1 });
  return whenConnected(connection).catch((error: unknown) => error);
};

describe('whenConnected', () => {
  it.each([
    ['a server', 'mongodb://shop:hunter2@127.0.0.1:1/shop', '127.0.0.1:1'],
    ['a replica set', 'mongodb://shop:hunter2@127.0.0.1:1,127.0.0.1:2/shop', '127.0.0.1:1, 127.0.0.1:2'],
    ['an SRV record', 'mongodb+srv://shop:hunter2@cluster.invalid/shop', 'cluster.invalid'],
  ])(
    'rejects with the host and the reason, and without the password, when %s cannot be reached',
    async (_, uri, host) => {
      const error = (await reasonOf(uri)) as Error;
      expect(error).toBeInstanceOf(ConfigurationError);
      expect(error.message).toMatch(new RegExp(`^MONGODB_URI: ${host} cannot be reached \\(.+\\)$`));
      expect(error.message).not.toContain('hunter2');
    },
  );
});

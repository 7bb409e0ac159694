import { randomUUID } from 'node:crypto';

/** A connection string for a database that no other spec uses. Its name says that it may be dropped. */
export function testDatabaseUri(): string {
  const server = process.env['TEST_MONGODB_URI'];
  if (server === undefined) throw new Error('TEST_MONGODB_URI is missing: the global setup did not run');
  const match = /^(mongodb(?:\+srv)?:\/\/[^/?]+)\/?[^?]*(\?.*)?$/.exec(server);
  if (match === null) throw new Error('TEST_MONGODB_URI is not a connection string');
  return `${match[1] ?? ''}/test-${randomUUID().slice(0, 13)}${match[2] ?? ''}`;
}

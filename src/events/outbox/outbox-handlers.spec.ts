import { describe, expect, it } from '@jest/globals';
import { type OutboxHandler, OutboxHandlers } from './outbox-handlers.js';

describe('OutboxHandlers', () => {
  const handler: OutboxHandler = { send: () => Promise.resolve(), retryAfter: () => null };

  it('accepts one handler for each topic', () => {
    const handlers = new OutboxHandlers();
    handlers.register('shop-event', handler);
    expect(handlers.find('shop-event')).toBe(handler);
    expect(handlers.find('email')).toBeUndefined();
    expect(() => handlers.register('shop-event', handler)).toThrow('shop-event cannot be registered');
  });

  it.each(['', 'two words', 'UPPER'])('rejects the topic "%s": the name of a lane begins with its topic', (topic) => {
    expect(() => new OutboxHandlers().register(topic, handler)).toThrow('cannot be registered');
  });
});

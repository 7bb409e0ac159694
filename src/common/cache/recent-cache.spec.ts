import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RecentCache } from './recent-cache.js';

describe('RecentCache', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: 0 });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('remembers a value for its lifetime, and no longer', () => {
    const cache = new RecentCache<string>(1_000);
    cache.put('a', 'A');
    jest.setSystemTime(1_000);
    expect(cache.get('a')).toBe('A');
    jest.setSystemTime(1_001);
    expect(cache.get('a')).toBeUndefined();
    expect(cache.get('b')).toBeUndefined();
  });

  it('replaces, and forgets what is not there any more', () => {
    const cache = new RecentCache<string>(1_000);
    cache.put('a', 'A');
    cache.put('a', 'B');
    expect(cache.get('a')).toBe('B');
    cache.put('a', null);
    expect(cache.get('a')).toBeUndefined();
  });

  it('holds 1,000 values, the oldest of which goes first', () => {
    const cache = new RecentCache<number>(1_000);
    for (let index = 0; index < 1_000; index++) cache.put(String(index), index);
    cache.put('0', 0);
    cache.put('one more', 1);
    expect([cache.get('0'), cache.get('1'), cache.get('2'), cache.get('one more')]).toEqual([0, undefined, 2, 1]);
  });
});

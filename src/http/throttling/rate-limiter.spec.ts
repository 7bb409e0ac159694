import { describe, expect, it } from '@jest/globals';
import { type Response } from 'express';
import { LIMITS } from '../../domain/limits/limits.js';
import { RateLimiter } from './rate-limiter.js';
import { WindowStorage } from './window-storage.js';

interface Headers {
  readonly response: Response;
  readonly sent: Record<string, string[]>;
}

function aResponse(): Headers {
  const sent: Record<string, string[]> = {};
  const append = (name: string, value: string): void => void (sent[name] ??= []).push(value);
  return { sent, response: { append } as unknown as Response };
}

const limiter = (factor = 1): RateLimiter => new RateLimiter(new WindowStorage(), factor);

describe('RateLimiter', () => {
  it('reports the policy and the remaining requests, and rejects further ones with a Retry-After', async () => {
    const limits = limiter();
    const left = [];
    for (let times = 0; times < LIMITS.loginAccount.quota; times++) {
      const { sent, response } = aResponse();
      await limits.consume('loginAccount', 'robin@example.com', response);
      expect(sent['RateLimit-Policy']).toEqual(['"loginAccount";q=5;w=900']);
      left.push(/^"loginAccount";r=(\d+);t=[1-9]\d*$/.exec(sent['RateLimit']?.[0] ?? '')?.[1]);
    }
    expect(left).toEqual(['4', '3', '2', '1', '0']);
    const { sent, response } = aResponse();
    await expect(limits.consume('loginAccount', 'robin@example.com', response)).rejects.toMatchObject({
      code: 'rate_limited',
      headers: { 'Retry-After': expect.stringMatching(/^[1-9]\d*$/) },
    });
    expect(sent['RateLimit']).toEqual([expect.stringMatching(/^"loginAccount";r=0;t=[1-9]\d*$/)]);
  });

  it('reports two limits where two limits count one request', async () => {
    const limits = limiter();
    const { sent, response } = aResponse();
    await limits.consume('apiKey', 'key:1', response);
    await limits.consume('discountValidation', 'key:1', response);
    expect(sent['RateLimit-Policy']).toEqual(['"apiKey";q=600;w=60', '"discountValidation";q=120;w=60']);
  });

  it('reports without an error, where a caller wants to know it, that a limit is reached', async () => {
    const limits = limiter(0.001);
    const both = [await limits.tryConsume('apiKey', 'one'), await limits.tryConsume('apiKey', 'one')];
    expect(both).toEqual([true, false]);
  });

  it('counts each limit and each subject separately', async () => {
    const limits = limiter(0.001);
    await limits.consume('apiKey', 'one');
    await limits.consume('apiKey', 'two');
    await limits.consume('user', 'one');
    await expect(limits.consume('apiKey', 'one')).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('counts the addresses of one IPv6 network as one, and callers without an address as one', async () => {
    const limits = limiter(0.001);
    await limits.consume('anonymous', '2001:db8:1:2:3:4:5:6');
    await expect(limits.consume('anonymous', '2001:db8:1:2:ffff::1')).rejects.toMatchObject({ code: 'rate_limited' });
    await limits.consume('anonymous', '2001:db8:1:3::1');
    await limits.consume('anonymous', undefined);
    await expect(limits.consume('anonymous', undefined)).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it.each([
    [1000, 5000],
    [2, 10],
    [1, 5],
    [0.5, 3],
    [0.01, 1],
  ])('multiplies quotas by %d, down to one: 5 becomes %d', async (factor, quota) => {
    const { sent, response } = aResponse();
    await limiter(factor).consume('loginAccount', 'robin', response);
    expect(sent['RateLimit-Policy']).toEqual([`"loginAccount";q=${quota};w=900`]);
  });

  it('gives the storage a hash instead of the subject, which may be an IP address or an email address', async () => {
    const keys: string[] = [];
    const storage = new WindowStorage();
    const noting = {
      increment: (key: string, ttl: number, limit: number) => {
        keys.push(key);
        return storage.increment(key, ttl, limit);
      },
      countsIn: () => storage.countsIn(),
    };
    await new RateLimiter(noting, 1).consume('loginAccount', 'robin@example.com');
    expect(keys).toEqual([expect.stringMatching(/^[A-Za-z0-9_-]{43}$/)]);
  });
});

describe('the limits', () => {
  it('applies the published limits', () => {
    expect(LIMITS).toMatchObject({
      anonymous: { quota: 120, windowSeconds: 60 },
      apiKey: { quota: 600, windowSeconds: 60 },
      user: { quota: 300, windowSeconds: 60 },
      login: { quota: 30, windowSeconds: 900 },
      loginAccount: { quota: 5, windowSeconds: 900, failClosed: true },
      loginAccountTotal: { quota: 50, windowSeconds: 3600, failClosed: true },
      secondFactor: { quota: 5, windowSeconds: 900, failClosed: true },
      passwordCheck: { quota: 10, windowSeconds: 900, failClosed: true },
      passwordResetAccount: { quota: 3, windowSeconds: 3600, failClosed: true },
      discountValidation: { quota: 120, windowSeconds: 60 },
      publicStatus: { quota: 60, windowSeconds: 60 },
      webhook: { quota: 600, windowSeconds: 60 },
      failedWebhook: { quota: 30, windowSeconds: 60 },
    });
  });

  it('rejects requests while Redis is out of reach where passwords and codes could be guessed', () => {
    const closed = Object.entries(LIMITS).filter(([, limit]) => 'failClosed' in limit);
    expect(closed.map(([name]) => name)).toEqual([
      'login',
      'loginAccount',
      'loginAccountTotal',
      'secondFactor',
      'passwordCheck',
      'passwordResetAccount',
      'addressProof',
      'verificationCode',
    ]);
  });
});

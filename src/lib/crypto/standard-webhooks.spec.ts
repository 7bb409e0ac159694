import { describe, expect, it } from '@jest/globals';
import { makeSigningSecret, SIGNING_SECRET, standardSignature } from './standard-webhooks.js';

describe('standardSignature', () => {
  it('signs the example of the reference library as the library does', () => {
    const parts = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: '1614265330', body: '{"test": 2432232314}' };
    const expected = 'g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
    expect(standardSignature(parts, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')).toBe(expected);
    const body = Buffer.from(parts.body);
    expect(standardSignature({ ...parts, body }, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')).toBe(expected);
  });

  it.each(['', 'whsec_'])('refuses to sign with the empty secret %j', (secret) => {
    expect(() => standardSignature({ id: 'a', timestamp: '1', body: '' }, secret)).toThrow(
      'a signing secret is missing',
    );
  });
});

it('generates a different signing secret each time, in the form of the specification', () => {
  const secret = makeSigningSecret();
  expect(secret).toMatch(SIGNING_SECRET);
  expect(makeSigningSecret()).not.toBe(secret);
});

import { describe, expect, it } from '@jest/globals';
import { sha256 } from '../../platform/crypto/keyed-hash.js';
import { makeWebhookSecret, opensWebhook } from './webhook-secret.js';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const live = {
  secretHash: sha256('current'),
  previousSecretHash: sha256('previous'),
  previousSecretUntil: new Date('2026-11-21T12:00:00.001Z'),
};

describe('The path secret of a webhook', () => {
  it('generates a path secret of 256 bits in 43 path characters, and stores its hash', () => {
    const { secret, hash } = makeWebhookSecret();
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(hash).toBe(sha256(secret));
    expect(makeWebhookSecret().secret).not.toBe(secret);
  });

  it('accepts the current secret and, until its end, the previous one', () => {
    expect(opensWebhook('current', live, NOW)).toBe(true);
    expect(opensWebhook('previous', live, NOW)).toBe(true);
    expect(opensWebhook('previous', live, live.previousSecretUntil)).toBe(false);
    expect(opensWebhook('current', live, live.previousSecretUntil)).toBe(true);
  });

  it.each(['', 'other', 'Current', 'current ', live.secretHash, live.previousSecretHash])(
    'rejects the path secret %j',
    (secret) => {
      expect(opensWebhook(secret, live, NOW)).toBe(false);
    },
  );

  it('rejects every secret for a webhook that does not exist', () => {
    expect(opensWebhook('current', null, NOW)).toBe(false);
    expect(opensWebhook('', null, NOW)).toBe(false);
    const never = { secretHash: sha256('current'), previousSecretHash: null, previousSecretUntil: NOW };
    expect(opensWebhook('', never, new Date(0))).toBe(false);
  });
});

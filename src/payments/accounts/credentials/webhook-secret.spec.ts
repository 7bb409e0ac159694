import { describe, expect, it } from '@jest/globals';
import { sha256 } from '../../../lib/crypto/keyed-hash.js';
import {
  type LiveSecrets,
  makeWebhookSecret,
  matchSecret,
  MAX_FORMER_SECRETS,
  rotatedSecrets,
} from './webhook-secret.js';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const live = {
  secretHash: sha256('current'),
  previousSecretUntil: new Date('2026-11-21T12:00:00.001Z'),
  formerSecretHashes: [sha256('first'), sha256('previous')],
};

describe('The path secret of a webhook', () => {
  it('generates a path secret of 256 bits in 43 path characters, and stores its hash', () => {
    const { secret, hash } = makeWebhookSecret();
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(hash).toBe(sha256(secret));
    expect(makeWebhookSecret().secret).not.toBe(secret);
  });

  it('accepts the current secret and, until its end, the previous one', () => {
    expect(matchSecret('current', live, NOW)).toBe('live');
    expect(matchSecret('previous', live, NOW)).toBe('live');
    expect(matchSecret('previous', live, live.previousSecretUntil)).toBe('former');
    expect(matchSecret('current', live, live.previousSecretUntil)).toBe('live');
  });

  it('recognises the secrets before the last rotations, as many as it remembers', () => {
    const names = Array.from({ length: MAX_FORMER_SECRETS }, (_, index) => `secret ${index}`);
    const start = { ...live, secretHash: sha256('forgotten'), formerSecretHashes: [] };
    const rotated = [...names, 'current'].reduce<LiveSecrets>(
      (before, name) => rotatedSecrets(before, sha256(name), NOW),
      start,
    );
    expect(matchSecret('forgotten', rotated, NOW)).toBe('wrong');
    expect(matchSecret('current', rotated, NOW)).toBe('live');
    expect(names.map((name) => matchSecret(name, rotated, NOW))).toEqual(names.map(() => 'former'));
    expect(matchSecret('first', live, NOW)).toBe('former');
  });

  it.each(['', 'other', 'Current', 'current ', live.secretHash, ...live.formerSecretHashes])(
    'rejects the path secret %j',
    (secret) => {
      expect(matchSecret(secret, live, NOW)).toBe('wrong');
    },
  );

  it('rejects every secret for a webhook that does not exist', () => {
    expect(matchSecret('current', null, NOW)).toBe('wrong');
    expect(matchSecret('', null, NOW)).toBe('wrong');
    const none = { previousSecretUntil: NOW, formerSecretHashes: [] };
    const never = { secretHash: sha256('current'), ...none };
    expect(matchSecret('', never, new Date(0))).toBe('wrong');
  });
});

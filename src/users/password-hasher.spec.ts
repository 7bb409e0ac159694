import { describe, expect, it } from '@jest/globals';
import { PasswordHasher } from './password-hasher.js';

const PASSWORD = 'correct horse battery';

describe('PasswordHasher', () => {
  const hasher = new PasswordHasher();

  it('makes argon2id hashes with the figures of OWASP, each with its own salt', async () => {
    const [one, two] = await Promise.all([hasher.hash(PASSWORD), hasher.hash(PASSWORD)]);
    for (const hash of [one, two]) expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(two);
    expect(one).not.toContain(PASSWORD);
  });

  it('knows the password again, and no other', async () => {
    const hash = await hasher.hash(PASSWORD);
    expect(await hasher.verify(hash, PASSWORD)).toBe(true);
    for (const other of ['', PASSWORD.toUpperCase(), ` ${PASSWORD}`, `${PASSWORD}\u0000`]) {
      expect(await hasher.verify(hash, other)).toBe(false);
    }
  });

  it('tells passwords apart to their last character: nothing is cut off', async () => {
    const hash = await hasher.hash(`${'x'.repeat(127)}a`);
    expect(await hasher.verify(hash, `${'x'.repeat(127)}b`)).toBe(false);
  });

  it('says no without a hash, whatever the password: also to the one behind its dummy', async () => {
    expect(await hasher.verify(null, PASSWORD)).toBe(false);
    expect(await hasher.verify(null, 'nobody has this password')).toBe(false);
  });

  it('computes a hash for an unknown person too: both cases wait in the same line', async () => {
    await hasher.verify(null, 'makes the dummy');
    const results = await Promise.allSettled(Array.from({ length: 106 }, () => hasher.verify(null, PASSWORD)));
    expect(results.filter((result) => result.status === 'rejected')).toHaveLength(2);
  });

  it('refuses with 503 what would wait behind a hundred others, and lets the rest finish', async () => {
    const attempts = Array.from({ length: 106 }, () => hasher.hash(PASSWORD));
    const results = await Promise.allSettled(attempts);
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(2);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'service_unavailable' });
    expect(await hasher.verify(await hasher.hash(PASSWORD), PASSWORD)).toBe(true);
  });
});

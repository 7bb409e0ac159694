import { describe, expect, it, jest } from '@jest/globals';
import { Semaphore } from '../common/concurrency/semaphore.js';
import { NOBODYS_HASH, PasswordHasher } from './password-hasher.js';

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

  it('says no without a hash, whatever the password', async () => {
    expect(await hasher.verify(null, PASSWORD)).toBe(false);
    expect(await hasher.verify(null, '')).toBe(false);
  });

  it('compares for nobody with a hash of the same figures, as long as any other', async () => {
    const shape = /^(\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+)\$([\w+/]+)\$([\w+/]+)$/;
    const [, figures, salt, tag] = shape.exec(await hasher.hash(PASSWORD)) ?? [];
    const [, dummyFigures, dummySalt, dummyTag] = shape.exec(NOBODYS_HASH) ?? [];
    expect(dummyFigures).toBe(figures);
    expect([dummySalt?.length, dummyTag?.length]).toEqual([salt?.length, tag?.length]);
  });

  it('computes one hash for an unknown person as for a known one, also at the first login of a process', async () => {
    const passwordHash = await hasher.hash(PASSWORD);
    const computed = jest.spyOn(Semaphore.prototype, 'run');
    for (const [times, hash] of [null, passwordHash].entries()) {
      await new PasswordHasher().verify(hash, PASSWORD);
      expect(computed).toHaveBeenCalledTimes(times + 1);
    }
    computed.mockRestore();
  });

  it('lets an unknown person wait in the same line, also as the very first', async () => {
    const fresh = new PasswordHasher();
    const results = await Promise.allSettled(Array.from({ length: 106 }, () => fresh.verify(null, PASSWORD)));
    expect(results.filter((result) => result.status === 'rejected')).toHaveLength(2);
  });

  it('remembers no refusal: after a flood an unknown person is told no again, not 503', async () => {
    const fresh = new PasswordHasher();
    const flood = Promise.allSettled(Array.from({ length: 104 }, () => fresh.hash(PASSWORD)));
    await expect(fresh.verify(null, PASSWORD)).rejects.toMatchObject({ code: 'service_unavailable' });
    await flood;
    expect(await fresh.verify(null, PASSWORD)).toBe(false);
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

import { describe, expect, it, jest } from '@jest/globals';
import { Semaphore } from '../../lib/concurrency/semaphore.js';
import { type AppConfig } from '../../infrastructure/config/app-config.js';
import { PasswordHasher } from './password-hasher.js';

const PASSWORD = 'correct horse battery';
const hasherWith = (memoryKib: number, passes: number): PasswordHasher =>
  new PasswordHasher({ passwordCost: { memoryKib, passes } } as AppConfig);
/** Where the cost does not matter. */
const cheapHasher = (): PasswordHasher => hasherWith(8, 1);

describe('PasswordHasher', () => {
  const hasher = cheapHasher();

  it('creates argon2id hashes with the configured cost, each with its own salt', async () => {
    const costly = hasherWith(19_456, 2);
    const [one, two] = await Promise.all([costly.hash(PASSWORD), costly.hash(PASSWORD)]);
    for (const hash of [one, two]) expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(two);
    expect(one).not.toContain(PASSWORD);
  });

  it('accepts the password, and no other', async () => {
    const hash = await hasher.hash(PASSWORD);
    expect(await hasher.verify(hash, PASSWORD)).toBe(true);
    for (const other of ['', PASSWORD.toUpperCase(), ` ${PASSWORD}`, `${PASSWORD}\u0000`]) {
      expect(await hasher.verify(hash, other)).toBe(false);
    }
  });

  it('accepts the password from a keyboard that writes the same letters in another way', async () => {
    const hash = await hasher.hash('Jos\u00e9 ﬁnds １２３');
    expect(await hasher.verify(hash, 'Jose\u0301 finds 123')).toBe(true);
    expect(await hasher.verify(hash, 'Jose finds 123')).toBe(false);
  });

  it('compares passwords to their last character: nothing is cut off', async () => {
    const hash = await hasher.hash(`${'x'.repeat(127)}a`);
    expect(await hasher.verify(hash, `${'x'.repeat(127)}b`)).toBe(false);
  });

  it('returns false for every password without a hash', async () => {
    expect(await hasher.verify(null, PASSWORD)).toBe(false);
    expect(await hasher.verify(null, '')).toBe(false);
  });

  it('compares for an unknown person with a hash of the same parameters, which takes the same time', async () => {
    const shape = /^(\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+)\$([\w+/]+)\$([\w+/]+)$/;
    const [, figures, salt, tag] = shape.exec(await hasher.hash(PASSWORD)) ?? [];
    const [, dummyFigures, dummySalt, dummyTag] = shape.exec(hasher.dummyHash) ?? [];
    expect(dummyFigures).toBe(figures);
    expect([dummySalt?.length, dummyTag?.length]).toEqual([salt?.length, tag?.length]);
  });

  it('computes one hash for an unknown person and for a known one, also at the first login of a process', async () => {
    const passwordHash = await hasher.hash(PASSWORD);
    const computed = jest.spyOn(Semaphore.prototype, 'run');
    for (const [times, hash] of [null, passwordHash].entries()) {
      await cheapHasher().verify(hash, PASSWORD);
      expect(computed).toHaveBeenCalledTimes(times + 1);
    }
    computed.mockRestore();
  });

  it('puts an unknown person into the same queue, also as the first caller', async () => {
    const fresh = cheapHasher();
    const results = await Promise.allSettled(Array.from({ length: 106 }, () => fresh.verify(null, PASSWORD)));
    expect(results.filter((result) => result.status === 'rejected')).toHaveLength(2);
  });

  it('works again after a flood: an unknown person gets false, not 503', async () => {
    const fresh = cheapHasher();
    const flood = Promise.allSettled(Array.from({ length: 104 }, () => fresh.hash(PASSWORD)));
    await expect(fresh.verify(null, PASSWORD)).rejects.toMatchObject({ code: 'service_unavailable' });
    await flood;
    expect(await fresh.verify(null, PASSWORD)).toBe(false);
  });

  it('rejects with 503 a call when a hundred others wait, and finishes all others', async () => {
    const attempts = Array.from({ length: 106 }, () => hasher.hash(PASSWORD));
    const results = await Promise.allSettled(attempts);
    const rejected = results.filter((result) => result.status === 'rejected');
    expect(rejected).toHaveLength(2);
    for (const { reason } of rejected) expect(reason).toMatchObject({ code: 'service_unavailable' });
    expect(await hasher.verify(await hasher.hash(PASSWORD), PASSWORD)).toBe(true);
  });
});

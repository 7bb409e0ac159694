import { describe, expect, it } from '@jest/globals';
import { anyMatches, instantOfSeconds, type PresentedSignature, requireAuthentic } from './signatures.js';

const NOW = new Date('2026-11-21T12:00:00.000Z');

describe('instantOfSeconds', () => {
  const seconds = String(NOW.getTime() / 1000);

  it('accepts seconds since the epoch, and no other notation of the same time', () => {
    expect(instantOfSeconds(seconds)).toEqual(NOW);
    for (const text of [` ${seconds}`, `${seconds} `, `+${seconds}`, `0${seconds}`, `${seconds}.0`]) {
      expect(instantOfSeconds(text)).toBeNull();
    }
  });
});

describe('requireAuthentic', () => {
  const check = (fields: Partial<PresentedSignature> & { readonly offset?: number }): void => {
    const { offset = 0, ...signature } = fields;
    const sentAt = new Date(NOW.getTime() + offset * 1000);
    requireAuthentic({ header: 'webhook-signature', isPresent: true, matches: true, sentAt, ...signature }, NOW);
  };

  it.each([0, 300, -300])('accepts a signature whose time differs by %i seconds', (offset) => {
    check({ offset });
  });

  it.each<[Parameters<typeof check>[0], string]>([
    [{ isPresent: false, matches: false }, 'it has no header webhook-signature'],
    [
      { matches: false, offset: -400 },
      'the signature in webhook-signature does not match the body: check the signing secret, and sign the bytes that are sent',
    ],
    [{ sentAt: null }, 'its timestamp does not have the form that the provider sends'],
    [
      { offset: -301 },
      'its timestamp is 301 seconds old, and 300 are allowed: check the clocks, and sign each repetition again',
    ],
    [
      { offset: 4_000 },
      'its timestamp is 4000 seconds in the future, and 300 are allowed: check the clocks, and sign each repetition again',
    ],
  ])('says why it rejects %j', (fields, reason) => {
    const message = `The webhook request was rejected: ${reason}`;
    expect(() => {
      check(fields);
    }).toThrow(expect.objectContaining({ code: 'webhook_rejected', message }));
  });
});

describe('anyMatches', () => {
  const others = (count: number): string[] => Array<string>(count).fill('other');

  it('finds the expected signature among at most 16', () => {
    expect(anyMatches('right', [...others(15), 'right'])).toBe(true);
    expect(anyMatches('right', [...others(16), 'right'])).toBe(false);
    expect(anyMatches('right', others(16))).toBe(false);
  });
});

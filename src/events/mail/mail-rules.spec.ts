import { describe, expect, it } from '@jest/globals';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../lib/time/durations.js';
import { retryAfter, senderOf } from './mail-rules.js';

describe('retryAfter', () => {
  const refused = Object.assign(new Error(), { code: 'ECONNREFUSED' });

  it('returns longer and longer waits of at most an hour for three days, and then null', () => {
    const waits = Array.from({ length: 77 }, (_, index) => retryAfter(index + 1, refused));
    expect(waits.slice(0, 2)).toEqual([10 * SECOND_MS, MINUTE_MS]);
    expect(waits.at(-1)).toBeNull();
    const times = waits.slice(0, -1).map(Number);
    expect(times).toEqual(times.toSorted((left, right) => left - right));
    expect(times.at(-1)).toBe(HOUR_MS);
    const total = times.reduce((sum, ms) => sum + ms, 0);
    expect(total / DAY_MS).toBeCloseTo(3, 1);
  });

  it.each([
    ['an address that does not exist', { code: 'EENVELOPE', responseCode: 550, command: 'RCPT TO' }, null],
    [
      'a sender that is not accepted: the settings of the service or of its mail account are wrong',
      { code: 'EENVELOPE', responseCode: 550, command: 'MAIL FROM' },
      10 * SECOND_MS,
    ],
    ['an email that is not accepted', { code: 'EMESSAGE', responseCode: 554 }, null],
    ['a mailbox that is full now', { code: 'EENVELOPE', responseCode: 452 }, 10 * SECOND_MS],
    [
      'a login that failed: the settings of the service are wrong',
      { code: 'EAUTH', responseCode: 535 },
      10 * SECOND_MS,
    ],
    ['a server that cannot be reached', { code: 'ECONNECTION' }, 10 * SECOND_MS],
    ['an error without a code', {}, 10 * SECOND_MS],
  ])('decides whether an email is set aside or retried after %s', (_, fields, waitMs) => {
    expect(retryAfter(1, Object.assign(new Error(), fields))).toBe(waitMs);
  });
});

it.each([
  ['Shop <no-reply@example.com>', 'Shop', 'no-reply@example.com'],
  ['"My Shop, Inc." <a@example.com> ', 'My Shop, Inc.', 'a@example.com'],
  ['a@example.com', '', 'a@example.com'],
  ['<a@example.com>', '', 'a@example.com'],
])('reads a name and an address from the sender %s', (from, name, address) => {
  expect(senderOf(from)).toEqual({ name, address });
});

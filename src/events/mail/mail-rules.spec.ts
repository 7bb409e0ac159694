import { describe, expect, it } from '@jest/globals';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../lib/time/durations.js';
import { EmailRefusedError } from './email-refused-error.js';
import { isFinal, refusalOf, retryAfter, senderOf } from './mail-rules.js';

const refused = Object.assign(new Error(), { code: 'ECONNREFUSED' });

describe('retryAfter', () => {
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

  it('returns null at once after a final refusal, and the usual wait after another one', () => {
    expect([true, false].map((isLast) => retryAfter(1, new EmailRefusedError(refused, isLast)))).toEqual([
      null,
      10 * SECOND_MS,
    ]);
  });
});

describe('refusalOf', () => {
  it.each([
    ['RCPT TO', '550 5.1.1 no such user', 'mailbox'],
    ['RCPT TO', '550-5.1.1 The account that you tried to reach\n550 5.1.1 does not exist', 'mailbox'],
    ['RCPT TO', '550 #5.1.0 Address rejected', 'mailbox'],
    ['DATA', '550 5.1.10 RESOLVER.ADR.RecipientNotFound', 'mailbox'],
    ['RCPT TO', '550 5.2.1 disabled', 'mailbox'],
    ['RCPT TO', '552 5.2.2 over quota', 'mailbox'],
    ['RCPT TO', '553 5.6.7 not in ASCII', 'mailbox'],
    ['RCPT TO', '550 nobody here', 'unclear'],
    ['DATA', '550 Daily limit exceeded', 'account'],
    ['RCPT TO', '551 not local', 'account'],
    ['DATA', '552 5.2.3 too large', 'account'],
    ['RCPT TO', '554 relay denied', 'account'],
    ['RCPT TO', '550 5.4.5 daily limit', 'account'],
    ['DATA', '554 Message rejected: Email address is not verified', 'account'],
    ['RCPT TO', '501 5.1.7 bad sender', 'account'],
    ['DATA', '550 5.1.8 bad outbound sender', 'account'],
    ['RCPT TO', '553 5.7.1 sender not owned by user', 'policy'],
    ['DATA', '550 5.7.26 not authenticated', 'policy'],
    ['RCPT TO', '530 5.7.0 log in first', 'account'],
    ['DATA', '530 log in first', 'account'],
    ['MAIL FROM', '550 5.1.1 who are you', 'account'],
    ['AUTH PLAIN', '535 5.7.8 wrong password', 'account'],
    ['CONN', '554 5.7.1 your address is blocked', 'account'],
    ['RCPT TO', '452 4.2.2 over quota', null],
  ])('returns what a refusal of %s with %j is about', (command, response, refusal) => {
    expect(refusalOf({ command, response, responseCode: Number(response.slice(0, 3)) })).toBe(refusal);
  });

  it('returns null for an error without a response of the server', () => {
    expect(refusalOf(refused)).toBeNull();
  });
});

it.each([
  ['mailbox', false, 0, true],
  ['unclear', false, 3 * DAY_MS, false],
  ['unclear', true, 0, true],
  ['policy', true, DAY_MS - 1, false],
  ['policy', true, DAY_MS, true],
  ['policy', false, DAY_MS, false],
  ['account', true, 3 * DAY_MS, false],
] as const)(
  'decides whether a refusal (%s; others are accepted: %s; after %d ms) is final',
  (refusal, isAccepting, ageMs, final) => {
    expect(isFinal(refusal, { isAccepting, ageMs })).toBe(final);
  },
);

it.each([
  ['Shop <no-reply@example.com>', 'Shop', 'no-reply@example.com'],
  ['"My Shop, Inc." <a@example.com> ', 'My Shop, Inc.', 'a@example.com'],
  ['a@example.com', '', 'a@example.com'],
  ['<a@example.com>', '', 'a@example.com'],
])('reads a name and an address from the sender %s', (from, name, address) => {
  expect(senderOf(from)).toEqual({ name, address });
});

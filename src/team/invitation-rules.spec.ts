import { describe, expect, it } from '@jest/globals';
import { mailboxOf } from './invitation-rules.js';

describe('the mailbox behind an address', () => {
  it.each([
    ['robin@example.com', 'robin@example.com'],
    ['robin+shops@example.com', 'robin@example.com'],
    ['robin+a+b@example.com', 'robin@example.com'],
    ['+@example.com', '@example.com'],
    ['r.obin@ex+ample.com', 'r.obin@ex+ample.com'],
  ])('of %s is %s', (email, mailbox) => {
    expect(mailboxOf(email)).toBe(mailbox);
  });
});

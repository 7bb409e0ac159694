import { expect, it } from '@jest/globals';
import { HOUR_MS, MINUTE_MS } from '../../lib/time/durations.js';
import { type MailboxCount, withEmail } from './mailbox-count-rules.js';

const NOW = new Date('2026-11-23T12:00:00.000Z');
const MAILBOX = { id: 'a hash', limit: 'shopEmails', quota: 2, windowMs: HOUR_MS } as const;
const ago = (ms: number): Date => new Date(NOW.getTime() - ms);
const count = (...sentAt: Date[]): MailboxCount => ({
  ...{ id: 'a hash', limit: 'shopEmails', sentAt, withheld: 3, withheldAt: null, forgetAt: NOW },
});

it.each<[what: string, before: MailboxCount | null, hasRoom: boolean, sentAt: Date[]]>([
  ['the first one', null, true, [NOW]],
  ['one below the quota', count(ago(MINUTE_MS)), true, [ago(MINUTE_MS), NOW]],
  ['none at the quota', count(ago(HOUR_MS - 1), ago(1)), false, [ago(HOUR_MS - 1), ago(1)]],
  ['one whose oldest is as old as the window', count(ago(HOUR_MS), ago(1)), true, [ago(1), NOW]],
])('counts %s', (_, before, hasRoom, sentAt) => {
  const withheld = before?.withheld ?? 0;
  expect(withEmail(before, MAILBOX, NOW)).toEqual({
    hasRoom,
    after: {
      ...{ id: 'a hash', limit: 'shopEmails', sentAt, forgetAt: new Date(NOW.getTime() + HOUR_MS) },
      ...(hasRoom ? { withheld, withheldAt: null } : { withheld: withheld + 1, withheldAt: NOW }),
    },
  });
});

import { beforeEach, expect, it } from '@jest/globals';
import { OTHER_SHOP, SHOP } from '../../../test/support/contexts.js';
import { EMAILED_SHOP, TRANSACTION } from '../../../test/support/fakes.js';
import { type AppConfig } from '../../infrastructure/config/app-config.js';
import { HOUR_MS } from '../../lib/time/durations.js';
import { type EmailCause, shopEmail } from './email.types.js';
import { type MailboxCount } from './mailbox-count-rules.js';
import { type MailboxCountsRepository } from './mailbox-counts.repository.js';
import { type CountedEmail, MailboxLimitsService } from './mailbox-limits.service.js';

let stored: Map<string, MailboxCount>;
let calls: string[];
let service: MailboxLimitsService;

beforeEach(() => {
  [stored, calls] = [new Map(), []];
  const counts: Pick<MailboxCountsRepository, 'add' | 'find' | 'save'> = {
    add: ({ id, quota }, now) => {
      calls.push('add');
      const count = stored.get(id);
      if (count === undefined || count.sentAt.length >= quota) return Promise.resolve(false);
      stored.set(id, { ...count, sentAt: [...count.sentAt, now] });
      return Promise.resolve(true);
    },
    find: (ids, transaction) => {
      expect(transaction).toBe(TRANSACTION);
      calls.push('find');
      return Promise.resolve(ids.flatMap((id) => stored.get(id) ?? []));
    },
    save: (counted, transaction) => {
      expect(transaction).toBe(TRANSACTION);
      calls.push('save');
      for (const count of counted) stored.set(count.id, count);
      return Promise.resolve();
    },
  };
  const config = { encryptionKey: Buffer.alloc(32, 1), rateLimitFactor: 2 } as AppConfig;
  service = new MailboxLimitsService(counts as MailboxCountsRepository, config);
});

const email = (cause: EmailCause, to = 'steve@example.com', id = SHOP): CountedEmail => ({
  email: shopEmail(to, { ...EMAILED_SHOP, id }, { subject: '', parts: [] }),
  cause,
});
const take = async (cause: EmailCause, to?: string, id?: string): Promise<boolean> =>
  (await service.take([email(cause, to, id)], TRANSACTION)).length === 1;
const sent = (limit: MailboxCount['limit']): number[] =>
  [...stored.values()].filter((count) => count.limit === limit).map(({ sentAt }) => sentAt.length);

it.each([
  ['anybody', [1], [1]],
  ['shop', [], [1]],
] as const)('counts an email that %s can cause for its limits for an hour', async (cause, strangers, shops) => {
  expect(await take(cause)).toBe(true);
  expect([sent('strangerEmails'), sent('shopEmails')]).toEqual([strangers, shops]);
  for (const { sentAt, forgetAt } of stored.values()) expect(Number(forgetAt) - Number(sentAt[0])).toBe(HOUR_MS);
});

it('withholds the emails of a batch beyond the quota of strangers, counts them for no shop, and needs one read and one write', async () => {
  const emails = Array.from({ length: 12 }, () => email('anybody'));
  expect(await service.take(emails, TRANSACTION)).toEqual(emails.slice(0, 10));
  expect([sent('strangerEmails'), sent('shopEmails')]).toEqual([[10], [10]]);
  expect([...stored.values()].map(({ withheld }) => withheld)).toEqual([2, 0]);
  expect(calls).toEqual(['find', 'save']);
  expect(await take('shop')).toBe(true);
});

it('withholds any email of a shop to a mailbox that has reached the limit of the shop', async () => {
  await service.take(
    Array.from({ length: 200 }, () => email('shop')),
    TRANSACTION,
  );
  expect([await take('shop'), await take('anybody')]).toEqual([false, false]);
  expect(await take('anybody', 'alex@example.com')).toBe(true);
});

it('counts one mailbox in all spellings, over all shops and for each shop, under keyed hashes', async () => {
  await take('anybody');
  await take('anybody', 'Steve+game@EXAMPLE.com', OTHER_SHOP);
  expect([sent('strangerEmails'), sent('shopEmails')]).toEqual([[2], [1, 1]]);
  for (const id of stored.keys()) expect(id).toMatch(/^[0-9a-f]{64}$/);
  await take('anybody', 'alex@example.com');
  expect(sent('strangerEmails')).toEqual([2, 1]);
});

it('needs one write for an email that counts for one limit with room', async () => {
  await take('shop');
  calls = [];
  expect(await take('shop')).toBe(true);
  expect([calls, sent('shopEmails')]).toEqual([['add'], [2]]);
});

it('reads and writes nothing without emails', async () => {
  expect(await service.take([], TRANSACTION)).toEqual([]);
  expect(calls).toEqual([]);
});

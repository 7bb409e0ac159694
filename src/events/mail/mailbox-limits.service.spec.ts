import { beforeEach, expect, it } from '@jest/globals';
import { OTHER_SHOP, SHOP } from '../../../test/support/contexts.js';
import { EMAILED_SHOP, TRANSACTION } from '../../../test/support/fakes.js';
import { type AppConfig } from '../../infrastructure/config/app-config.js';
import { HOUR_MS } from '../../lib/time/durations.js';
import { type EmailCause, shopEmail } from './email.types.js';
import { type CountedMailbox, type MailboxCountsRepository } from './mailbox-counts.repository.js';
import { MailboxLimitsService } from './mailbox-limits.service.js';

let counted: CountedMailbox[];
/** The limit that the mailbox has reached. */
let reached: string | null;
let service: MailboxLimitsService;

beforeEach(() => {
  [counted, reached] = [[], null];
  const counts: Pick<MailboxCountsRepository, 'take'> = {
    take: (mailbox, _now, transaction) => {
      expect(transaction).toBe(TRANSACTION);
      counted.push(mailbox);
      return Promise.resolve(mailbox.limit !== reached);
    },
  };
  const config = { encryptionKey: Buffer.alloc(32, 1), rateLimitFactor: 2 } as AppConfig;
  service = new MailboxLimitsService(counts as MailboxCountsRepository, config);
});

const take = (cause: EmailCause, to = 'steve@example.com', id = SHOP): Promise<boolean> =>
  service.take(shopEmail(to, { ...EMAILED_SHOP, id }, { subject: '', parts: [] }), cause, TRANSACTION);

it.each([
  ['anybody', ['strangerEmails', 'shopEmails']],
  ['shop', ['shopEmails']],
] as const)('counts an email that %s can cause for its limits, with their quotas in an hour', async (cause, limits) => {
  expect(await take(cause)).toBe(true);
  expect(counted.map(({ limit }) => limit)).toEqual(limits);
  const quotas = { strangerEmails: 10, shopEmails: 200 };
  for (const { limit, quota, windowMs } of counted) expect([quota, windowMs]).toEqual([quotas[limit], HOUR_MS]);
});

it('counts an email that is withheld over all shops for no shop', async () => {
  reached = 'strangerEmails';
  expect(await take('anybody')).toBe(false);
  expect(counted).toHaveLength(1);
  expect(await take('shop')).toBe(true);
});

it('withholds any email of a shop to a mailbox that has reached the limit of the shop', async () => {
  reached = 'shopEmails';
  expect([await take('shop'), await take('anybody')]).toEqual([false, false]);
});

it('counts one mailbox in all spellings, over all shops and for each shop, under keyed hashes', async () => {
  await take('anybody');
  await take('anybody', 'Steve+game@EXAMPLE.com', OTHER_SHOP);
  const [stranger, shop, sameStranger, otherShop] = counted.map(({ id }) => id);
  expect(sameStranger).toBe(stranger);
  expect(new Set([stranger, shop, otherShop]).size).toBe(3);
  for (const { id } of counted) expect(id).toMatch(/^[0-9a-f]{64}$/);
  await take('anybody', 'alex@example.com');
  expect(counted[4]?.id).not.toBe(stranger);
});

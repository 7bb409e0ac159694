import { beforeEach, expect, it } from '@jest/globals';
import { SHOP } from '../../../test/support/contexts.js';
import { type Call, EMAILED_SHOP, FakeEmails, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { memberWith, userWith } from '../../../test/support/members.js';
import { type EmailContent, type EmailedShop } from '../../events/mail/email.types.js';
import { type MembershipsService } from '../memberships/memberships.service.js';
import { type Shop } from '../shops/shop.types.js';
import { type ShopsService } from '../shops/shops.service.js';
import { type UsersService } from '../../accounts/users/users.service.js';
import { OwnerEmailsService } from './owner-emails.service.js';
import { type OwnerNoticesRepository } from './owner-notices.repository.js';

const news = ({ displayName }: EmailedShop): EmailContent => ({ subject: `News of ${displayName}`, parts: [] });

let emails: FakeEmails;
let service: OwnerEmailsService;
let calls: Call[];
/** Whether there was no email of the kind in the last hour. */
let isFirst: boolean;

beforeEach(() => {
  [calls, isFirst] = [[], true];
  emails = new FakeEmails();
  service = new OwnerEmailsService(
    recording<ShopsService>([], { getIn: (id) => Promise.resolve({ ...EMAILED_SHOP, id } as Shop) }),
    recording<MembershipsService>([], {
      list: () =>
        Promise.resolve([
          memberWith({ userId: 'one' }),
          memberWith({ userId: 'helper', role: 'admin' }),
          memberWith({ userId: 'two' }),
        ]),
    }),
    recording<UsersService>([], {
      byIds: (ids) => Promise.resolve(new Map(ids.map((id) => [id, userWith({ id, email: `${id}@example.com` })]))),
    }),
    emails.asService,
    recording<OwnerNoticesRepository>(calls, { takeFirst: () => Promise.resolve(isFirst) }),
  );
});

it('sends an email to every owner of the shop, and to nobody else', async () => {
  await service.add(SHOP, news, TRANSACTION);
  expect(emails.sent.map(({ to }) => to)).toEqual(['one@example.com', 'two@example.com']);
  const { subject, language, shop, isAwaited } = emails.sent[0] ?? {};
  const sent = { subject: 'News of Sky Realm', language: 'en', shop: { ...EMAILED_SHOP, id: SHOP }, isAwaited: false };
  expect({ subject, language, shop, isAwaited }).toEqual(sent);
  expect(emails.transactions).toEqual([TRANSACTION]);
});

it.each([
  ['helper', ['one', 'two', 'helper']],
  ['two', ['one', 'two']],
])('sends one email to another person too: %s', async (also, expected) => {
  await service.add(SHOP, news, TRANSACTION, { also });
  expect(emails.sent.map(({ to }) => to)).toEqual(expected.map((name) => `${name}@example.com`));
});

it('lets an email that anybody can cause be sent only when it is the first one of its kind, and takes it in the transaction', async () => {
  const take = (): Promise<boolean> => service.takeFirst(SHOP, 'free_sale', '#1042', TRANSACTION);
  expect(await take()).toBe(true);
  isFirst = false;
  expect(await take()).toBe(false);
  const taken = ['takeFirst', SHOP, 'free_sale', '#1042', expect.any(Date), TRANSACTION];
  expect(calls).toEqual([taken, taken]);
  [isFirst, emails.areOff] = [true, true];
  expect(await take()).toBe(false);
  expect(calls).toHaveLength(2);
});

import { beforeEach, expect, it } from '@jest/globals';
import { SHOP } from '../../test/support/contexts.js';
import { type Call, recording } from '../../test/support/fakes.js';
import { memberWith, userWith } from '../../test/support/members.js';
import { type Email, type MailService } from '../mail/mail.service.js';
import { type MembershipsService } from '../memberships/memberships.service.js';
import { type Shop } from '../shops/shop.types.js';
import { type ShopsService } from '../shops/shops.service.js';
import { type UsersService } from '../users/users.service.js';
import { OwnerEmailsService } from './owner-emails.service.js';

const emailTo = (to: string, shopName: string): Email => ({ to, subject: `News of ${shopName}`, text: '' });

let calls: Call[];
let sent: string[];
let background: Promise<void>[];
let service: OwnerEmailsService;

beforeEach(() => {
  [calls, sent, background] = [[], [], []];
  service = new OwnerEmailsService(
    recording<ShopsService>(calls, { settingsOf: (id) => Promise.resolve({ id, displayName: 'Sky Realm' } as Shop) }),
    recording<MembershipsService>(calls, {
      list: () =>
        Promise.resolve([
          memberWith({ userId: 'one' }),
          memberWith({ userId: 'helper', role: 'admin' }),
          memberWith({ userId: 'two' }),
        ]),
    }),
    recording<UsersService>(calls, {
      byIds: (ids) => Promise.resolve(new Map(ids.map((id) => [id, userWith({ id, email: `${id}@example.com` })]))),
    }),
    recording<MailService>([], {
      post: ({ to, subject }) => void sent.push(`${to}: ${subject}`),
      inBackground: (work) => void background.push(work()),
    }),
  );
});

it('sends an email to every owner of the shop, and to nobody else', async () => {
  service.post(SHOP, emailTo);
  await Promise.all(background);
  expect(calls).toEqual([
    ['settingsOf', SHOP],
    ['list', SHOP],
    ['byIds', ['one', 'two']],
  ]);
  expect(sent).toEqual(['one@example.com: News of Sky Realm', 'two@example.com: News of Sky Realm']);
});

it.each([
  ['helper', ['one', 'two', 'helper']],
  ['two', ['one', 'two']],
])('sends one email to another person too: %s', async (also, expected) => {
  service.post(SHOP, emailTo, also);
  await Promise.all(background);
  expect(sent).toEqual(expected.map((name) => `${name}@example.com: News of Sky Realm`));
});

import { beforeEach, expect, it } from '@jest/globals';
import { SHOP } from '../../test/support/contexts.js';
import { type Call, recording } from '../../test/support/fakes.js';
import { memberWith, userWith } from '../../test/support/members.js';
import { type Email, type MailService } from '../mail/mail.service.js';
import { type MembershipsService } from '../memberships/memberships.service.js';
import { type UsersService } from '../users/users.service.js';
import { domainLostEmail, recordMissingEmail } from './domain-emails.js';
import { DomainNoticesService } from './domain-notices.service.js';

const DOMAIN = {
  shopId: SHOP,
  shopName: 'Sky Realm',
  hostname: 'store.example.com',
  token: 'the-token',
  checkAt: new Date(0),
  misses: 0,
  missingSince: null,
};
const [ONE, TWO] = [
  userWith({ id: 'one', email: 'one@example.com' }),
  userWith({ id: 'two', email: 'two@example.com' }),
];
const RECORD = '_shop-platform.store.example.com\nshop-platform-verification=the-token\n';

let calls: Call[];
let sent: Email[];
let service: DomainNoticesService;

beforeEach(() => {
  [calls, sent] = [[], []];
  service = new DomainNoticesService(
    recording<MembershipsService>(calls, {
      list: () =>
        Promise.resolve([
          memberWith({ userId: 'one' }),
          memberWith({ userId: 'helper', role: 'admin' }),
          memberWith({ userId: 'two' }),
        ]),
    }),
    recording<UsersService>(calls, {
      byIds: () =>
        Promise.resolve(
          new Map([
            ['one', ONE],
            ['two', TWO],
          ]),
        ),
    }),
    recording<MailService>([], { post: (mail) => void sent.push(mail) }),
  );
});

it('sends an email to every owner of the shop, and to nobody else, when the record is missing', async () => {
  await service.recordMissing(DOMAIN);
  expect(calls).toEqual([
    ['list', SHOP],
    ['byIds', ['one', 'two']],
  ]);
  expect(sent).toEqual([recordMissingEmail(ONE.email, DOMAIN), recordMissingEmail(TWO.email, DOMAIN)]);
});

it('sends an email to every owner of the shop when the domain is lost', async () => {
  await service.domainLost(DOMAIN);
  expect(sent).toEqual([domainLostEmail(ONE.email, DOMAIN), domainLostEmail(TWO.email, DOMAIN)]);
});

it('says in the email which record to publish, and in how many days the domain is lost', () => {
  expect(recordMissingEmail('one@example.com', DOMAIN)).toEqual({
    to: 'one@example.com',
    subject: 'The DNS record of store.example.com is missing',
    text:
      'Sky Realm can use store.example.com only while this TXT record exists. We could not find it:\n\n' +
      `${RECORD}\nPlease publish it again. Otherwise Sky Realm loses the domain in 3 days.\n`,
  });
  expect(domainLostEmail('one@example.com', DOMAIN)).toEqual({
    to: 'one@example.com',
    subject: 'Sky Realm has lost store.example.com',
    text:
      'The TXT record of store.example.com has been missing for 3 days. Sky Realm now uses its platform address again, ' +
      'and another shop may claim the domain.\n\nTo get it back, publish this record and verify the domain again:\n\n' +
      RECORD,
  });
});

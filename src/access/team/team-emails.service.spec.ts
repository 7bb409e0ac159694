import { beforeEach, describe, expect, it } from '@jest/globals';
import { SHOP } from '../../../test/support/contexts.js';
import { type Call, EMAILED_SHOP, FakeEmails, recording, TRANSACTION, wordsOf } from '../../../test/support/fakes.js';
import { userWith } from '../../../test/support/members.js';
import { type PageLinks } from '../../http/addresses/page-links.js';
import { LANGUAGES } from '../../lib/formats/languages.js';
import { type EmailContent, type EmailedShop, shopEmail } from '../../events/mail/email.types.js';
import { type Shop } from '../../shops/shops/shop.types.js';
import { type ShopsService } from '../../shops/shops/shops.service.js';
import { type UsersService } from '../../accounts/users/users.service.js';
import { type OwnerEmailsService } from '../../shops/owner-emails/owner-emails.service.js';
import {
  invitationEmail,
  invitationUndeliveredEmail,
  memberRemovedEmail,
  ownerAddedEmail,
  ownershipGivenEmail,
  ownershipReceivedEmail,
} from './team-emails.js';
import { TeamEmailsService } from './team-emails.service.js';

const OLD_OWNER = userWith();
const NEW_OWNER = userWith({ id: '655f1c2ab1e4a9d3f0c81237', email: 'helper@example.com' });
const OF_SHOP = { ...EMAILED_SHOP, id: SHOP };
const OFFER = { invitationId: '655f1c2ab1e4a9d3f0c81299', role: 'manager', token: 'shi_token', days: 7 } as const;

let emails: FakeEmails;
let toOwners: Call[];
let service: TeamEmailsService;

beforeEach(() => {
  [emails, toOwners] = [new FakeEmails(), []];
  service = new TeamEmailsService(
    emails.asService,
    recording<ShopsService>([], {
      getIn: (shopId) => (shopId === SHOP ? Promise.resolve(OF_SHOP as Shop) : Promise.reject(new Error(shopId))),
    }),
    recording<UsersService>([], {
      byIds: (ids) => {
        const people = [OLD_OWNER, NEW_OWNER].filter(({ id }) => ids.includes(id));
        return Promise.resolve(new Map(people.map((person) => [person.id, person])));
      },
      findById: (id) => Promise.resolve([OLD_OWNER, NEW_OWNER].find((person) => person.id === id) ?? null),
    }),
    recording<OwnerEmailsService>(toOwners, { add: () => Promise.resolve() }),
    recording<PageLinks>([], { invitation: (token) => `https://shop.example.com/${token}` }),
  );
});

it('writes an invitation to the invited address, in the transaction', async () => {
  await service.invited(SHOP, 'new@example.com', OFFER, TRANSACTION);
  const link = 'https://shop.example.com/shi_token';
  expect(emails.sent).toEqual([invitationEmail('new@example.com', OF_SHOP, { ...OFFER, link })]);
  expect(emails.transactions).toEqual([TRANSACTION]);
});

it('writes to the inviter that an invitation did not arrive, or to the owners when the inviter has left', async () => {
  await service.invitationUndelivered(SHOP, 'new@example.com', NEW_OWNER.id, TRANSACTION);
  await service.invitationUndelivered(SHOP, 'new@example.com', null, TRANSACTION);
  const content = invitationUndeliveredEmail(OF_SHOP, 'new@example.com');
  expect(emails.sent).toEqual([shopEmail(NEW_OWNER.email, OF_SHOP, content)]);
  expect(toOwners).toEqual([['add', SHOP, expect.any(Function), TRANSACTION]]);
  expect((toOwners[0]?.[2] as (shop: EmailedShop) => EmailContent)(OF_SHOP)).toEqual(content);
});

it('writes an email to a removed member, in the transaction', async () => {
  await service.removed(SHOP, NEW_OWNER.id, TRANSACTION);
  expect(emails.sent).toEqual([memberRemovedEmail(NEW_OWNER.email, OF_SHOP)]);
  expect(emails.transactions).toEqual([TRANSACTION]);
});

it('writes an email to both people of a transfer', async () => {
  await service.ownershipTransferred(SHOP, OLD_OWNER.id, NEW_OWNER.id, TRANSACTION);
  expect(emails.sent).toEqual([
    ownershipReceivedEmail(NEW_OWNER.email, OF_SHOP),
    ownershipGivenEmail(OLD_OWNER.email, OF_SHOP),
  ]);
});

it('writes to all owners, and to the new one, who the new one is', async () => {
  await service.ownerAdded(SHOP, NEW_OWNER.id, TRANSACTION);
  expect(toOwners).toEqual([['add', SHOP, expect.any(Function), TRANSACTION, { also: NEW_OWNER.id }]]);
  const content = toOwners[0]?.[2] as (shop: EmailedShop) => EmailContent;
  expect(content(OF_SHOP)).toEqual(ownerAddedEmail(OF_SHOP, NEW_OWNER));
});

it('writes nothing to or about an account that no longer exists', async () => {
  await service.removed(SHOP, '0'.repeat(24), TRANSACTION);
  await service.ownerAdded(SHOP, '0'.repeat(24), TRANSACTION);
  expect([emails.sent, toOwners]).toEqual([[], []]);
});

describe.each(LANGUAGES)('the emails in the language %s', (language) => {
  const [to, shop] = ['new@example.com', { ...OF_SHOP, language }];

  it('writes the token, the page, the role and the days of an invitation into its email', () => {
    const email = invitationEmail(to, shop, { ...OFFER, link: 'https://shop.example.com/page' });
    for (const word of ['Sky Realm', 'manager', 'https://shop.example.com/page', 'shi_token', '7']) {
      expect(wordsOf(email)).toContain(word);
    }
    expect(email.parts).toContainEqual({ code: 'shi_token' });
  });

  it('names the shop and the address that an invitation did not reach', () => {
    const words = wordsOf(invitationUndeliveredEmail(shop, to));
    for (const word of ['Sky Realm', to]) expect(words).toContain(word);
  });

  it.each([memberRemovedEmail, ownershipReceivedEmail, ownershipGivenEmail])('names the shop in %p', (email) => {
    const { subject, parts, ...others } = email(to, shop);
    expect(others).toMatchObject({ to, language, shop });
    for (const words of [subject, JSON.stringify(parts)]) expect(words).toContain('Sky Realm');
  });

  it('names the shop and the person who is a new owner', () => {
    const { subject, parts } = ownerAddedEmail(shop, NEW_OWNER);
    expect(subject).toContain('Sky Realm');
    for (const word of ['Sky Realm', NEW_OWNER.name, NEW_OWNER.email]) expect(JSON.stringify(parts)).toContain(word);
  });
});

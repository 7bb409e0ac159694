import { beforeEach, describe, expect, it } from '@jest/globals';
import { SHOP } from '../../test/support/contexts.js';
import { recording } from '../../test/support/fakes.js';
import { userWith } from '../../test/support/members.js';
import { type Email, type MailService } from '../mail/mail.service.js';
import { type Shop } from '../shops/shop.types.js';
import { type ShopsService } from '../shops/shops.service.js';
import { type UsersService } from '../users/users.service.js';
import { invitationEmail, memberRemovedEmail, ownershipGivenEmail, ownershipReceivedEmail } from './team-emails.js';
import { TeamEmailsService } from './team-emails.service.js';

const OLD_OWNER = userWith();
const NEW_OWNER = userWith({ id: '655f1c2ab1e4a9d3f0c81237', email: 'helper@example.com' });
const shopName = 'Sky Realm';

let sent: Email[];
/** The work that runs after the response. */
let background: (() => Promise<void>)[];
let service: TeamEmailsService;

beforeEach(() => {
  [sent, background] = [[], []];
  service = new TeamEmailsService(
    recording<MailService>([], {
      post: (mail) => void sent.push(mail),
      inBackground: (work) => void background.push(work),
    }),
    recording<ShopsService>([], {
      settingsOf: (shopId) =>
        shopId === SHOP ? Promise.resolve({ displayName: shopName } as Shop) : Promise.reject(new Error(shopId)),
    }),
    recording<UsersService>([], {
      findById: (id) => Promise.resolve([OLD_OWNER, NEW_OWNER].find((user) => user.id === id) ?? null),
    }),
  );
});

/** Checks that nothing is sent before the response, and returns what is sent after it. */
const sentInBackground = async (): Promise<Email[]> => {
  expect(sent).toEqual([]);
  await Promise.all(background.map((work) => work()));
  return sent;
};

it('sends an invitation to the invited address', async () => {
  const offer = { role: 'manager', token: 'shi_token', days: 7 } as const;
  service.invited(SHOP, 'new@example.com', offer);
  expect(await sentInBackground()).toEqual([invitationEmail('new@example.com', { shopName, ...offer })]);
});

it('sends an email to a removed member', async () => {
  service.removed(SHOP, NEW_OWNER.id);
  expect(await sentInBackground()).toEqual([memberRemovedEmail(NEW_OWNER.email, shopName)]);
});

it('sends an email to both people of a transfer', async () => {
  service.ownershipTransferred(SHOP, OLD_OWNER.id, NEW_OWNER.id);
  expect(await sentInBackground()).toEqual([
    ownershipReceivedEmail(NEW_OWNER.email, shopName),
    ownershipGivenEmail(OLD_OWNER.email, shopName),
  ]);
});

it('sends nothing to an account that no longer exists', async () => {
  service.removed(SHOP, '0'.repeat(24));
  expect(await sentInBackground()).toEqual([]);
});

describe('the emails', () => {
  const to = 'new@example.com';

  it('contain the token, the role and the days of an invitation', () => {
    const { subject, text } = invitationEmail(to, { shopName, role: 'manager', token: 'shi_token', days: 7 });
    expect(subject).toBe('Join the team of Sky Realm');
    expect(text).toBe(
      'You are invited to join the team of Sky Realm. Your role will be: manager.\n\n' +
        'Use this token to accept the invitation within 7 days:\n\nshi_token\n',
    );
  });

  it.each([memberRemovedEmail, ownershipReceivedEmail, ownershipGivenEmail])('%p names the shop', (email) => {
    const mail = email(to, shopName);
    expect(mail.to).toBe(to);
    for (const words of [mail.subject, mail.text]) expect(words).toContain(shopName);
  });
});

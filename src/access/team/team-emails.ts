import { type Role } from '../../domain/principal/permissions.js';
import { type Email, type EmailContent, type EmailedShop, shopEmail } from '../../events/mail/email.types.js';
import { type User } from '../../accounts/users/user.types.js';
import { TEAM_EMAIL_COPY } from './team-email-copy.js';

/** An invitation as its email shows it. */
export interface InvitationOffer {
  readonly role: Role;
  readonly token: string;
  /** The page that accepts or declines the invitation. */
  readonly link: string;
  /** For how many days the token is valid. */
  readonly days: number;
}

/** The only place where the token of an invitation is shown. */
export function invitationEmail(to: string, shop: EmailedShop, { role, token, link, days }: InvitationOffer): Email {
  const copy = TEAM_EMAIL_COPY[shop.language];
  return shopEmail(to, shop, {
    subject: copy.invitation(shop.displayName),
    parts: [
      { text: copy.invited(shop.displayName, role) },
      { text: copy.open(days) },
      { link, label: copy.respond },
      { text: copy.token },
      { code: token },
    ],
  });
}

export function memberRemovedEmail(to: string, shop: EmailedShop): Email {
  const copy = TEAM_EMAIL_COPY[shop.language];
  return shopEmail(to, shop, {
    subject: copy.removal(shop.displayName),
    parts: [{ text: copy.removed(shop.displayName) }],
  });
}

export function ownershipReceivedEmail(to: string, shop: EmailedShop): Email {
  const copy = TEAM_EMAIL_COPY[shop.language];
  return shopEmail(to, shop, {
    subject: copy.received(shop.displayName),
    parts: [{ text: copy.receivedBody(shop.displayName) }],
  });
}

export function ownershipGivenEmail(to: string, shop: EmailedShop): Email {
  const copy = TEAM_EMAIL_COPY[shop.language];
  return shopEmail(to, shop, {
    subject: copy.given(shop.displayName),
    parts: [{ text: copy.givenBody(shop.displayName) }, { text: copy.givenWarning }],
  });
}

/** The email to all owners of a shop, also the new one, about another owner. */
export function ownerAddedEmail(shop: EmailedShop, { name, email }: Pick<User, 'name' | 'email'>): EmailContent {
  const copy = TEAM_EMAIL_COPY[shop.language];
  return {
    subject: copy.added(shop.displayName),
    parts: [{ text: copy.addedBody(shop.displayName, name, email) }, { text: copy.addedWarning }],
  };
}

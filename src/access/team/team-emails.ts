import { type Role } from '../../domain/principal/permissions.js';
import { type Email, type EmailContent, type EmailedShop, shopEmail } from '../../events/mail/email.types.js';
import { type User } from '../../accounts/users/user.types.js';
import { TEAM_EMAIL_COPY } from './team-email-copy.js';

/** An invitation as its email shows it. */
export interface InvitationOffer {
  readonly invitationId: string;
  readonly role: Role;
  readonly token: string;
  /** The page that accepts or declines the invitation. */
  readonly link: string;
  /** For how many days the token is valid. */
  readonly days: number;
}

/** The only place where the token of an invitation is shown. */
export function invitationEmail(to: string, shop: EmailedShop, offer: InvitationOffer): Email {
  const { invitationId, role, token, link, days } = offer;
  const copy = TEAM_EMAIL_COPY[shop.language];
  const email = shopEmail(to, shop, {
    subject: copy.invitation(shop.displayName),
    parts: [
      { text: copy.invited(shop.displayName, role) },
      { text: copy.open(days) },
      { link, label: copy.respond },
      { text: copy.token },
      { code: token },
    ],
  });
  return { ...email, invitationId };
}

/** The email to whoever invited a person whom the invitation did not reach. @param invited the address of the invitation */
export function invitationUndeliveredEmail(shop: EmailedShop, invited: string): EmailContent {
  const copy = TEAM_EMAIL_COPY[shop.language];
  return {
    subject: copy.undelivered(invited),
    parts: [{ text: copy.undeliveredBody(invited, shop.displayName) }, { text: copy.undeliveredAdvice }],
  };
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

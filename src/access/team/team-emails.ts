import { type Role } from '../../platform/principal/permissions.js';
import { type Email, type EmailContent, type EmailedShop, shopEmail } from '../../events/mail/email.types.js';
import { type User } from '../../accounts/users/user.types.js';
import { TEAM_EMAIL_TEXTS } from './team-email-texts.js';

/** An invitation as its email shows it. */
export interface InvitationOffer {
  readonly role: Role;
  readonly token: string;
  /** The page that answers the invitation. */
  readonly link: string;
  /** For how many days the token is valid. */
  readonly days: number;
}

/** The only place where the token of an invitation is shown. */
export function invitationEmail(to: string, shop: EmailedShop, { role, token, link, days }: InvitationOffer): Email {
  const texts = TEAM_EMAIL_TEXTS[shop.language];
  return shopEmail(to, shop, {
    subject: texts.invitation(shop.displayName),
    parts: [
      { text: texts.invited(shop.displayName, role) },
      { text: texts.open(days) },
      { link, label: texts.answer },
      { text: texts.token },
      { code: token },
    ],
  });
}

export function memberRemovedEmail(to: string, shop: EmailedShop): Email {
  const texts = TEAM_EMAIL_TEXTS[shop.language];
  return shopEmail(to, shop, {
    subject: texts.removal(shop.displayName),
    parts: [{ text: texts.removed(shop.displayName) }],
  });
}

export function ownershipReceivedEmail(to: string, shop: EmailedShop): Email {
  const texts = TEAM_EMAIL_TEXTS[shop.language];
  return shopEmail(to, shop, {
    subject: texts.received(shop.displayName),
    parts: [{ text: texts.receivedBody(shop.displayName) }],
  });
}

export function ownershipGivenEmail(to: string, shop: EmailedShop): Email {
  const texts = TEAM_EMAIL_TEXTS[shop.language];
  return shopEmail(to, shop, {
    subject: texts.given(shop.displayName),
    parts: [{ text: texts.givenBody(shop.displayName) }, { text: texts.givenWarning }],
  });
}

/** Tells all owners of a shop, also the new one, that there is one more. */
export function ownerAddedEmail(shop: EmailedShop, { name, email }: Pick<User, 'name' | 'email'>): EmailContent {
  const texts = TEAM_EMAIL_TEXTS[shop.language];
  return {
    subject: texts.added(shop.displayName),
    parts: [{ text: texts.addedBody(shop.displayName, name, email) }, { text: texts.addedWarning }],
  };
}

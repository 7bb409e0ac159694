import { type Role } from '../common/auth/permissions.js';
import { type Email } from '../mail/mail.service.js';

/** An invitation as its email shows it. */
export interface InvitationOffer {
  readonly shopName: string;
  readonly role: Role;
  readonly token: string;
  /** For how many days the token is valid. */
  readonly days: number;
}

/** The only place where the token of an invitation is shown. */
export function invitationEmail(to: string, { shopName, role, token, days }: InvitationOffer): Email {
  return {
    to,
    subject: `Join the team of ${shopName}`,
    text: `You are invited to join the team of ${shopName}. Your role will be: ${role}.\n\nUse this token to accept the invitation within ${days} days:\n\n${token}\n`,
  };
}

export function memberRemovedEmail(to: string, shopName: string): Email {
  return {
    to,
    subject: `You are no longer in the team of ${shopName}`,
    text: `You were removed from the team of ${shopName}. You no longer have access to the shop, and the API keys that you created there no longer work.\n`,
  };
}

export function ownershipReceivedEmail(to: string, shopName: string): Email {
  return {
    to,
    subject: `You are now an owner of ${shopName}`,
    text: `The ownership of ${shopName} was transferred to you.\n`,
  };
}

export function ownershipGivenEmail(to: string, shopName: string): Email {
  return {
    to,
    subject: `You transferred the ownership of ${shopName}`,
    text: `You transferred the ownership of ${shopName} to another member. You are now an admin of the shop.\n\nIf you did not do this, change your password now and contact the new owner.\n`,
  };
}

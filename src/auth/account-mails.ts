import { type Mail } from '../mail/mail.service.js';

/** What is mailed to the owner of an account. */
export function resetTokenMail(to: string, token: string): Mail {
  return {
    to,
    subject: 'Reset your password',
    text: `Set a new password with this token within 60 minutes:\n\n${token}\n\nIt works once, and a newer one replaces it. If you did not ask for it, ignore this mail: your password stays as it is.\n`,
  };
}

export function passwordChangedMail(to: string): Mail {
  return {
    to,
    subject: 'Your password was changed',
    text: 'The password of your account was changed, and all its earlier sessions were ended.\n\nIf this was not you, ask for a password reset at once.\n',
  };
}

export function secondFactorRemovedMail(to: string): Mail {
  return {
    to,
    subject: 'The second factor of your account was removed',
    text: 'The reset of your password was the first sign that the account belongs to whoever reads the mails of this address. A second factor was on, which somebody else may have set up, so it was removed with its recovery codes.\n\nIf it was yours, set it up again; later resets leave it on.\n',
  };
}

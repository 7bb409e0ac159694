import { type Email } from '../mail/mail.service.js';

const WARNING = 'If you did not do this, change your password now.\n';

/** The emails about the second factor of an account. */
export function enabledEmail(to: string): Email {
  return {
    to,
    subject: 'Two-factor login is on',
    text: `From now on, you need a code from your authenticator app to log in.\n\nKeep your recovery codes in a safe place outside the app. You need them if you lose the app.\n\n${WARNING}`,
  };
}

export function disabledEmail(to: string): Email {
  return {
    to,
    subject: 'Two-factor login is off',
    text: `From now on, you need only your password to log in.\n\n${WARNING}`,
  };
}

export function recoveryCodesRenewedEmail(to: string): Email {
  return {
    to,
    subject: 'You have new recovery codes',
    text: `Your previous recovery codes no longer work. Use the new ones.\n\n${WARNING}`,
  };
}

export function recoveryCodeUsedEmail(to: string, left: number): Email {
  const codes = left === 1 ? '1 recovery code' : `${left} recovery codes`;
  return {
    to,
    subject: 'Somebody logged in with a recovery code',
    text: `A recovery code was used to log in to your account.\n\nYou have ${codes} left.\n\n${WARNING}`,
  };
}

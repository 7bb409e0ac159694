import { accountEmail, type Email } from '../mail/email.types.js';

const WARNING = { text: 'If you did not do this, change your password now.' };

/** The emails about the second factor of an account. */
export function enabledEmail(to: string): Email {
  return accountEmail(to, {
    subject: 'Two-factor login is on',
    parts: [
      { text: 'From now on, you need a code from your authenticator app to log in.' },
      { text: 'Keep your recovery codes in a safe place outside the app. You need them if you lose the app.' },
      WARNING,
    ],
  });
}

export function disabledEmail(to: string): Email {
  return accountEmail(to, {
    subject: 'Two-factor login is off',
    parts: [{ text: 'From now on, you need only your password to log in.' }, WARNING],
  });
}

export function recoveryCodesRenewedEmail(to: string): Email {
  return accountEmail(to, {
    subject: 'You have new recovery codes',
    parts: [{ text: 'Your previous recovery codes no longer work. Use the new ones.' }, WARNING],
  });
}

export function recoveryCodeUsedEmail(to: string, left: number): Email {
  const codes = left === 1 ? '1 recovery code' : `${left} recovery codes`;
  return accountEmail(to, {
    subject: 'Somebody logged in with a recovery code',
    parts: [
      { text: 'A recovery code was used to log in to your account.' },
      { text: `You have ${codes} left.` },
      WARNING,
    ],
  });
}

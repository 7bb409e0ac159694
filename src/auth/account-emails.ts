import { accountEmail, type Email } from '../mail/email.types.js';

/** The emails about the password and the logins of an account. @param link the page that sets a new password */
export function resetTokenEmail(to: string, token: string, link: string): Email {
  const email = accountEmail(to, {
    subject: 'Reset your password',
    parts: [
      { text: 'You asked to reset your password. Set a new one on this page:' },
      { link, label: 'Set a new password' },
      { text: 'Or use this token in the program that asked for it:' },
      { code: token },
      {
        text: 'Both are valid for 60 minutes and work once. If you ask again, only the newest ones work.',
      },
      { text: 'If you did not ask for this, ignore this email. Your password stays the same.' },
    ],
  });
  return { ...email, isAwaited: true };
}

export function passwordChangedEmail(to: string): Email {
  return accountEmail(to, {
    subject: 'Your password was changed',
    parts: [
      { text: 'The password of your account was changed, and you were logged out on all devices.' },
      { text: 'If you did not do this, reset your password now.' },
    ],
  });
}

export function newDeviceEmail(to: string, device: string | null, at: Date): Email {
  return accountEmail(to, {
    subject: 'A login from a new device',
    parts: [
      { text: 'Somebody logged in to your account from a new device or a new network.' },
      {
        facts: [
          ['Time', at.toISOString()],
          ['Device', device ?? 'unknown'],
        ],
      },
      { text: 'If this was not you, reset your password now. This ends all sessions.' },
    ],
  });
}

export function secondFactorRemovedEmail(to: string): Email {
  return accountEmail(to, {
    subject: 'Two-factor login was removed from your account',
    parts: [
      {
        text: 'You reset your password by email for the first time. This was the first proof that this email address is yours. Somebody else may have set up two-factor login before, so we removed it, together with its recovery codes.',
      },
      { text: 'If you set it up yourself, please set it up again. Later password resets will not remove it.' },
    ],
  });
}

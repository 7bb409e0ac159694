import { type Email } from '../mail/mail.service.js';

/** The emails about the password and the logins of an account. */
export function resetTokenEmail(to: string, token: string): Email {
  return {
    to,
    subject: 'Reset your password',
    text: `You asked to reset your password. Use this token to set a new one:\n\n${token}\n\nThe token is valid for 60 minutes and works once. If you ask again, only the newest token works.\n\nIf you did not ask for this, ignore this email. Your password stays the same.\n`,
  };
}

export function passwordChangedEmail(to: string): Email {
  return {
    to,
    subject: 'Your password was changed',
    text: 'The password of your account was changed, and you were logged out on all devices.\n\nIf you did not do this, reset your password now.\n',
  };
}

export function newDeviceEmail(to: string, device: string | null, at: Date): Email {
  return {
    to,
    subject: 'A login from a new device',
    text: `Somebody logged in to your account from a new device or a new network.\n\nTime: ${at.toISOString()}\nDevice: ${device ?? 'unknown'}\n\nIf this was not you, reset your password now. This ends all sessions.\n`,
  };
}

export function secondFactorRemovedEmail(to: string): Email {
  return {
    to,
    subject: 'Two-factor login was removed from your account',
    text: 'You reset your password by email for the first time. This was the first proof that this email address is yours. Somebody else may have set up two-factor login before, so we removed it, together with its recovery codes.\n\nIf you set it up yourself, please set it up again. Later password resets will not remove it.\n',
  };
}

import { type Mail } from '../mail/mail.service.js';

const ALARM = 'If this was not you, change your password at once.\n';

/** What is mailed to the owner of an account about its second factor. */
export function enabledMail(to: string): Mail {
  return {
    to,
    subject: 'A second factor protects your account',
    text: `From now on a login to your account asks for a code of your authenticator app. Keep the recovery codes where you find them without it.\n\n${ALARM}`,
  };
}

export function disabledMail(to: string): Mail {
  return {
    to,
    subject: 'The second factor of your account was switched off',
    text: `From now on a login to your account asks for the password alone.\n\n${ALARM}`,
  };
}

export function recoveryCodesRenewedMail(to: string): Mail {
  return {
    to,
    subject: 'Your recovery codes were renewed',
    text: `The earlier recovery codes of your account work no more.\n\n${ALARM}`,
  };
}

export function recoveryCodeUsedMail(to: string, left: number): Mail {
  return {
    to,
    subject: 'A recovery code of your account was used',
    text: `Somebody logged in to your account with a recovery code; ${left} are left.\n\n${ALARM}`,
  };
}

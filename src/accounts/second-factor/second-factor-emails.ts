import { accountEmail, type Email, type EmailedPerson } from '../../events/mail/email.types.js';
import { SECOND_FACTOR_EMAIL_COPY } from './second-factor-email-copy.js';

/** The emails about the second factor of an account. */
export function proofEmail(to: EmailedPerson, code: string, minutes: number): Email {
  const copy = SECOND_FACTOR_EMAIL_COPY[to.language];
  const email = accountEmail(to, {
    subject: copy.prove,
    parts: [{ text: copy.proveBody }, { code }, { text: copy.proveValid(minutes) }, { text: copy.proveNotYou }],
  });
  return { ...email, isAwaited: true };
}

export function enabledEmail(to: EmailedPerson): Email {
  const copy = SECOND_FACTOR_EMAIL_COPY[to.language];
  return accountEmail(to, {
    subject: copy.on,
    parts: [{ text: copy.onBody }, { text: copy.keepCodes }, { text: copy.warning }],
  });
}

export function disabledEmail(to: EmailedPerson): Email {
  const copy = SECOND_FACTOR_EMAIL_COPY[to.language];
  return accountEmail(to, { subject: copy.off, parts: [{ text: copy.offBody }, { text: copy.warning }] });
}

export function recoveryCodesRenewedEmail(to: EmailedPerson): Email {
  const copy = SECOND_FACTOR_EMAIL_COPY[to.language];
  return accountEmail(to, { subject: copy.renewed, parts: [{ text: copy.renewedBody }, { text: copy.warning }] });
}

export function recoveryCodeUsedEmail(to: EmailedPerson, left: number): Email {
  const copy = SECOND_FACTOR_EMAIL_COPY[to.language];
  return accountEmail(to, {
    subject: copy.used,
    parts: [{ text: copy.usedBody }, { text: copy.left(left) }, { text: copy.warning }],
  });
}

import { accountEmail, type Email, type EmailedPerson } from '../../events/mail/email.types.js';
import { SECOND_FACTOR_EMAIL_TEXTS } from './second-factor-email-texts.js';

/** The emails about the second factor of an account. */
export function enabledEmail(to: EmailedPerson): Email {
  const texts = SECOND_FACTOR_EMAIL_TEXTS[to.language];
  return accountEmail(to, {
    subject: texts.on,
    parts: [{ text: texts.onBody }, { text: texts.keepCodes }, { text: texts.warning }],
  });
}

export function disabledEmail(to: EmailedPerson): Email {
  const texts = SECOND_FACTOR_EMAIL_TEXTS[to.language];
  return accountEmail(to, { subject: texts.off, parts: [{ text: texts.offBody }, { text: texts.warning }] });
}

export function recoveryCodesRenewedEmail(to: EmailedPerson): Email {
  const texts = SECOND_FACTOR_EMAIL_TEXTS[to.language];
  return accountEmail(to, { subject: texts.renewed, parts: [{ text: texts.renewedBody }, { text: texts.warning }] });
}

export function recoveryCodeUsedEmail(to: EmailedPerson, left: number): Email {
  const texts = SECOND_FACTOR_EMAIL_TEXTS[to.language];
  return accountEmail(to, {
    subject: texts.used,
    parts: [{ text: texts.usedBody }, { text: texts.left(left) }, { text: texts.warning }],
  });
}

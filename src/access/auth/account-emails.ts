import { accountEmail, type Email, type EmailedPerson } from '../../events/mail/email.types.js';
import { ACCOUNT_EMAIL_TEXTS } from './account-email-texts.js';

/** The emails about the password and the logins of an account. @param link the page that sets a new password */
export function resetTokenEmail(to: EmailedPerson, token: string, minutes: number, link: string): Email {
  const texts = ACCOUNT_EMAIL_TEXTS[to.language];
  const email = accountEmail(to, {
    subject: texts.reset,
    parts: [
      { text: texts.asked },
      { link, label: texts.set },
      { text: texts.token },
      { code: token },
      { text: texts.valid(minutes) },
      { text: texts.notAsked },
    ],
  });
  return { ...email, isAwaited: true };
}

export function passwordChangedEmail(to: EmailedPerson): Email {
  const texts = ACCOUNT_EMAIL_TEXTS[to.language];
  return accountEmail(to, {
    subject: texts.changed,
    parts: [{ text: texts.changedBody }, { text: texts.changedWarning }],
  });
}

export function newDeviceEmail(to: EmailedPerson, device: string | null, at: Date): Email {
  const texts = ACCOUNT_EMAIL_TEXTS[to.language];
  return accountEmail(to, {
    subject: texts.newDevice,
    parts: [
      { text: texts.newDeviceBody },
      {
        facts: [
          [texts.time, at.toISOString()],
          [texts.device, device ?? texts.unknown],
        ],
      },
      { text: texts.newDeviceWarning },
    ],
  });
}

export function secondFactorRemovedEmail(to: EmailedPerson): Email {
  const texts = ACCOUNT_EMAIL_TEXTS[to.language];
  return accountEmail(to, {
    subject: texts.factorRemoved,
    parts: [{ text: texts.factorRemovedBody }, { text: texts.factorRemovedNext }],
  });
}

import { accountEmail, type Email, type EmailedPerson } from '../../events/mail/email.types.js';
import { ACCOUNT_EMAIL_COPY } from './account-email-copy.js';

/** The emails about the password and the logins of an account. @param link the page that sets a new password */
export function resetTokenEmail(to: EmailedPerson, token: string, minutes: number, link: string): Email {
  const copy = ACCOUNT_EMAIL_COPY[to.language];
  const email = accountEmail(to, {
    subject: copy.reset,
    parts: [
      { text: copy.requested },
      { link, label: copy.set },
      { text: copy.token },
      { code: token },
      { text: copy.valid(minutes) },
      { text: copy.notRequested },
    ],
  });
  return { ...email, isAwaited: true };
}

export function passwordChangedEmail(to: EmailedPerson): Email {
  const copy = ACCOUNT_EMAIL_COPY[to.language];
  return accountEmail(to, {
    subject: copy.changed,
    parts: [{ text: copy.changedBody }, { text: copy.changedWarning }],
  });
}

/** To a person whose account the operator has created. */
export function firstPasswordEmail(to: EmailedPerson): Email {
  const copy = ACCOUNT_EMAIL_COPY[to.language];
  return accountEmail(to, {
    subject: copy.first,
    parts: [{ text: copy.firstBody }, { text: copy.changedWarning }],
  });
}

export function newDeviceEmail(to: EmailedPerson, device: string | null, at: Date): Email {
  const copy = ACCOUNT_EMAIL_COPY[to.language];
  return accountEmail(to, {
    subject: copy.newDevice,
    parts: [
      { text: copy.newDeviceBody },
      {
        facts: [
          [copy.time, at.toISOString()],
          [copy.device, device ?? copy.unknown],
        ],
      },
      { text: copy.newDeviceWarning },
    ],
  });
}

export function accountClosedEmail(to: EmailedPerson): Email {
  const copy = ACCOUNT_EMAIL_COPY[to.language];
  return accountEmail(to, {
    subject: copy.closed,
    parts: [{ text: copy.closedBody }, { text: copy.closedWarning }],
  });
}

import { accountEmail, type Email, type EmailedPerson } from '../../events/mail/email.types.js';
import { ACCOUNT_EMAIL_COPY } from './account-email-copy.js';

/** What an email with a token is about. */
interface TokenEmailCopy {
  readonly subject: string;
  readonly requested: string;
  /** Of the link. */
  readonly label: string;
  readonly notRequested: string;
}

/** An email that its reader waits for, with a token and the page that uses it. @param minutes for how long the token is valid */
function tokenEmail(
  to: EmailedPerson,
  { subject, requested, label, notRequested }: TokenEmailCopy,
  token: string,
  minutes: number,
  link: string,
): Email {
  const copy = ACCOUNT_EMAIL_COPY[to.language];
  const email = accountEmail(to, {
    subject,
    parts: [
      { text: requested },
      { link, label },
      { text: copy.token },
      { code: token },
      { text: copy.valid(minutes) },
      { text: notRequested },
    ],
  });
  return { ...email, isAwaited: true };
}

/** @param link the page that sets a new password */
export function resetTokenEmail(to: EmailedPerson, token: string, minutes: number, link: string): Email {
  const { reset: subject, requested, set: label, notRequested } = ACCOUNT_EMAIL_COPY[to.language];
  return tokenEmail(to, { subject, requested, label, notRequested }, token, minutes, link);
}

/** To the new address of a person. @param link the page that confirms the address */
export function confirmAddressEmail(to: EmailedPerson, token: string, minutes: number, link: string): Email {
  const copy = ACCOUNT_EMAIL_COPY[to.language];
  const { confirm: subject, confirmRequested: requested, confirmLink: label, confirmNotRequested: notRequested } = copy;
  return tokenEmail(to, { subject, requested, label, notRequested }, token, minutes, link);
}

/** To the address that a person had until now. */
export function addressChangedEmail(to: EmailedPerson, newAddress: string): Email {
  const copy = ACCOUNT_EMAIL_COPY[to.language];
  return accountEmail(to, {
    subject: copy.addressChanged,
    parts: [{ text: copy.addressChangedBody }, { code: newAddress }, { text: copy.addressChangedWarning }],
  });
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

import { accountEmail, type Email, type EmailedPerson } from '../../events/mail/email.types.js';
import { EMAIL_CHANGE_EMAIL_COPY } from './email-change-email-copy.js';

/** The email to the new address of a person. @param link the page that confirms the address */
export function confirmAddressEmail(to: EmailedPerson, token: string, minutes: number, link: string): Email {
  const copy = EMAIL_CHANGE_EMAIL_COPY[to.language];
  const email = accountEmail(to, {
    subject: copy.confirm,
    parts: [
      { text: copy.requested },
      { link, label: copy.link },
      { text: copy.token },
      { code: token },
      { text: copy.valid(minutes) },
      { text: copy.notRequested },
    ],
  });
  return { ...email, isAwaited: true };
}

/** The email to the address that a person had until now. */
export function addressChangedEmail(to: EmailedPerson, newAddress: string): Email {
  const copy = EMAIL_CHANGE_EMAIL_COPY[to.language];
  return accountEmail(to, {
    subject: copy.changed,
    parts: [{ text: copy.changedBody }, { code: newAddress }, { text: copy.changedWarning }],
  });
}

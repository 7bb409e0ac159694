import { defineCopy } from '../../lib/formats/copy.js';

/** The copy of the emails about a new address of an account. */
export const EMAIL_CHANGE_EMAIL_COPY = defineCopy({
  en: {
    confirm: 'Confirm your email address',
    requested: 'You use this address for your account, or want to. Confirm it on this page:',
    link: 'Confirm the address',
    token: 'Or use this token in the program that asked for it:',
    valid: (minutes: number) =>
      `Both are valid for ${minutes} minutes and work once. If you ask again, only the newest ones work.`,
    notRequested: 'If you did not ask for this, ignore this email: somebody has mistyped an address.',
    changed: 'Your email address was changed',
    changedBody: 'From now on, you log in with this address, and the emails about your account go to it:',
    changedWarning:
      'If you did not do this, somebody knows your password. Contact the operator of this service at once.',
  },
  de: {
    confirm: 'Bestätigen Sie Ihre E-Mail-Adresse',
    requested: 'Sie verwenden diese Adresse für Ihr Konto oder möchten das. Bestätigen Sie sie auf dieser Seite:',
    link: 'Adresse bestätigen',
    token: 'Oder verwenden Sie dieses Token in dem Programm, das danach fragt:',
    valid: (minutes) =>
      `Beides ist ${minutes} Minuten gültig und kann nur einmal verwendet werden. Wenn Sie beides erneut anfordern, gilt nur das Neueste.`,
    notRequested:
      'Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail: Jemand hat sich bei einer Adresse vertippt.',
    changed: 'Ihre E-Mail-Adresse wurde geändert',
    changedBody: 'Ab jetzt melden Sie sich mit dieser Adresse an, und die E-Mails zu Ihrem Konto gehen an sie:',
    changedWarning:
      'Wenn Sie das nicht waren, kennt jemand Ihr Passwort. Wenden Sie sich sofort an den Betreiber dieses Dienstes.',
  },
});

import { defineCopy } from '../../lib/formats/copy.js';

/** The copy of the emails about the second factor of an account. */
export const SECOND_FACTOR_EMAIL_COPY = defineCopy({
  en: {
    warning: 'If you did not do this, change your password now.',
    prove: 'Your code for two-factor login',
    proveBody:
      'Somebody is switching on two-factor login for an account with this email address. Enter this code there:',
    proveValid: (minutes: number) => `The code is valid for ${minutes} minutes. A newer one replaces it.`,
    proveNotYou: 'If this was not you, ignore this email. Two-factor login stays off without the code.',
    on: 'Two-factor login is on',
    onBody: 'From now on, you need a code from your authenticator app to log in.',
    keepCodes: 'Keep your recovery codes in a safe place outside the app. You need them if you lose the app.',
    off: 'Two-factor login is off',
    offBody: 'From now on, you need only your password to log in.',
    renewed: 'You have new recovery codes',
    renewedBody: 'Your previous recovery codes no longer work. Use the new ones.',
    used: 'Somebody logged in with a recovery code',
    usedBody: 'A recovery code was used to log in to your account.',
    left: (codes: number) => `You have ${codes === 1 ? '1 recovery code' : `${codes} recovery codes`} left.`,
  },
  de: {
    warning: 'Wenn Sie das nicht waren, ändern Sie sofort Ihr Passwort.',
    prove: 'Ihr Code für die Zwei-Faktor-Anmeldung',
    proveBody:
      'Jemand schaltet für ein Konto mit dieser E-Mail-Adresse die Zwei-Faktor-Anmeldung ein. Geben Sie dort diesen Code ein:',
    proveValid: (minutes) => `Der Code ist ${minutes} Minuten gültig. Ein neuerer ersetzt ihn.`,
    proveNotYou:
      'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail. Ohne den Code bleibt die Zwei-Faktor-Anmeldung ausgeschaltet.',
    on: 'Die Zwei-Faktor-Anmeldung ist eingeschaltet',
    onBody: 'Für die Anmeldung brauchen Sie ab jetzt einen Code aus Ihrer Authenticator-App.',
    keepCodes:
      'Bewahren Sie Ihre Wiederherstellungscodes an einem sicheren Ort außerhalb der App auf. Sie brauchen sie, wenn Sie die App verlieren.',
    off: 'Die Zwei-Faktor-Anmeldung ist ausgeschaltet',
    offBody: 'Für die Anmeldung brauchen Sie ab jetzt nur noch Ihr Passwort.',
    renewed: 'Sie haben neue Wiederherstellungscodes',
    renewedBody: 'Ihre bisherigen Wiederherstellungscodes funktionieren nicht mehr. Verwenden Sie die neuen.',
    used: 'Anmeldung mit einem Wiederherstellungscode',
    usedBody: 'Bei Ihrem Konto hat sich jemand mit einem Wiederherstellungscode angemeldet.',
    left: (codes) => `Sie haben noch ${codes === 1 ? '1 Wiederherstellungscode' : `${codes} Wiederherstellungscodes`}.`,
  },
});

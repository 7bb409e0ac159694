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
    warning: 'Wenn du das nicht warst, ändere sofort dein Passwort.',
    prove: 'Dein Code für die Zwei-Faktor-Anmeldung',
    proveBody:
      'Jemand schaltet für ein Konto mit dieser E-Mail-Adresse die Zwei-Faktor-Anmeldung ein. Gib dort diesen Code ein:',
    proveValid: (minutes) => `Der Code ist ${minutes} Minuten gültig. Ein neuerer ersetzt ihn.`,
    proveNotYou:
      'Wenn du das nicht warst, ignoriere diese E-Mail. Ohne den Code bleibt die Zwei-Faktor-Anmeldung ausgeschaltet.',
    on: 'Die Zwei-Faktor-Anmeldung ist eingeschaltet',
    onBody: 'Für die Anmeldung brauchst du ab jetzt einen Code aus deiner Authenticator-App.',
    keepCodes:
      'Bewahre deine Wiederherstellungscodes an einem sicheren Ort außerhalb der App auf. Du brauchst sie, wenn du die App verlierst.',
    off: 'Die Zwei-Faktor-Anmeldung ist ausgeschaltet',
    offBody: 'Für die Anmeldung brauchst du ab jetzt nur noch dein Passwort.',
    renewed: 'Du hast neue Wiederherstellungscodes',
    renewedBody: 'Deine bisherigen Wiederherstellungscodes funktionieren nicht mehr. Verwende die neuen.',
    used: 'Anmeldung mit einem Wiederherstellungscode',
    usedBody: 'Bei deinem Konto hat sich jemand mit einem Wiederherstellungscode angemeldet.',
    left: (codes) => `Du hast noch ${codes === 1 ? '1 Wiederherstellungscode' : `${codes} Wiederherstellungscodes`}.`,
  },
});

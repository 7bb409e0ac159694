import { defineCopy } from '../../lib/formats/copy.js';

/** The copy of the page that sets a new password. */
export const PASSWORD_PAGE_COPY = defineCopy({
  en: {
    title: 'Set a new password',
    welcome: 'Welcome',
    welcomeHint: (service: string) =>
      `This is your new account at ${service}. Choose a password for it, then you can log in.`,
    email: 'Email address',
    password: 'Password',
    hint: 'You will be logged out on all devices.',
    newPassword: 'New password',
    newPasswordHint: 'At least 10 characters',
    revoke:
      'Also end all my API keys. Choose this if somebody else had my password. Front ends and plugins that use these keys stop working.',
    save: 'Save the password',
    done: 'Your password is set',
    doneText: 'You can log in with it now.',
    problemForm: 'The password must have 10 to 128 characters.',
    problemToken: 'This link has expired or was already used. Request a new one where you log in.',
  },
  de: {
    title: 'Neues Passwort festlegen',
    welcome: 'Willkommen',
    welcomeHint: (service) =>
      `Das ist dein neues Konto bei ${service}. Wähl ein Passwort, dann kannst du dich anmelden.`,
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    hint: 'Du wirst auf allen Geräten abgemeldet.',
    newPassword: 'Neues Passwort',
    newPasswordHint: 'Mindestens 10 Zeichen',
    revoke:
      'Auch alle meine API-Schlüssel beenden. Wähl das, wenn jemand anderes dein Passwort hatte. Frontends und Plugins mit diesen Schlüsseln funktionieren dann nicht mehr.',
    save: 'Passwort speichern',
    done: 'Dein Passwort ist festgelegt',
    doneText: 'Du kannst dich jetzt damit anmelden.',
    problemForm: 'Das Passwort muss 10 bis 128 Zeichen haben.',
    problemToken:
      'Dieser Link ist abgelaufen oder wurde schon benutzt. Fordere dort, wo du dich anmeldest, einen neuen an.',
  },
});

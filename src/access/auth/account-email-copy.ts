import { defineCopy } from '../../lib/formats/copy.js';

/** The copy of the emails about the address, the password and the logins of an account. */
export const ACCOUNT_EMAIL_COPY = defineCopy({
  en: {
    reset: 'Reset your password',
    requested: 'You asked to reset your password. Set a new one on this page:',
    set: 'Set a new password',
    token: 'Or use this token in the program that asked for it:',
    valid: (minutes: number) =>
      `Both are valid for ${minutes} minutes and work once. If you ask again, only the newest ones work.`,
    notRequested: 'If you did not ask for this, ignore this email. Your password stays the same.',
    confirm: 'Confirm your email address',
    confirmRequested: 'You use this address for your account, or want to. Confirm it on this page:',
    confirmLink: 'Confirm the address',
    confirmNotRequested: 'If you did not ask for this, ignore this email: somebody has mistyped an address.',
    addressChanged: 'Your email address was changed',
    addressChangedBody: 'From now on, you log in with this address, and the emails about your account go to it:',
    addressChangedWarning:
      'If you did not do this, somebody knows your password. Contact the operator of this service at once.',
    first: 'Your account is ready',
    firstBody:
      'You have set the password of your account. From now on, you log in with this email address and the password.',
    changed: 'Your password was changed',
    changedBody: 'The password of your account was changed, and you were logged out on all devices.',
    changedWarning: 'If you did not do this, reset your password now.',
    newDevice: 'A login from a new device',
    newDeviceBody: 'Somebody logged in to your account from a new device or a new network.',
    time: 'Time',
    device: 'Device',
    unknown: 'unknown',
    closed: 'Your account was closed',
    closedBody: 'Your account is deleted. You are in no team any more, and your API keys have stopped working.',
    closedWarning: 'If you did not do this, contact the operator of this service.',
    newDeviceWarning: 'If this was not you, reset your password now. This ends all sessions.',
  },
  de: {
    reset: 'Neues Passwort',
    requested: 'Du möchtest dein Passwort zurücksetzen. Auf dieser Seite wählst du ein neues:',
    set: 'Neues Passwort wählen',
    token: 'Oder verwende dieses Token in dem Programm, das danach fragt:',
    valid: (minutes) =>
      `Beides ist ${minutes} Minuten gültig und kann nur einmal verwendet werden. Wenn du beides erneut anforderst, gilt nur das Neueste.`,
    notRequested: 'Wenn du das nicht angefordert hast, ignoriere diese E-Mail. Dein Passwort bleibt dann unverändert.',
    confirm: 'Bestätige deine E-Mail-Adresse',
    confirmRequested: 'Du verwendest diese Adresse für dein Konto oder möchtest das. Bestätige sie auf dieser Seite:',
    confirmLink: 'Adresse bestätigen',
    confirmNotRequested:
      'Wenn du das nicht angefordert hast, ignoriere diese E-Mail: Jemand hat sich bei einer Adresse vertippt.',
    addressChanged: 'Deine E-Mail-Adresse wurde geändert',
    addressChangedBody: 'Ab jetzt meldest du dich mit dieser Adresse an, und die E-Mails zu deinem Konto gehen an sie:',
    addressChangedWarning:
      'Wenn du das nicht warst, kennt jemand dein Passwort. Wende dich sofort an den Betreiber dieses Dienstes.',
    first: 'Dein Konto ist bereit',
    firstBody:
      'Du hast das Passwort deines Kontos festgelegt. Ab jetzt meldest du dich mit dieser E-Mail-Adresse und dem Passwort an.',
    changed: 'Dein Passwort wurde geändert',
    changedBody: 'Das Passwort deines Kontos wurde geändert, und du wurdest auf allen Geräten abgemeldet.',
    changedWarning: 'Wenn du das nicht warst, setz dein Passwort sofort zurück.',
    newDevice: 'Anmeldung mit einem neuen Gerät',
    newDeviceBody: 'Jemand hat sich mit einem neuen Gerät oder aus einem neuen Netz bei deinem Konto angemeldet.',
    time: 'Zeit',
    device: 'Gerät',
    unknown: 'unbekannt',
    closed: 'Dein Konto wurde geschlossen',
    closedBody: 'Dein Konto ist gelöscht. Du gehörst zu keinem Team mehr, und deine API-Schlüssel sind gesperrt.',
    closedWarning: 'Wenn du das nicht warst, wende dich an den Betreiber dieses Dienstes.',
    newDeviceWarning: 'Wenn du das nicht warst, setz dein Passwort sofort zurück. Das beendet alle Anmeldungen.',
  },
});

import { defineCopy } from '../../lib/formats/copy.js';

/** The copy of the page that confirms a new email address. */
export const EMAIL_CHANGE_PAGE_COPY = defineCopy({
  en: {
    title: 'Confirm your email address',
    hint: 'With this address you log in, and the emails about your account go to it:',
    confirm: 'Confirm the address',
    done: 'Your email address is confirmed',
    doneText: 'You can log in with it now.',
    problemTaken: 'Another account has this address already.',
    problemToken: 'This link has expired or was already used. Change the address again where you log in.',
  },
  de: {
    title: 'E-Mail-Adresse bestätigen',
    hint: 'Mit dieser Adresse meldest du dich an, und die E-Mails zu deinem Konto gehen an sie:',
    confirm: 'Adresse bestätigen',
    done: 'Deine E-Mail-Adresse ist bestätigt',
    doneText: 'Du kannst dich jetzt damit anmelden.',
    problemTaken: 'Ein anderes Konto hat diese Adresse schon.',
    problemToken:
      'Dieser Link ist abgelaufen oder wurde schon benutzt. Ändere die Adresse noch einmal dort, wo du dich anmeldest.',
  },
});

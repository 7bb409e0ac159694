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
    hint: 'Mit dieser Adresse melden Sie sich an, und die E-Mails zu Ihrem Konto gehen an sie:',
    confirm: 'Adresse bestätigen',
    done: 'Ihre E-Mail-Adresse ist bestätigt',
    doneText: 'Sie können sich jetzt damit anmelden.',
    problemTaken: 'Ein anderes Konto hat diese Adresse schon.',
    problemToken:
      'Dieser Link ist abgelaufen oder wurde schon benutzt. Ändern Sie die Adresse noch einmal dort, wo Sie sich anmelden.',
  },
});

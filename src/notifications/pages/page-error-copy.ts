import { defineCopy } from '../../lib/formats/copy.js';

/** What a page says when there is nothing else to show. */
export const PAGE_ERROR_COPY = defineCopy({
  en: {
    notFoundTitle: 'This page cannot be opened',
    notFound: 'The link is wrong or no longer valid, or you opened it a while ago.',
    notFoundHelp: 'Open the newest link from your email again.',
    tooManyTitle: 'Too many attempts',
    tooMany: (minutes: number) =>
      `Please wait ${minutes === 1 ? 'one minute' : `${minutes} minutes`}, then open the link from your email again.`,
    cookieTitle: 'This page needs cookies',
    cookie:
      'Your browser has sent no cookie for this page: it does not accept cookies, or you opened the page a while ago.',
    cookieHelp: 'Allow cookies for this address, then open the newest link from your email again.',
    formTitle: 'The form was not accepted',
    form: 'It does not belong to the page that is open now, so nothing was changed.',
    formHelp: 'Open the link from your email again, and send the form once more.',
    failedTitle: 'That did not work',
    failed: 'Something went wrong on our side.',
    failedHelp: 'Please try again in a few minutes.',
  },
  de: {
    notFoundTitle: 'Diese Seite lässt sich nicht öffnen',
    notFound: 'Der Link ist falsch oder nicht mehr gültig, oder du hast ihn vor längerer Zeit geöffnet.',
    notFoundHelp: 'Öffne den neuesten Link aus deiner E-Mail noch einmal.',
    tooManyTitle: 'Zu viele Versuche',
    tooMany: (minutes) =>
      `Bitte warte ${minutes === 1 ? 'eine Minute' : `${minutes} Minuten`} und öffne dann den Link aus deiner E-Mail noch einmal.`,
    cookieTitle: 'Diese Seite braucht Cookies',
    cookie:
      'Dein Browser hat für diese Seite kein Cookie gesendet: Er nimmt keine Cookies an, oder du hast die Seite vor längerer Zeit geöffnet.',
    cookieHelp: 'Erlaube Cookies für diese Adresse und öffne dann den neuesten Link aus deiner E-Mail noch einmal.',
    formTitle: 'Das Formular wurde nicht angenommen',
    form: 'Es gehört nicht zu der Seite, die jetzt offen ist. Es wurde nichts geändert.',
    formHelp: 'Öffne den Link aus deiner E-Mail noch einmal und sende das Formular erneut.',
    failedTitle: 'Das hat nicht geklappt',
    failed: 'Bei uns ist etwas schiefgegangen.',
    failedHelp: 'Bitte versuch es in ein paar Minuten noch einmal.',
  },
});

import { defineCopy } from '../../lib/formats/copy.js';

/** The copy of the footer of every email. */
export const EMAIL_FRAME = defineCopy({
  en: {
    replies: (sender: string) => `${sender} sent this email automatically. You can reply to it.`,
    noReplies: (sender: string) => `${sender} sent this email automatically. Nobody reads replies to it.`,
  },
  de: {
    replies: (sender) => `${sender} hat diese E-Mail automatisch gesendet. Du kannst darauf antworten.`,
    noReplies: (sender) => `${sender} hat diese E-Mail automatisch gesendet. Antworten darauf liest niemand.`,
  },
});

import { textColorOn, USUAL_COLOR } from '../../lib/formats/colours.js';
import { type Templates } from '../../infrastructure/templates/templates.js';
import { EMAIL_FRAME } from './email-frame-copy.js';
import { type Email } from './email.types.js';

const TEMPLATE = 'emails/email';

/** The two versions of the body of an email. Mail programs show the HTML, or the text when they show none. */
export interface EmailBody {
  readonly text: string;
  readonly html: string;
}

/** @param sender the name in whose name the email is sent */
export function bodyOf(email: Email, sender: string, templates: Templates): EmailBody {
  const { language, subject, parts, shop } = email;
  const color = shop?.accentColor ?? USUAL_COLOR;
  const frame = EMAIL_FRAME[language];
  const hasReplies = shop !== null && shop.supportEmail !== null;
  const footer = hasReplies ? frame.replies(sender) : frame.noReplies(sender);
  const values = { language, subject, parts, sender, footer, color, onColor: textColorOn(color) };
  return { text: templates.text(TEMPLATE, values), html: templates.html(TEMPLATE, values) };
}

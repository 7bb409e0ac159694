import { textColorOn, USUAL_COLOR } from '../../lib/formats/colours.js';
import { API_PREFIX } from '../../http/addresses/api-prefix.js';
import { type Templates } from '../../infrastructure/templates/templates.js';
import { EMAIL_FRAME } from './email-frame-copy.js';
import { type Email, type EmailFact, type EmailPart } from './email.types.js';

const TEMPLATE = 'emails/email';

/** The two versions of the body of an email. Mail programs show the HTML, or the text when they show none. */
export interface EmailBody {
  readonly text: string;
  readonly html: string;
}

/** @param sender the name in whose name the email is sent @param base the address of the service, which has the logo */
export function bodyOf(email: Email, sender: string, templates: Templates, base: string): EmailBody {
  const { language, subject, shop } = email;
  const parts = email.parts.map(withRows);
  const color = shop?.accentColor ?? USUAL_COLOR;
  const frame = EMAIL_FRAME[language];
  const hasReplies = shop !== null && shop.supportEmail !== null;
  const footer = hasReplies ? frame.replies(sender) : frame.noReplies(sender);
  const logoId = shop?.logoId ?? null;
  const logo = shop === null || logoId === null ? '' : `${base}/${API_PREFIX}/images/public/${shop.id}/${logoId}?w=320`;
  const values = { language, subject, parts, sender, footer, color, onColor: textColorOn(color), logo };
  return { text: templates.text(TEMPLATE, values), html: templates.html(TEMPLATE, values) };
}

/** A part with its facts as pairs, as the templates show them. */
function withRows(part: EmailPart): object {
  return 'facts' in part ? { facts: part.facts.map(rowOf) } : part;
}

function rowOf(fact: EmailFact): readonly [name: string, value: string] {
  if ('nickname' in fact) return [fact.name, fact.nickname];
  return 'email' in fact ? [fact.name, fact.email] : fact;
}

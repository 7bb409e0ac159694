import { type Language } from '../../lib/formats/languages.js';

/** A name with its value. A value that names a buyer has a field of its own, in which an erasure finds it. */
export type EmailFact =
  | readonly [name: string, value: string]
  | { readonly name: string; readonly nickname: string }
  | { readonly name: string; readonly email: string };

/**
 * A part of the body of an email: a paragraph; something to copy, on a line of its own; names with their values; or a link to the
 * page where the reader can act.
 */
export type EmailPart =
  | { readonly text: string }
  | { readonly code: string }
  | { readonly facts: readonly EmailFact[] }
  | { readonly link: string; readonly label: string };

/** The content of an email, in the language of its reader. */
export interface EmailContent {
  readonly subject: string;
  readonly parts: readonly EmailPart[];
}

/** The shop in whose name an email is sent. */
export interface EmailedShop {
  readonly id: string;
  readonly displayName: string;
  readonly language: Language;
  /** The address that gets the replies; null: replies go nowhere. */
  readonly supportEmail: string | null;
  /** `#` and six hexadecimal digits; null: the usual colour. */
  readonly accentColor: string | null;
  /** An image that the shop has uploaded; absent or null: none. */
  readonly logoId?: string | null;
}

/** A person with an account. */
export interface EmailedPerson {
  readonly email: string;
  readonly language: Language;
}

export interface Email extends EmailContent {
  readonly to: string;
  readonly language: Language;
  /** null: the platform sends it. */
  readonly shop: EmailedShop | null;
  /** The order whose buyer gets it; null: it is for somebody else, or about no order. */
  readonly orderId: string | null;
  /** The invitation to a team that it contains; null: none. */
  readonly invitationId: string | null;
  /** Whether a person waits for it, as for a code. Such an email does not wait behind others. */
  readonly isAwaited: boolean;
}

/** An email in the name of a shop. */
export interface ShopEmail extends Email {
  readonly shop: EmailedShop;
}

/**
 * Who can cause an email to the buyer of an order. `anybody`: whoever types the address into a checkout, because no money is paid for the
 * order. `shop`: only the shop, or somebody who pays it, or the email has a limit of its own.
 */
export type EmailCause = 'anybody' | 'shop';

/** An email in the name of a shop, in its language. @param orderId the order whose buyer gets it */
export function shopEmail(
  to: string,
  shop: EmailedShop,
  content: EmailContent,
  orderId: string | null = null,
): ShopEmail {
  // Only these fields: a shop has more, and the email is stored.
  const { id, displayName, language, supportEmail, accentColor, logoId } = shop;
  return {
    to,
    language,
    ...content,
    shop: { id, displayName, language, supportEmail, accentColor, ...(logoId != null && { logoId }) },
    orderId,
    invitationId: null,
    isAwaited: false,
  };
}

/** An email about the account of a person. */
export function accountEmail({ email, language }: EmailedPerson, content: EmailContent): Email {
  return { to: email, language, ...content, shop: null, orderId: null, invitationId: null, isAwaited: false };
}

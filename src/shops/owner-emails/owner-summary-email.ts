import { type EmailContent } from '../../events/mail/email.types.js';
import { type OwnerEmail, type Shop } from '../shops/shop.types.js';
import { type NoticeKind, type WaitingNotices } from './owner-notice.types.js';
import { OWNER_SUMMARY_COPY } from './owner-summary-copy.js';

/** The setting that switches the emails of each kind off; null: nothing does. */
const SETTINGS: Readonly<Record<NoticeKind, OwnerEmail | null>> = {
  free_sale: 'sale',
  free_delivery_failed: 'delivery_failed',
  free_email_undelivered: null,
};

type SummaryShop = Pick<Shop, 'displayName' | 'language' | 'ownerEmails'>;

/**
 * The summary to an owner about orders of which no email was sent.
 * @param link how to list the orders
 * @returns null when the owners have switched all of them off
 */
export function ownerSummaryEmail(
  notices: readonly WaitingNotices[],
  { displayName, language, ownerEmails }: SummaryShop,
  link: string,
): EmailContent | null {
  const copy = OWNER_SUMMARY_COPY[language];
  const shown = notices.filter(({ kind }) => {
    const setting = SETTINGS[kind];
    return setting === null || ownerEmails.includes(setting);
  });
  if (shown.length === 0) return null;
  const facts = shown.map(({ kind, waiting, orderNames }) => ({
    facts: [
      [copy[kind], String(waiting)],
      [copy.latest, orderNames.join(', ')],
    ] as const,
  }));
  return {
    subject: copy.subject(displayName),
    parts: [{ text: copy.body(displayName) }, ...facts, { link, label: copy.list }],
  };
}

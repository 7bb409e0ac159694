/**
 * What anybody can cause an email to owners about: each is about an order with nothing to pay. `free_email_undelivered`: no email reaches its
 * buyer.
 */
export const NOTICE_KINDS = ['free_sale', 'free_delivery_failed', 'free_email_undelivered'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** The orders of one kind that wait for a summary. */
export interface WaitingNotices {
  readonly kind: NoticeKind;
  readonly waiting: number;
  /** How the latest of them are called, such as `#1042`. */
  readonly orderNames: readonly string[];
}

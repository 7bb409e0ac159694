import { SECOND_MS } from '../../lib/time/durations.js';

/**
 * Whom a limit can tell apart. `anonymous`: no credential. `storefront`: a storefront key, which every visitor has. Both count by address.
 * `identified`: any other credential, by which they count.
 */
export type CallerKind = 'anonymous' | 'storefront' | 'identified';

/** A number of requests in a sliding window, counted per subject. */
export interface Limit {
  readonly quota: number;
  readonly windowSeconds: number;
  /** Whether requests are rejected while Redis does not count, so that nobody can guess passwords or codes in that time. */
  readonly failClosed?: true;
  /** Whether requests with a key count for the person who created the key, because one person can create many keys. */
  readonly perPerson?: true;
  /** The only callers that count; without it, all do. */
  readonly only?: CallerKind;
  /** Whether all callers are counted together for the shop that the path names. */
  readonly perShop?: true;
}

const MINUTE = 60;

/** Every limit of the service. `RATE_LIMIT_FACTOR` multiplies the quotas. */
export const LIMITS = {
  /** Requests without a credential, unknown paths and unreadable bodies; per client address. */
  anonymous: { quota: 120, windowSeconds: MINUTE, only: 'anonymous' },
  /** Requests that fail because of the service before a limit counts them; per client address. Wide: they are not the caller's fault. */
  serviceErrors: { quota: 600, windowSeconds: MINUTE },
  /** Health checks; per client address. */
  health: { quota: 600, windowSeconds: MINUTE },
  /** Requests with a wrong credential; per client address. */
  failedCredentials: { quota: 60, windowSeconds: MINUTE },
  /** Per API key. */
  apiKey: { quota: 600, windowSeconds: MINUTE },
  /** Per shop, over all of its keys except storefront keys, because a shop can have many. */
  shopKeys: { quota: 1_200, windowSeconds: MINUTE },
  /** Per storefront key, over all visitors. It rejects nobody: above it, a request counts for `anonymous` of its address as well. */
  storefrontKey: { quota: 3_000, windowSeconds: MINUTE },
  /** Per person. */
  user: { quota: 300, windowSeconds: MINUTE },
  /** Refreshes; per client address. It is not against guessing: the tokens have 256 random bits. */
  refresh: { quota: 300, windowSeconds: 15 * MINUTE },
  /** Logins and registrations; per client address. */
  login: { quota: 30, windowSeconds: 15 * MINUTE, failClosed: true },
  /** Logins to one account from one network. A stranger elsewhere does not use up what the owner has. */
  loginAccount: { quota: 5, windowSeconds: 15 * MINUTE, failClosed: true },
  /** Logins to one account from all networks together, except those where the person has logged in before. */
  loginAccountTotal: { quota: 50, windowSeconds: 60 * MINUTE, failClosed: true },
  /** Codes of a second factor, for any purpose; per person. */
  secondFactor: { quota: 5, windowSeconds: 15 * MINUTE, failClosed: true },
  /** Confirmations of one's own password; per person. */
  passwordCheck: { quota: 10, windowSeconds: 15 * MINUTE, failClosed: true },
  /** Requests for a password reset; per email address, with or without an account. */
  passwordResetAccount: { quota: 3, windowSeconds: 60 * MINUTE, failClosed: true },
  /** Codes that prove the address of an account; per mailbox, which may be a stranger's. */
  addressProof: { quota: 5, windowSeconds: 60 * MINUTE, failClosed: true },
  /** Invitations, each of which sends an email to somebody who did not request it; per person, with all of their keys. */
  invitation: { quota: 60, windowSeconds: 60 * MINUTE, perPerson: true },
  /** Invitations to one email address, from all people and shops together. */
  invitationAddress: { quota: 5, windowSeconds: 60 * MINUTE },
  /** Discount validations; per key or person. */
  discountValidation: { quota: 120, windowSeconds: MINUTE, only: 'identified' },
  /** Discount validations with a storefront key; per client address. */
  visitorValidation: { quota: 20, windowSeconds: MINUTE, only: 'storefront' },
  /** The same of one shop, by all addresses together: this limits how fast codes are guessed from many of them. */
  shopValidation: { quota: 600, windowSeconds: MINUTE, only: 'storefront', perShop: true },
  /** DNS look-ups for a custom domain, each of which queries other people's name servers; per key or person. */
  domainVerification: { quota: 10, windowSeconds: MINUTE },
  /** Reverse proxies that look up whether a domain may get a certificate; per address, which is the one of the proxy. */
  allowedDomain: { quota: 1_200, windowSeconds: MINUTE },
  /** Public server status; per client address. */
  publicStatus: { quota: 60, windowSeconds: MINUTE },
  /** Storefronts that read their shop, without a key or with a storefront key; per client address. */
  publicShop: { quota: 300, windowSeconds: MINUTE, only: 'anonymous' },
  /** Reads of the widgets of shops; per client address. */
  widgets: { quota: 300, windowSeconds: MINUTE },
  /** Checkouts; per client address. Small, so that it takes many addresses to use up `publicCheckout` of a shop. */
  checkoutAddress: { quota: 30, windowSeconds: MINUTE, only: 'anonymous' },
  /** Well-formed quotes of one shop, by all callers together: they can test discount codes, and cost about as much as a checkout. */
  quote: { quota: 1_200, windowSeconds: MINUTE },
  /** The part of `quote` for callers without a key of the shop. The rest is kept for the keys. */
  publicQuote: { quota: 900, windowSeconds: MINUTE },
  /** Checkouts of one shop that could be placed, by all callers together: many buyers of one shop must not slow down the others. */
  checkout: { quota: 600, windowSeconds: MINUTE },
  /** The part of `checkout` for callers without a key of the shop. The rest is kept for the keys. */
  publicCheckout: { quota: 450, windowSeconds: MINUTE },
  /** Exports of the orders of one shop, by all callers together: each one can read all of them. */
  orderExport: { quota: 10, windowSeconds: MINUTE, perShop: true },
  /** Exports of the movements of money of one shop, in the same way. */
  paymentExport: { quota: 10, windowSeconds: MINUTE, perShop: true },
  /** Exports of everything that one shop has stored about a buyer, in the same way. */
  buyerExport: { quota: 10, windowSeconds: MINUTE, perShop: true },
  /** Requests for verification codes and reset tokens, and attempts to use them; per client address. */
  verificationCode: { quota: 10, windowSeconds: 15 * MINUTE, failClosed: true },
  /** Codes for a nickname change that are sent without the token of an order; per mailbox, over all networks and orders. */
  nicknameCodeMailbox: { quota: 10, windowSeconds: 24 * 60 * MINUTE },
  /** Emails about orders for which no money is paid, which anybody can cause; per mailbox, over all shops. The database counts them. */
  strangerEmails: { quota: 5, windowSeconds: 60 * MINUTE },
  /** All emails of one shop to the buyer of its orders; per mailbox. The database counts them too. */
  shopEmails: { quota: 100, windowSeconds: 60 * MINUTE },
  /** Payment notifications; per webhook. */
  webhook: { quota: 600, windowSeconds: MINUTE },
  /** Rejected payment notifications; per client address. */
  failedWebhook: { quota: 30, windowSeconds: MINUTE },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof LIMITS;

/** The number of requests that a limit allows, at least one. @param factor `RATE_LIMIT_FACTOR` */
export function quotaOf(name: LimitName, factor: number): number {
  return Math.max(1, Math.round(LIMITS[name].quota * factor));
}

export function windowMsOf(name: LimitName): number {
  return LIMITS[name].windowSeconds * SECOND_MS;
}

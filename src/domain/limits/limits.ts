import { SECOND_MS } from '../../lib/time/durations.js';

/**
 * Whom a limit can tell apart. `anonymous`: no credential. `storefront`: a storefront key, which every visitor has. Both count by address.
 * `identified`: any other credential, by which they count.
 */
export type CallerKind = 'anonymous' | 'storefront' | 'identified';

/** A number of requests in a sliding window, counted per subject. */
export interface Limit {
  /** What it counts, and for whom, for people. */
  readonly description: string;
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

/** Every limit of the service. `RATE_LIMIT_FACTOR` multiplies the quotas. `GET /meta` shows them with their descriptions. */
export const LIMITS = {
  anonymous: {
    description: 'Requests without a credential, unknown paths and unreadable bodies; per client address',
    quota: 120,
    windowSeconds: MINUTE,
    only: 'anonymous',
  },
  serviceErrors: {
    description: 'Requests that fail because of the service before a limit counts them; per client address',
    quota: 600,
    windowSeconds: MINUTE,
  },
  health: { description: 'Health checks; per client address', quota: 600, windowSeconds: MINUTE },
  failedCredentials: {
    description: 'Requests with a wrong credential; per client address',
    quota: 60,
    windowSeconds: MINUTE,
  },
  apiKey: { description: 'Requests with an API key; per key', quota: 600, windowSeconds: MINUTE },
  shopKeys: {
    description: 'Per shop, over all of its keys except storefront keys, because a shop can have many',
    quota: 1_200,
    windowSeconds: MINUTE,
  },
  storefrontKey: {
    description:
      'Per storefront key, over all visitors. It rejects nobody: above it, a request counts for `anonymous` ' +
      'of its address as well',
    quota: 3_000,
    windowSeconds: MINUTE,
  },
  user: { description: 'Requests of a signed-in person; per person', quota: 300, windowSeconds: MINUTE },
  refresh: {
    description: 'Refreshes; per client address. It is not against guessing: the tokens have 256 random bits',
    quota: 300,
    windowSeconds: 15 * MINUTE,
  },
  login: {
    description: 'Logins and registrations; per client address',
    quota: 30,
    windowSeconds: 15 * MINUTE,
    failClosed: true,
  },
  loginAccount: {
    description: 'Logins to one account from one network. A stranger elsewhere does not use up what the owner has',
    quota: 5,
    windowSeconds: 15 * MINUTE,
    failClosed: true,
  },
  loginAccountTotal: {
    description: 'Logins to one account from all networks together, except those where the person has logged in before',
    quota: 50,
    windowSeconds: 60 * MINUTE,
    failClosed: true,
  },
  secondFactor: {
    description: 'Codes of a second factor, for any purpose; per person',
    quota: 5,
    windowSeconds: 15 * MINUTE,
    failClosed: true,
  },
  passwordCheck: {
    description: "Confirmations of one's own password; per person",
    quota: 10,
    windowSeconds: 15 * MINUTE,
    failClosed: true,
  },
  passwordResetAccount: {
    description: 'Requests for a password reset; per email address, with or without an account',
    quota: 3,
    windowSeconds: 60 * MINUTE,
    failClosed: true,
  },
  addressProof: {
    description: "Codes that prove the address of an account; per mailbox, which may be a stranger's",
    quota: 5,
    windowSeconds: 60 * MINUTE,
    failClosed: true,
  },
  invitation: {
    description:
      'Invitations, each of which sends an email to somebody who did not request it; per person, with all ' +
      'of their keys',
    quota: 60,
    windowSeconds: 60 * MINUTE,
    perPerson: true,
  },
  invitationAddress: {
    description: 'Invitations to one email address, from all people and shops together',
    quota: 5,
    windowSeconds: 60 * MINUTE,
  },
  discountValidation: {
    description: 'Discount validations; per key or person',
    quota: 120,
    windowSeconds: MINUTE,
    only: 'identified',
  },
  visitorValidation: {
    description: 'Discount validations with a storefront key; per client address',
    quota: 20,
    windowSeconds: MINUTE,
    only: 'storefront',
  },
  shopValidation: {
    description:
      'Discount validations of one shop with storefront keys, by all addresses together: this limits how fast codes are guessed',
    quota: 600,
    windowSeconds: MINUTE,
    only: 'storefront',
    perShop: true,
  },
  domainVerification: {
    description:
      "DNS look-ups for a custom domain, each of which queries other people's name servers; per key or " + 'person',
    quota: 10,
    windowSeconds: MINUTE,
  },
  allowedDomain: {
    description:
      'Reverse proxies that look up whether a domain may get a certificate; per address, which is the one ' +
      'of the proxy',
    quota: 1_200,
    windowSeconds: MINUTE,
  },
  publicStatus: { description: 'Public server status; per client address', quota: 60, windowSeconds: MINUTE },
  publicShop: {
    description: 'Storefronts that read their shop, without a key or with a storefront key; per client address',
    quota: 300,
    windowSeconds: MINUTE,
    only: 'anonymous',
  },
  imageUpload: {
    description: 'Uploads of images; per person, with all of their keys',
    quota: 30,
    windowSeconds: MINUTE,
    perPerson: true,
  },
  publicImage: {
    description: 'Reads of images, of which a page has many; per client address',
    quota: 1_200,
    windowSeconds: MINUTE,
    only: 'anonymous',
  },
  widgets: { description: 'Reads of the widgets of shops; per client address', quota: 300, windowSeconds: MINUTE },
  checkoutAddress: {
    description:
      'Checkouts; per client address. Small, so that it takes many addresses to use up `publicCheckout` of ' + 'a shop',
    quota: 30,
    windowSeconds: MINUTE,
    only: 'anonymous',
  },
  quote: {
    description:
      'Well-formed quotes of one shop, by all callers together: they can test discount codes, and cost ' +
      'about as much as a checkout',
    quota: 1_200,
    windowSeconds: MINUTE,
  },
  publicQuote: {
    description: 'The part of `quote` for callers without a key of the shop. The rest is kept for the keys',
    quota: 900,
    windowSeconds: MINUTE,
  },
  checkout: {
    description:
      'Checkouts of one shop that could be placed, by all callers together: many buyers of one shop must ' +
      'not slow down the others',
    quota: 600,
    windowSeconds: MINUTE,
  },
  publicCheckout: {
    description: 'The part of `checkout` for callers without a key of the shop. The rest is kept for the keys',
    quota: 450,
    windowSeconds: MINUTE,
  },
  orderExport: {
    description: 'Exports of the orders of one shop, by all callers together: each one can read all of them',
    quota: 10,
    windowSeconds: MINUTE,
    perShop: true,
  },
  paymentExport: {
    description: 'Exports of the movements of money of one shop, by all callers together',
    quota: 10,
    windowSeconds: MINUTE,
    perShop: true,
  },
  buyerExport: {
    description: 'Exports of everything that one shop has stored about a buyer, by all callers together',
    quota: 10,
    windowSeconds: MINUTE,
    perShop: true,
  },
  verificationCode: {
    description:
      'Requests for verification codes, reset tokens and links of orders, and attempts to use them; per client address',
    quota: 10,
    windowSeconds: 15 * MINUTE,
    failClosed: true,
  },
  nicknameCodeMailbox: {
    description:
      'Codes for a nickname change that are sent without the token of an order; per mailbox, over all ' +
      'networks and orders',
    quota: 10,
    windowSeconds: 24 * 60 * MINUTE,
  },
  strangerEmails: {
    description:
      'Emails about orders for which no money is paid, which anybody can cause; per mailbox, over all ' +
      'shops. The database counts them',
    quota: 5,
    windowSeconds: 60 * MINUTE,
  },
  shopEmails: {
    description: 'All emails of one shop to the buyer of its orders; per mailbox. The database counts them too',
    quota: 100,
    windowSeconds: 60 * MINUTE,
  },
  webhook: { description: 'Payment notifications; per webhook', quota: 600, windowSeconds: MINUTE },
  failedWebhook: {
    description: 'Rejected payment notifications; per client address',
    quota: 30,
    windowSeconds: MINUTE,
  },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof LIMITS;

/** The number of requests that a limit allows, at least one. @param factor `RATE_LIMIT_FACTOR` */
export function quotaOf(name: LimitName, factor: number): number {
  return Math.max(1, Math.round(LIMITS[name].quota * factor));
}

export function windowMsOf(name: LimitName): number {
  return LIMITS[name].windowSeconds * SECOND_MS;
}

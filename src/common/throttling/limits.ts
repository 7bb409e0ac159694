/** A number of requests in a sliding window, counted per subject. */
export interface Limit {
  readonly quota: number;
  readonly windowSeconds: number;
  /** Whether the door stays shut while the shared counter is out of reach: so that an outage opens no guessing. */
  readonly failClosed?: true;
  /** Whether the feature counts by itself, because its subject is not the caller's address. */
  readonly countedByFeature?: true;
  /** Whether keys are counted under the person who made them: somebody can make any number of keys. */
  readonly perPerson?: true;
}

const MINUTE = 60;

/** Every limit of the service. `RATE_LIMIT_FACTOR` multiplies the quotas. */
export const LIMITS = {
  /** Requests without a credential, unknown paths and unreadable bodies; per client address. */
  anonymous: { quota: 120, windowSeconds: MINUTE },
  /** Health checks; per client address. */
  health: { quota: 600, windowSeconds: MINUTE },
  /** Requests whose credential was refused; per client address. */
  failedCredentials: { quota: 60, windowSeconds: MINUTE },
  /** Per API key. */
  apiKey: { quota: 600, windowSeconds: MINUTE },
  /** Per person. */
  user: { quota: 300, windowSeconds: MINUTE },
  /** Refreshes; per client address. No guessing guard: the tokens have 256 random bits. */
  refresh: { quota: 300, windowSeconds: 15 * MINUTE },
  /** Logins and registrations; per client address. */
  login: { quota: 30, windowSeconds: 15 * MINUTE, failClosed: true },
  /** Logins per account, whatever the address. */
  loginAccount: { quota: 5, windowSeconds: 15 * MINUTE, failClosed: true },
  /** Codes of a second factor, whatever they are for; per person. */
  secondFactor: { quota: 5, windowSeconds: 15 * MINUTE, failClosed: true },
  /** Confirmations of the own password; per person. */
  passwordCheck: { quota: 10, windowSeconds: 15 * MINUTE, failClosed: true },
  /** Requests for a password reset per address that is asked for, whether or not it has an account. */
  passwordResetAccount: { quota: 3, windowSeconds: 60 * MINUTE, failClosed: true },
  /** Invitations, each of which mails somebody who did not ask for it; per person, with all of their keys. */
  invitation: { quota: 60, windowSeconds: 60 * MINUTE, perPerson: true },
  /** Invitations to one mailbox, whoever sends them from whatever shop. */
  invitationAddress: { quota: 5, windowSeconds: 60 * MINUTE },
  /** Discount validations; per key or person. */
  discountValidation: { quota: 120, windowSeconds: MINUTE },
  /** Look-ups of a custom domain's record, each of which asks other people's name servers; per key or person. */
  domainVerification: { quota: 10, windowSeconds: MINUTE },
  /** Public server status; per client address. */
  publicStatus: { quota: 60, windowSeconds: MINUTE },
  /** Storefronts that look their shop up; per client address. */
  publicShop: { quota: 300, windowSeconds: MINUTE },
  /** Requests for and tries of verification codes and reset tokens; per client address. */
  verificationCode: { quota: 10, windowSeconds: 15 * MINUTE, failClosed: true },
  /** Payment notifications; per webhook. */
  webhook: { quota: 600, windowSeconds: MINUTE, countedByFeature: true },
  /** Payment notifications that were refused; per client address. */
  failedWebhook: { quota: 30, windowSeconds: MINUTE },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof LIMITS;

/** What a shop can require a buyer to agree to. */
export const CONSENT_KINDS = ['terms', 'immediate_delivery'] as const;
export type ConsentKind = (typeof CONSENT_KINDS)[number];

/** The largest version: a shop cannot have more of them than its quota. */
export const MAX_CONSENT_VERSION = 1_000_000;

/** Names one version of what a shop requires. */
export interface ConsentVersion {
  readonly kind: ConsentKind;
  readonly version: number;
}

/** What a buyer agrees to, in the words that the buyer sees. */
export interface ConsentWording {
  readonly kind: ConsentKind;
  /** The sentence beside the box. */
  readonly statement: string;
  /** The document that the sentence names: small Markdown, or a page elsewhere. Both are null without a document. */
  readonly text: string | null;
  readonly url: string | null;
}

/** A wording that a shop requires now. */
export interface RequiredConsent {
  readonly kind: ConsentKind;
  /** From 1, for each kind of a shop. */
  readonly version: number;
  /** SHA-256 of the wording (`hashOf`), in hexadecimal digits. */
  readonly hash: string;
  readonly statement: string;
}

/** A wording that a shop requires or has required: kept once, for all orders whose buyers agreed to it. */
export interface ConsentText extends ConsentWording {
  readonly id: string;
  readonly shopId: string;
  readonly version: number;
  readonly hash: string;
  readonly createdAt: Date;
}

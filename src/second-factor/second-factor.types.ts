/** The second factor of a person, as stored. */
export interface SecondFactor {
  readonly userId: string;
  /** The shared secret, encrypted. */
  readonly sealedSecret: string;
  /** The time step of the latest used code. Codes of this step and of earlier ones no longer work. */
  readonly lastStep: number;
  readonly recoveryCodesLeft: number;
}

/** A code that was right when it was checked. `spend` uses it, which works once. */
export type CheckedCode =
  | { readonly kind: 'app'; readonly userId: string; readonly sealedSecret: string; readonly step: number }
  | { readonly kind: 'recovery'; readonly userId: string; readonly hash: string };

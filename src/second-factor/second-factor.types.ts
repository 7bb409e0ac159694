/** The second factor of a person, as stored. */
export interface SecondFactor {
  readonly userId: string;
  /** The shared secret, encrypted. */
  readonly sealedSecret: string;
  /** The time step of the latest code that was used: no code of it or of an earlier one works again. */
  readonly lastStep: number;
  readonly recoveryCodesLeft: number;
}

/** A code that was right when it was looked at. It counts only when it is spent, which works once. */
export type CheckedCode =
  | { readonly kind: 'app'; readonly userId: string; readonly sealedSecret: string; readonly step: number }
  | { readonly kind: 'recovery'; readonly userId: string; readonly hash: string };

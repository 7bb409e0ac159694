/** The second factor of a person, as stored. */
export interface SecondFactor {
  readonly id: string;
  readonly userId: string;
  /** The shared secret, encrypted. */
  readonly sealedSecret: string;
  /** The key of the hashes of the recovery codes, encrypted. null: it still waits for its first code, so there are none. */
  readonly sealedRecoveryKey: string | null;
  /** The keyed hash of the code that was sent to the address of the person; null: the address was proven already. */
  readonly emailCodeHash: string | null;
  /** The time step of the latest used code. Codes of this step and of earlier ones no longer work. */
  readonly lastStep: number;
  readonly recoveryCodesLeft: number;
}

/** What is encrypted in a second factor. */
export type SealedFields = Pick<SecondFactor, 'sealedSecret' | 'sealedRecoveryKey'>;

/** A secret that waits for its first code, as it is stored. */
export interface StoredSetup extends Pick<SecondFactor, 'sealedSecret' | 'emailCodeHash'> {
  readonly pendingUntil: Date;
}

/** Recovery codes as they are stored: their keyed hashes, and the key, encrypted. */
export interface StoredRecoveryCodes {
  readonly recoveryHashes: readonly string[];
  readonly sealedRecoveryKey: string;
}

/** A code that was right when it was checked. `spend` uses it, which works once. */
export type CheckedCode =
  | { readonly kind: 'app'; readonly userId: string; readonly factorId: string; readonly step: number }
  | { readonly kind: 'recovery'; readonly userId: string; readonly hash: string };

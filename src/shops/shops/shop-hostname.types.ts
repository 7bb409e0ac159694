/** The claim of a shop on a hostname. */
export interface HostnameClaim {
  readonly hostname: string;
  /** The value that the TXT record must contain. */
  readonly token: string;
}

/** What the checks of a verified hostname found so far. */
export interface ProofState {
  /** When the next check is due. A process that checks moves it ahead, so that no other process does the same. */
  readonly checkAt: Date;
  /** How many checks in a row found that the record does not exist. */
  readonly misses: number;
  /** Since when the record is missing; null while it exists. */
  readonly missingSince: Date | null;
}

/** The proof of a verified hostname: the token of its TXT record, and what the checks found. */
export interface HostnameProof extends ProofState {
  readonly token: string;
}

/** A verified hostname with its shop and its proof. */
export interface VerifiedHostname extends HostnameProof {
  readonly shopId: string;
  readonly shopName: string;
  readonly hostname: string;
}

/** Who requests a code, or sends one. Everybody has codes and limits of their own for each order. */
export interface CodeHolder {
  readonly orderId: string;
  /** `buyer` for a request with the token of the order, otherwise a keyed hash of the order and the network of the request. */
  readonly holder: string;
}

/** Who sends a request about a nickname. */
export interface Requester {
  readonly address: string | undefined;
  /** The value of `X-Order-Token`. Without it, or with a wrong one, the requester is only known by the address. */
  readonly orderToken: string | undefined;
  /** Whether the requester has proved in another way to be the buyer: on the page of the order. */
  readonly isBuyer?: true;
}

/** The verification code of one holder for one order, and the counters for its limits. */
export interface CodeState {
  /** HMAC-SHA-256 of the order and the code. */
  codeHash: string;
  attemptsLeft: number;
  expiresAt: Date;
  usedAt: Date | null;
  /** The UTC day (`2026-11-21`) of the two counters below. */
  day: string;
  failedToday: number;
  sentToday: number;
  /** When the latest codes were sent, newest last. */
  sentAt: Date[];
}

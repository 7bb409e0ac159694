/** The verification code of one order, and the counters for its limits. */
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

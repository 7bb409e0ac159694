/** One login of one person: the family of refresh tokens that rotate from it, and every access token made for it. */
export interface Session {
  readonly id: string;
  readonly userId: string;
  readonly expiresAt: Date;
}

/** A session as its person sees it. */
export interface SessionDetails extends Session {
  readonly createdAt: Date;
  /** The login, or the latest refresh since. */
  readonly lastUsedAt: Date;
  /** What the client said of itself at the login; null when it said nothing. */
  readonly device: string | null;
}

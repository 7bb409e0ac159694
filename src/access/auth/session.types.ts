/** One login of one person. All its refresh tokens and access tokens belong to it. */
export interface Session {
  readonly id: string;
  readonly userId: string;
  readonly expiresAt: Date;
}

/** A session as it is shown to its person. */
export interface SessionDetails extends Session {
  readonly createdAt: Date;
  /** The time of the login, or of the latest refresh. */
  readonly lastUsedAt: Date;
  /** The `User-Agent` of the client at the login; null when it sent none. */
  readonly device: string | null;
}

/** The tokens that a client needs to act as a person. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** How long the access token is valid, in seconds. */
  readonly expiresIn: number;
}

export type NewSession = Pick<SessionDetails, 'createdAt' | 'expiresAt' | 'device'>;

/** One login of one person: the family of refresh tokens that rotate from it, and every access token made for it. */
export interface Session {
  readonly id: string;
  readonly userId: string;
  readonly expiresAt: Date;
}

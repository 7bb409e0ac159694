/** Who used a token, and for which shop. */
export interface TokenUse {
  readonly userId: string;
  /** null: the token is about no shop. */
  readonly shopId: string | null;
}

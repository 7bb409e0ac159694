/** A person with an account. */
export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly createdAt: Date;
}

/** A person who gave the right password, and since when it is the right one: it holds until somebody changes it. */
export interface ProvenPerson {
  readonly user: User;
  /** null: since the registration. */
  readonly passwordChangedAt: Date | null;
}

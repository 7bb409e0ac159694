/** A person with an account. */
export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly createdAt: Date;
}

/** A person who gave the right password. It is proved until somebody changes the password. */
export interface ProvenPerson {
  readonly user: User;
  /** When the proved password was set; null: at the registration. */
  readonly passwordChangedAt: Date | null;
}

export interface NewUser {
  readonly email: string;
  readonly name: string;
  /** Made by `UsersService.hashPassword`. */
  readonly passwordHash: string;
  readonly createdAt: Date;
}

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

/**
 * A device that a person has logged in from, as keyed hashes: enough to recognise it, and nothing about it can be read.
 */
export interface KnownDevice {
  readonly network: string;
  /** The program and its network. */
  readonly device: string;
}

/** What decides how often an account may be tried. */
export interface LoginHistory {
  /** null: no change since the registration. */
  readonly passwordChangedAt: Date | null;
  readonly knownDevices: readonly KnownDevice[];
}

export interface NewUser {
  readonly email: string;
  readonly name: string;
  /** Made by `UsersService.hashPassword`. */
  readonly passwordHash: string;
  readonly knownDevices: readonly KnownDevice[];
  readonly createdAt: Date;
}

import { type Language } from '../../lib/formats/languages.js';

/** How many characters the name of a person has at most. */
export const MAX_USER_NAME_LENGTH = 80;

/** A person with an account. */
export interface User {
  readonly id: string;
  readonly email: string;
  /** Whether the person has used a token or a code from an email to the address. */
  readonly isEmailProven: boolean;
  readonly name: string;
  /** The language of the browser with which the person registered, and of the emails about the account. */
  readonly language: Language;
  readonly createdAt: Date;
}

/** A person who gave the right password. This proof is valid until the password changes. */
export interface ProvenPerson {
  readonly user: User;
  /** When the given password was set; null: at the registration. */
  readonly passwordChangedAt: Date | null;
}

/**
 * A device that a person has logged in from, as keyed hashes: enough to recognise it, but they show nothing about it.
 */
export interface KnownDevice {
  readonly network: string;
  /** The program and its network. */
  readonly device: string;
}

/** What decides how many login attempts an account has. */
export interface LoginHistory {
  /** null: no change since the registration. */
  readonly passwordChangedAt: Date | null;
  /** How often the person logged in. */
  readonly logins: number;
  readonly knownDevices: readonly KnownDevice[];
}

export interface NewUser {
  readonly email: string;
  readonly name: string;
  readonly language: Language;
  /** Created by `UsersService.hashPassword`; null: the person sets one with a link from the operator. */
  readonly passwordHash: string | null;
  readonly knownDevices: readonly KnownDevice[];
  readonly createdAt: Date;
}

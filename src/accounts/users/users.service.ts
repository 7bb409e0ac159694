import { Injectable } from '@nestjs/common';
import { AppError } from '../../domain/errors/app-error.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { PasswordHasher } from './password-hasher.js';
import { type KnownDevice, type LoginHistory, type NewUser, type ProvenPerson, type User } from './user.types.js';
import { UsersRepository } from './users.repository.js';

/** Accounts of people. */
@Injectable()
export class UsersService {
  constructor(
    private readonly users: UsersRepository,
    private readonly hasher: PasswordHasher,
  ) {}

  /** @throws AppError email_taken */
  register(person: Omit<NewUser, 'createdAt'>, transaction: Transaction): Promise<User> {
    return this.users.insert({ ...person, createdAt: new Date() }, transaction);
  }

  /**
   * The person with this address and password, or null; both cases take the same time.
   * @param count counts the attempt before the password is checked, and throws when there were too many. It gets null when
   *   there is no such person
   */
  async authenticate(
    email: string,
    password: string,
    count: (history: LoginHistory | null) => Promise<void>,
  ): Promise<ProvenPerson | null> {
    const person = await this.users.findWithPassword({ email });
    await count(person);
    return this.prove(person, password);
  }

  /** @throws AppError password_wrong */
  async confirmPassword(userId: string, password: string): Promise<ProvenPerson> {
    const proven = await this.prove(await this.users.findWithPassword({ _id: userId }), password);
    if (proven === null) throw new AppError('password_wrong');
    return proven;
  }

  /** Counts a login and returns whether its device was known; null when the password was changed after it was checked. */
  countLogin(
    person: ProvenPerson,
    device: KnownDevice,
    transaction: Transaction,
  ): Promise<'known_device' | 'new_device' | null> {
    return this.users.countLogin(person, device, transaction);
  }

  /** Hashes a password. It takes a while, so call it before the transaction that stores the hash. */
  hashPassword(password: string): Promise<string> {
    return this.hasher.hash(password);
  }

  /** Sets the password of a person who gave the current one; false when it was changed after it was checked. */
  changePassword(proven: ProvenPerson, passwordHash: string, transaction: Transaction): Promise<boolean> {
    const change = { passwordHash, passwordChangedAt: new Date() };
    return this.users.setPassword(proven.user.id, change, proven, transaction);
  }

  /** Sets the password of a person who did not give the current one. Forgets all devices: they may be a stranger's. */
  async resetPassword(userId: string, passwordHash: string, transaction: Transaction): Promise<void> {
    const change = { passwordHash, passwordChangedAt: new Date(), knownDevices: [] };
    await this.users.setPassword(userId, change, null, transaction);
  }

  /** Whether a person has set a password: not yet, when the operator has created the account. */
  hasPassword(userId: string, transaction: Transaction | null): Promise<boolean> {
    return this.users.hasPassword(userId, transaction);
  }

  /** @throws AppError authentication_required when the account no longer exists */
  async rename(userId: string, name: string, transaction: Transaction): Promise<User> {
    const renamed = await this.users.rename(userId, name, transaction);
    if (renamed === null) throw new AppError('authentication_required');
    return renamed;
  }

  /**
   * Gives a person another address, which a token from an email to it has proved; false when the password was changed after the person
   * gave it.
   * @param proof when the password was set that the person gave
   * @throws AppError email_taken
   */
  changeEmail(
    userId: string,
    email: string,
    proof: Pick<ProvenPerson, 'passwordChangedAt'>,
    transaction: Transaction,
  ): Promise<boolean> {
    return this.users.setEmail(userId, email, proof, transaction);
  }

  /** Deletes the account of a person who gave the password; false when it was changed after it was checked. */
  remove(proven: ProvenPerson, transaction: Transaction): Promise<boolean> {
    return this.users.remove(proven, transaction);
  }

  /** Stores that the address is the person's: they used a token or a code from an email to it. */
  proveEmail(userId: string, transaction: Transaction): Promise<void> {
    return this.users.proveEmail(userId, new Date(), transaction);
  }

  /** A batch of all people in the order of their ids, for the operator. @param id the last one of the batch before */
  listAfter(id: string | null, limit: number): Promise<User[]> {
    return this.users.listAfter(id, limit);
  }

  /** Whether there are no accounts. */
  isEmpty(): Promise<boolean> {
    return this.users.isEmpty();
  }

  findByEmail(email: string, transaction: Transaction | null): Promise<User | null> {
    return this.users.findByEmail(email, transaction);
  }

  /** @throws AppError authentication_required when the account no longer exists */
  async get(id: string, transaction: Transaction | null): Promise<User> {
    const user = await this.findById(id, transaction);
    if (user === null) throw new AppError('authentication_required');
    return user;
  }

  findById(id: string, transaction: Transaction | null): Promise<User | null> {
    return this.users.findById(id, transaction);
  }

  /** The people with these ids, by id. */
  async byIds(ids: readonly string[], transaction: Transaction | null): Promise<ReadonlyMap<string, User>> {
    const users = await this.users.findByIds(ids, transaction);
    return new Map(users.map((user) => [user.id, user]));
  }

  private async prove(
    person: (ProvenPerson & { readonly passwordHash: string | null }) | null,
    password: string,
  ): Promise<ProvenPerson | null> {
    const fits = await this.hasher.verify(person?.passwordHash ?? null, password);
    if (!fits || person === null) return null;
    const { user, passwordChangedAt } = person;
    return { user, passwordChangedAt };
  }
}

import { Injectable } from '@nestjs/common';
import { AppError } from '../common/errors/app-error.js';
import { type Transaction } from '../database/transactions.js';
import { PasswordHasher } from './password-hasher.js';
import { type ProvenPerson, type User } from './user.types.js';
import { UsersRepository } from './users.repository.js';

/** Accounts of people. */
@Injectable()
export class UsersService {
  constructor(
    private readonly users: UsersRepository,
    private readonly hasher: PasswordHasher,
  ) {}

  /**
   * @param person with the hash that `hashPassword` made
   * @throws AppError email_taken
   */
  register(person: { email: string; name: string; passwordHash: string }, transaction?: Transaction): Promise<User> {
    return this.users.insert({ ...person, createdAt: new Date() }, transaction);
  }

  /**
   * The person with this address and password, or null; both cases take the same time.
   * @param count counts the try before the password is looked at, and throws when it is one too many. It learns since when
   *   the password is what it is; null: since the registration, or there is nobody
   */
  async authenticate(
    email: string,
    password: string,
    count: (passwordChangedAt: Date | null) => Promise<void>,
  ): Promise<ProvenPerson | null> {
    const person = await this.users.findWithPassword({ email });
    await count(person?.passwordChangedAt ?? null);
    return this.prove(person, password);
  }

  /** @throws AppError password_wrong */
  async confirmPassword(userId: string, password: string): Promise<ProvenPerson> {
    const proven = await this.prove(await this.users.findWithPassword({ _id: userId }), password);
    if (proven === null) throw new AppError('password_wrong');
    return proven;
  }

  /** Takes part in a login; false when the password was changed since it was proved. */
  countLogin(person: ProvenPerson, transaction: Transaction): Promise<boolean> {
    return this.users.countLogin(person, transaction);
  }

  /** The hash to hand to what sets a password: made before its transaction, because it takes a while. */
  hashPassword(password: string): Promise<string> {
    return this.hasher.hash(password);
  }

  /** Sets a password; false when `proven` is given and the password was changed since it was proved. */
  setPassword(userId: string, passwordHash: string, transaction: Transaction, proven?: ProvenPerson): Promise<boolean> {
    return this.users.setPassword(userId, { passwordHash, passwordChangedAt: new Date() }, transaction, proven);
  }

  /** Notes that a person reads the mails of their address; true the first time: until then it could be anybody's. */
  proveEmail(userId: string, transaction: Transaction): Promise<boolean> {
    return this.users.proveEmail(userId, new Date(), transaction);
  }

  /** Whether nobody has an account. */
  isEmpty(): Promise<boolean> {
    return this.users.isEmpty();
  }

  findByEmail(email: string): Promise<User | null> {
    return this.users.findByEmail(email);
  }

  /** @throws AppError authentication_required when there is no such person any more */
  async get(id: string): Promise<User> {
    const user = await this.users.findById(id);
    if (user === null) throw new AppError('authentication_required');
    return user;
  }

  findById(id: string): Promise<User | null> {
    return this.users.findById(id);
  }

  /** The people with these ids, by id. */
  async byIds(ids: readonly string[]): Promise<ReadonlyMap<string, User>> {
    const users = await this.users.findByIds(ids);
    return new Map(users.map((user) => [user.id, user]));
  }

  private async prove(
    person: (ProvenPerson & { readonly passwordHash: string }) | null,
    password: string,
  ): Promise<ProvenPerson | null> {
    const fits = await this.hasher.verify(person?.passwordHash ?? null, password);
    if (!fits || person === null) return null;
    const { user, passwordChangedAt } = person;
    return { user, passwordChangedAt };
  }
}

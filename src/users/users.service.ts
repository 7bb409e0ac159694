import { Injectable } from '@nestjs/common';
import { PasswordHasher } from './password-hasher.js';
import { type User } from './user.types.js';
import { UsersRepository } from './users.repository.js';

/** Accounts of people. */
@Injectable()
export class UsersService {
  constructor(
    private readonly users: UsersRepository,
    private readonly hasher: PasswordHasher,
  ) {}

  /** @throws AppError email_taken */
  async register(input: { email: string; name: string; password: string }): Promise<User> {
    const passwordHash = await this.hasher.hash(input.password);
    return this.users.insert({ email: input.email, name: input.name, passwordHash, createdAt: new Date() });
  }

  /** The person with this address and password, or null; both cases take the same time. */
  async authenticate(email: string, password: string): Promise<User | null> {
    const found = await this.users.findWithPassword(email);
    const fits = await this.hasher.verify(found?.passwordHash ?? null, password);
    return fits && found ? found.user : null;
  }

  /** Whether nobody has an account. */
  isEmpty(): Promise<boolean> {
    return this.users.isEmpty();
  }

  findById(id: string): Promise<User | null> {
    return this.users.findById(id);
  }

  /** The people with these ids, by id. */
  async byIds(ids: readonly string[]): Promise<ReadonlyMap<string, User>> {
    const users = await this.users.findByIds(ids);
    return new Map(users.map((user) => [user.id, user]));
  }
}

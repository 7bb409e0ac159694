import { randomBytes } from 'node:crypto';
import { type INestApplicationContext } from '@nestjs/common';
import { ApiKeysService } from '../../access/api-keys/api-keys.service.js';
import { type ApiKeyType, TYPE_CEILINGS } from '../../access/api-keys/api-key.types.js';
import { AccessTokens } from '../../access/auth/access-tokens.js';
import { SessionsService } from '../../access/auth/sessions.service.js';
import { type AuthContext } from '../../domain/principal/auth-context.js';
import { type Permission, type Role } from '../../domain/principal/permissions.js';
import { LANGUAGES } from '../../lib/formats/languages.js';
import { DAY_MS, SECOND_MS } from '../../lib/time/durations.js';
import { Transactions } from '../../infrastructure/database/transactions.js';
import { newCreation } from '../../infrastructure/idempotency/creation.js';
import { MembershipsService } from '../../shops/memberships/memberships.service.js';
import { UsersService } from '../../accounts/users/users.service.js';

/** A demo token is valid longer than a real one, so that the printed lines work for a day. */
const DEMO_TOKEN_SECONDS = DAY_MS / SECOND_MS;

export interface DemoPerson {
  readonly userId: string;
  readonly email: string;
  readonly password: string;
}

/** Creates the people and keys of the demo shop. */
export class DemoPeople {
  private readonly users: UsersService;
  private readonly sessions: SessionsService;
  private readonly accessTokens: AccessTokens;
  private readonly memberships: MembershipsService;
  private readonly apiKeys: ApiKeysService;
  private readonly transactions: Transactions;

  constructor(app: INestApplicationContext) {
    this.users = app.get(UsersService);
    this.sessions = app.get(SessionsService);
    this.accessTokens = app.get(AccessTokens);
    this.memberships = app.get(MembershipsService);
    this.apiKeys = app.get(ApiKeysService);
    this.transactions = app.get(Transactions);
  }

  async make(email: string, name: string): Promise<DemoPerson> {
    const password = `demo-${randomBytes(9).toString('base64url')}`;
    const passwordHash = await this.users.hashPassword(password);
    const { id: userId } = await this.transactions.run((transaction) =>
      this.users.register({ email, name, language: LANGUAGES[0], passwordHash, knownDevices: [] }, transaction),
    );
    return { userId, email, password };
  }

  join(shopId: string, userId: string, role: Role): Promise<void> {
    return this.transactions.run((transaction) => this.memberships.add(shopId, userId, role, transaction));
  }

  /** Creates a key, by default with every permission of its type. */
  async makeKey(
    auth: AuthContext,
    shopId: string,
    type: ApiKeyType,
    name: string,
    permissions: readonly Permission[] = TYPE_CEILINGS[type],
  ): Promise<{ id: string; key: string }> {
    const { record, key } = await this.apiKeys.create(auth, newCreation(), { shopId, name, type, permissions });
    return { id: record.id, key };
  }

  /** Returns an access token of a new session of the person. */
  async tokenFor(userId: string): Promise<string> {
    const { session } = await this.transactions.run((transaction) =>
      this.sessions.open(userId, 'The lines in demo.json', transaction),
    );
    return this.accessTokens.issue(userId, session.id, DEMO_TOKEN_SECONDS);
  }
}

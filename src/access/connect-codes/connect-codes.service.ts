import { Injectable } from '@nestjs/common';
import { ServersService } from '../../catalogue/servers/servers.service.js';
import { AppError } from '../../domain/errors/app-error.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { type Permission } from '../../domain/principal/permissions.js';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { AuditService } from '../../events/audit/audit.service.js';
import { Transactions } from '../../infrastructure/database/transactions.js';
import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { randomSecret } from '../../lib/crypto/opaque-token.js';
import { newObjectId } from '../../lib/ids/object-id.js';
import { MINUTE_MS } from '../../lib/time/durations.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { derivedKey } from '../api-keys/key-format.js';
import { generateConnectCode } from './connect-code-format.js';
import { type ConnectCode } from './connect-code.schema.js';
import { ConnectCodesRepository } from './connect-codes.repository.js';

const CODE_MS = 15 * MINUTE_MS;
/** What an agent needs: deliveries, and heartbeats with the players. */
const AGENT_PERMISSIONS: readonly Permission[] = ['deliveries:write', 'servers:report'];

/** A code, which is known only now, and until when it can be used. */
export interface ShownCode {
  readonly code: string;
  readonly expiresAt: Date;
}

/** What an agent gets for a code. */
export interface Connected {
  readonly key: string;
  readonly keyId: string;
  readonly shopId: string;
  readonly serverId: string;
  readonly serverName: string;
}

/** Connects an agent with a game server without a key that a person copies. */
@Injectable()
export class ConnectCodesService {
  constructor(
    private readonly codes: ConnectCodesRepository,
    private readonly keys: ApiKeysService,
    private readonly servers: ServersService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Makes a code for a game server. Only a person who is signed in can: a key that makes keys would outlive its own revocation.
   * @throws AppError permission_missing, server_not_found
   */
  async create({ kind, userId, shopId, principal, permissions }: ShopContext, serverId: string): Promise<ShownCode> {
    await this.servers.requireAll(shopId, [serverId]);
    if (kind !== 'user') {
      throw new AppError('permission_missing', {
        message: 'Only a person with a bearer token can make a connect code',
      });
    }
    const [code, expiresAt] = [generateConnectCode(), new Date(Date.now() + CODE_MS)];
    const record: Omit<ConnectCode, 'id'> = {
      ...{ shopId, serverId, userId, codeHash: sha256(code), keyId: newObjectId(), usedBy: null, expiresAt },
      permissions: AGENT_PERMISSIONS.filter((permission) => permissions.has(permission)),
    };
    await this.transactions.run(async (transaction) => {
      await this.codes.insert(record, transaction);
      const changes = changesBetween(null, { expiresAt, permissions: record.permissions });
      const entry = { action: 'server.connect_code_created', subjectId: serverId, changes } as const;
      await this.audit.record({ shopId, principal }, entry, transaction);
    });
    return { code, expiresAt };
  }

  /**
   * Exchanges a code for a key that is bound to its game server, and belongs to the person who made the code. The same request gets the same key
   * again while the code lives, so that an agent that did not receive the response is not locked out: the key is derived from the code and the
   * request, and stored nowhere.
   * @param named the `Idempotency-Key` of the request; null: it is no repetition
   * @throws AppError connect_code_invalid; what `ApiKeysService.create` throws
   */
  async connect(code: string, named: string | null): Promise<Connected> {
    const request = named ?? randomSecret();
    const { used, serverName } = await this.transactions.run(async (transaction) => {
      const found = await this.codes.use(sha256(code), sha256(request), new Date(), transaction);
      const name = found && (await this.servers.nameOf(found.shopId, found.serverId, transaction));
      return { used: found, serverName: name };
    });
    if (used === null || serverName === null) throw new AppError('connect_code_invalid');
    const { shopId, serverId, userId, keyId, permissions } = used;
    const key = derivedKey(`${code} ${request}`);
    const auth = { principal: `user:${userId}`, kind: 'user', userId, credentialId: used.id } as const;
    const input = { shopId, name: `Agent of ${serverName}`.slice(0, 64), type: 'plugin', permissions } as const;
    try {
      await this.keys.create(auth, { id: keyId, isRepeated: true }, { ...input, serverIds: [serverId] }, key);
    } catch (error) {
      // The same request has created it before.
      if (!(error instanceof AppError && error.code === 'secret_shown_once')) throw error;
    }
    return { key, keyId, shopId, serverId, serverName };
  }
}

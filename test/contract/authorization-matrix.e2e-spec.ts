import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { API_KEY_TYPES, TYPE_CEILINGS } from '../../src/api-keys/api-key.types.js';
import { type Permission, ROLE_NAMES, ROLES } from '../../src/common/auth/permissions.js';
import { claimsOf, sign } from '../auth/forged-tokens.js';
import { aKey, aMember, aPerson, aShop, type TestShop } from '../support/actors.js';
import { type Call, type Method } from '../support/client.js';
import { expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/**
 * Every operation of the API with the status of a request that is let in: with the shop of the matrix in its path, ids that
 * nobody has, and no body. A new operation is a decision: it has to be added here.
 */
const LET_IN: Readonly<Record<string, number>> = {
  'get /shops/{shopId}/audit': 200,
  'post /auth/register': 400,
  'post /auth/login': 400,
  'post /auth/login/second-factor': 400,
  'post /auth/refresh': 400,
  'post /auth/logout': 400,
  'get /auth/me': 200,
  'get /auth/sessions': 200,
  'delete /auth/sessions/{sessionId}': 404,
  'post /auth/password/change': 400,
  'post /auth/password/forgot': 400,
  'post /auth/password/reset': 400,
  'get /auth/second-factor': 200,
  'post /auth/second-factor/setup': 400,
  'post /auth/second-factor/confirm': 400,
  'post /auth/second-factor/disable': 400,
  'post /auth/second-factor/recovery-codes': 400,
  'post /shops': 400,
  'get /shops': 200,
  'get /shops/public/{uniqueName}': 404,
  'get /shops/public/by-domain/{host}': 404,
  'get /shops/{shopId}': 200,
  'patch /shops/{shopId}': 400,
  'delete /shops/{shopId}': 200,
  'post /shops/{shopId}/reactivate': 200,
  'put /shops/{shopId}/domain': 400,
  'delete /shops/{shopId}/domain': 200,
  'post /shops/{shopId}/domain/verify': 400,
  'get /shops/{shopId}/team': 200,
  'get /shops/{shopId}/team/me': 200,
  'delete /shops/{shopId}/team/me': 404,
  'patch /shops/{shopId}/team/{memberId}': 400,
  'delete /shops/{shopId}/team/{memberId}': 404,
  'post /shops/{shopId}/team/{memberId}/transfer-ownership': 404,
  'post /shops/{shopId}/team/invitations': 400,
  'delete /shops/{shopId}/team/invitations/{invitationId}': 404,
  'post /team/invitations/accept': 400,
  'post /team/invitations/decline': 400,
  'post /api-keys': 400,
  'get /api-keys': 200,
  'get /api-keys/{keyId}': 404,
  'patch /api-keys/{keyId}': 400,
  'delete /api-keys/{keyId}': 404,
  'post /api-keys/{keyId}/rotate': 404,
  'put /api-keys/{keyId}/restrictions': 400,
  'post /products/{shopId}': 400,
  'get /products/{shopId}': 200,
  'get /servers/public/{serverId}/status': 404,
  'post /servers/{shopId}': 400,
  'get /servers/{shopId}': 200,
  'post /servers/{shopId}/{serverId}/heartbeat': 400,
  'post /discounts/{shopId}': 400,
  'get /discounts/{shopId}': 200,
  'post /discounts/{shopId}/validate': 400,
  'post /orders/public/{shopId}': 400,
  'get /orders/public/{orderId}': 404,
  'post /orders/public/{orderId}/nickname/request': 200,
  'post /orders/public/{orderId}/nickname/change': 400,
  'post /payments/webhooks/{provider}/{shopId}/{webhookSecret}': 404,
  'get /payments/{shopId}/providers': 200,
  'put /payments/{shopId}/providers/{provider}': 400,
  'post /payments/{shopId}/providers/{provider}/rotate-secret': 404,
  'get /stats/{shopId}/comparison': 200,
  'get /health/live': 200,
  'get /health/ready': 200,
  // Last: it ends the sessions of everybody whom it lets in.
  'post /auth/logout-all': 200,
};

/** What beside its permissions asks for an owner, in person: no key passes, whatever it holds. */
const FOR_OWNERS: ReadonlySet<string> = new Set([
  'delete /shops/{shopId}',
  'post /shops/{shopId}/reactivate',
  'post /shops/{shopId}/team/{memberId}/transfer-ownership',
]);

/** What would take the caller out of the shop: tried on a shop that nobody has. */
const ON_NO_SHOP: ReadonlySet<string> = new Set(['delete /shops/{shopId}/team/me']);

interface Operation {
  readonly name: string;
  readonly method: Method;
  readonly path: string;
  /** The credentials that it takes. */
  readonly schemes: readonly string[];
  readonly permissions: readonly Permission[];
}

interface Caller {
  readonly name: string;
  readonly call: Call;
  /** What the credential is worth: nothing, a person, or a key. */
  readonly kind: 'nobody' | 'user' | 'api_key';
  /** What it holds in the shop of the matrix, by the catalogue; null: it does not belong there. */
  readonly held: readonly Permission[] | null;
  readonly isOwnerInPerson?: boolean;
}

const JWT_SECRET = 'a secret of this spec that is long enough for HS256';
const NOBODYS = '655f1c2ab1e4a9d3f0c8ffff';

/** What the permission catalogue says that an operation answers a caller. */
function expectedStatus({ name, schemes, permissions }: Operation, caller: Caller, letIn: number): number {
  const { kind, held, isOwnerInPerson = false } = caller;
  if (schemes.length === 0) return letIn;
  if (kind === 'nobody') return 401;
  if (!schemes.includes('apiKey')) return kind === 'user' ? letIn : 401;
  if (held === null || (FOR_OWNERS.has(name) && !isOwnerInPerson)) return 403;
  return permissions.every((permission) => held.includes(permission)) ? letIn : 403;
}

describe('The authorization matrix', () => {
  let app: TestApp;
  let shop: TestShop;
  let operations: ReadonlyMap<string, Operation>;
  let callers: readonly Caller[];

  beforeAll(async () => {
    app = await startTestApp({ env: { JWT_SECRET } });
    operations = await operationsOf(app);
    shop = await aShop(app.api);
    callers = [...(await worthlessCredentials(app, shop)), ...(await membersAndKeys(app, shop))];
  });
  afterAll(() => app.close());

  it('lists every operation of the OpenAPI document, and none that is gone', () => {
    expect(Object.keys(LET_IN).sort()).toEqual([...operations.keys()].sort());
  });

  it.each(Object.entries(LET_IN))('%s lets in whom the permission catalogue lets in', async (name, letIn) => {
    const operation = operations.get(name);
    if (operation === undefined) throw new Error('there is no such operation');
    const path = operation.path
      .replace('{shopId}', ON_NO_SHOP.has(name) ? NOBODYS : shop.shopId)
      .replace('{provider}', 'custom')
      .replaceAll(/\{\w+\}/g, NOBODYS);
    const answered: Record<string, number> = {};
    const expected: Record<string, number> = {};
    for (const caller of callers) {
      answered[caller.name] = (await app.api.call(operation.method, path, caller.call)).status;
      expected[caller.name] = expectedStatus(operation, caller, letIn);
    }
    expect(answered).toEqual(expected);
  });
});

async function operationsOf({ api }: TestApp): Promise<ReadonlyMap<string, Operation>> {
  const { paths } = (await api.get('/openapi.json')).body as {
    paths: Record<string, Record<string, { security?: object[]; 'x-permissions'?: Permission[] }>>;
  };
  return new Map(
    Object.entries(paths).flatMap(([fullPath, methods]) =>
      Object.entries(methods).map(([method, { security = [], 'x-permissions': permissions = [] }]) => {
        const path = fullPath.replace('/api/v2', '');
        const schemes = security.flatMap((requirement) => Object.keys(requirement));
        const name = `${method} ${path}`;
        return [name, { name, method: method as Method, path, schemes, permissions }] as const;
      }),
    ),
  );
}

/** Credentials that are none, or none any more. */
async function worthlessCredentials(app: TestApp, shop: TestShop): Promise<Caller[]> {
  const { api } = app;
  const { token } = shop.owner;
  const expired = { ...claimsOf(token), exp: Math.floor(Date.now() / 1000) - 6 };
  const loggedOut = await aPerson(api);
  expectSuccess(await api.post('/auth/logout', { refreshToken: loggedOut.refreshToken }));
  const [expiredKey, revokedKey] = [await aKey(api, shop), await aKey(api, shop)];
  expectSuccess(await api.delete(`/api-keys/${revokedKey.id}`, { token }));
  await inDatabase(app, (database) =>
    database.collection('api_keys').updateOne({ _id: idOf(expiredKey.id) }, { $set: { expiresAt: new Date(0) } }),
  );
  const calls: Record<string, Call> = {
    'no credential': {},
    'a malformed token': { token: 'x.y.z' },
    'a malformed key': { key: `${revokedKey.key.slice(0, -1)}-` },
    'an expired token': { token: sign(expired, JWT_SECRET) },
    'a token of an ended session': { token: loggedOut.token },
    'an expired key': { key: expiredKey.key },
    'a revoked key': { key: revokedKey.key },
  };
  return Object.entries(calls).map(([name, call]) => ({ name, call, kind: 'nobody', held: null }));
}

/** Everybody who is somebody: in another shop, in each role, with a key of each type. */
async function membersAndKeys(app: TestApp, shop: TestShop): Promise<Caller[]> {
  const { api } = app;
  const elsewhere = await aShop(api);
  const callers: Caller[] = [
    { name: 'a person without a shop', call: { token: (await aPerson(api)).token }, kind: 'user', held: null },
    { name: 'the owner of another shop', call: { token: elsewhere.owner.token }, kind: 'user', held: null },
    { name: 'a key of another shop', call: { key: (await aKey(api, elsewhere)).key }, kind: 'api_key', held: null },
    { name: 'the owner', call: { token: shop.owner.token }, kind: 'user', held: ROLES.owner, isOwnerInPerson: true },
  ];
  for (const role of ROLE_NAMES) {
    const { token } = await aMember(app, shop, role);
    callers.push({
      name: `a member: ${role}`,
      call: { token },
      kind: 'user',
      held: ROLES[role],
      isOwnerInPerson: role === 'owner',
    });
  }
  for (const type of API_KEY_TYPES) {
    const { key } = await aKey(api, shop, type);
    callers.push({ name: `a key: ${type}`, call: { key }, kind: 'api_key', held: TYPE_CEILINGS[type] });
  }
  const { key } = await aKey(api, shop, 'secret', []);
  callers.push({ name: 'a key without permissions', call: { key }, kind: 'api_key', held: [] });
  const demoted = await aKeyOfSomebodyDemoted(app, shop);
  callers.push({ name: 'a key of somebody demoted', call: { key: demoted }, kind: 'api_key', held: ROLES.support });
  return callers;
}

/** A key that lists more than its maker holds now: made while they were a manager. */
async function aKeyOfSomebodyDemoted(app: TestApp, shop: TestShop): Promise<string> {
  const { api } = app;
  const { shopId, owner } = shop;
  const maker = await aMember(app, shop, 'manager');
  const { key } = await aKey(api, { ...shop, owner: maker }, 'secret', ROLES.manager);
  const { members } = expectSuccess<{ members: { id: string; userId: string }[] }>(
    await api.get(`/shops/${shopId}/team`, { token: owner.token }),
  );
  const member = members.find(({ userId }) => userId === maker.userId);
  expectSuccess(
    await api.patch(`/shops/${shopId}/team/${member?.id ?? ''}`, { role: 'support' }, { token: owner.token }),
  );
  return key;
}

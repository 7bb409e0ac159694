import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { API_KEY_TYPES, TYPE_CEILINGS } from '../../src/access/api-keys/api-key.types.js';
import { type Permission, ROLE_NAMES, ROLES } from '../../src/domain/principal/permissions.js';
import { claimsOf, sign } from '../auth/forged-tokens.js';
import { aKey, aMember, aPerson, aServer, aShop, type TestShop } from '../support/actors.js';
import { type Call, type Method } from '../support/client.js';
import { needsCredential } from '../support/documented.js';
import { expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { SECRETS, startTestApp, type TestApp } from '../support/test-app.js';

/**
 * What the contract and the design (2 to 7) require of a caller: nothing, a bearer token, membership of the shop (or a key of
 * it), or a permission in the shop. This list is not read from the OpenAPI document: its `x-permissions` come from the
 * decorator that the guard reads, so a wrong permission would be wrong in both and the test would pass.
 */
type Required = 'nobody' | 'bearer' | 'member' | Permission;

/**
 * Every operation of the API: what it requires, and the status of a request that passes the guard. The request has the shop
 * of this spec in its path, unknown ids, and no body. Add every new operation here.
 */
const OPERATIONS: Readonly<Record<string, readonly [required: Required, allowedStatus: number]>> = {
  'get /shops/{shopId}/audit': ['team:read', 200],
  'post /auth/register': ['nobody', 400],
  'post /auth/login': ['nobody', 400],
  'post /auth/login/second-factor': ['nobody', 400],
  'post /auth/session': ['nobody', 400],
  'post /auth/session/second-factor': ['nobody', 400],
  'delete /auth/session': ['bearer', 200],
  'post /auth/refresh': ['nobody', 400],
  'post /auth/logout': ['nobody', 400],
  'get /auth/me': ['bearer', 200],
  'patch /auth/me': ['bearer', 400],
  'delete /auth/me': ['bearer', 400],
  'post /auth/email/change': ['bearer', 400],
  'post /auth/email/confirm': ['nobody', 400],
  'get /auth/sessions': ['bearer', 200],
  'delete /auth/sessions/{sessionId}': ['bearer', 404],
  'post /auth/password/change': ['bearer', 400],
  'post /auth/password/forgot': ['nobody', 400],
  'post /auth/password/reset': ['nobody', 400],
  'get /auth/second-factor': ['bearer', 200],
  'post /auth/second-factor/setup': ['bearer', 400],
  'post /auth/second-factor/confirm': ['bearer', 400],
  'post /auth/second-factor/disable': ['bearer', 400],
  'post /auth/second-factor/recovery-codes': ['bearer', 400],
  'post /shops': ['bearer', 400],
  'get /shops': ['bearer', 200],
  'get /domains/allowed': ['nobody', 400],
  'get /shops/public/{uniqueName}': ['nobody', 404],
  'get /shops/public/by-domain/{host}': ['nobody', 404],
  'get /shops/{shopId}': ['shops:read', 200],
  'get /shops/{shopId}/consent-text': ['shops:read', 400],
  'patch /shops/{shopId}': ['shops:write', 400],
  'delete /shops/{shopId}': ['shops:write', 200],
  'post /shops/{shopId}/reactivate': ['shops:write', 200],
  'get /shops/{shopId}/domain': ['shops:read', 404],
  'put /shops/{shopId}/domain': ['shops:write', 400],
  'delete /shops/{shopId}/domain': ['shops:write', 200],
  'post /shops/{shopId}/domain/verify': ['shops:write', 400],
  'get /shops/{shopId}/overview': ['shops:read', 200],
  'get /shops/{shopId}/team': ['team:read', 200],
  'get /shops/{shopId}/team/me': ['member', 200],
  'delete /shops/{shopId}/team/me': ['bearer', 404],
  'patch /shops/{shopId}/team/{memberId}': ['team:write', 400],
  'delete /shops/{shopId}/team/{memberId}': ['team:write', 404],
  'post /shops/{shopId}/team/{memberId}/transfer-ownership': ['team:write', 404],
  'post /shops/{shopId}/team/invitations': ['team:write', 400],
  'delete /shops/{shopId}/team/invitations/{invitationId}': ['team:write', 404],
  'post /team/invitations/accept': ['bearer', 400],
  'post /team/invitations/decline': ['bearer', 400],
  'get /shops/{shopId}/api-keys': ['team:write', 200],
  'delete /shops/{shopId}/api-keys/{keyId}': ['team:write', 404],
  'post /api-keys': ['bearer', 400],
  'get /api-keys': ['bearer', 200],
  'get /api-keys/{keyId}': ['bearer', 404],
  'patch /api-keys/{keyId}': ['bearer', 400],
  'delete /api-keys/{keyId}': ['bearer', 404],
  'post /api-keys/{keyId}/rotate': ['bearer', 400],
  'put /api-keys/{keyId}/restrictions': ['bearer', 400],
  'post /products/{shopId}': ['products:write', 400],
  'get /products/{shopId}': ['products:read', 200],
  'get /products/{shopId}/{productId}': ['products:read', 404],
  'get /products/{shopId}/{productId}/prices': ['products:read', 404],
  'patch /products/{shopId}': ['products:write', 400],
  'patch /products/{shopId}/{productId}': ['products:write', 400],
  'delete /products/{shopId}/{productId}': ['products:write', 404],
  'get /products/public/{shopId}': ['nobody', 200],
  'get /products/public/{shopId}/{idOrSlug}': ['nobody', 404],
  'get /categories/public/{shopId}': ['nobody', 200],
  'post /categories/{shopId}': ['products:write', 400],
  'get /categories/{shopId}': ['products:read', 200],
  'patch /categories/{shopId}/{categoryId}': ['products:write', 400],
  'delete /categories/{shopId}/{categoryId}': ['products:write', 404],
  'get /meta': ['nobody', 200],
  'get /servers/public/{serverId}/status': ['nobody', 404],
  'get /servers/public/by-shop/{shopId}': ['nobody', 200],
  'post /servers/{shopId}': ['servers:write', 400],
  'get /servers/{shopId}': ['servers:read', 200],
  'get /servers/{shopId}/{serverId}': ['servers:read', 404],
  'patch /servers/{shopId}/{serverId}': ['servers:write', 400],
  'delete /servers/{shopId}/{serverId}': ['servers:write', 404],
  'post /servers/{shopId}/{serverId}/heartbeat': ['servers:report', 400],
  'post /servers/{shopId}/{serverId}/connect-code': ['deliveries:write', 404],
  'post /agent/connect': ['nobody', 400],
  'post /images/{shopId}': ['products:write', 400],
  'get /images/{shopId}': ['products:read', 200],
  'delete /images/{shopId}/{imageId}': ['products:write', 400],
  'get /images/public/{shopId}/{imageId}': ['nobody', 400],
  'post /tier-groups/{shopId}': ['products:write', 400],
  'get /tier-groups/{shopId}': ['products:read', 200],
  'patch /tier-groups/{shopId}/{groupId}': ['products:write', 400],
  'delete /tier-groups/{shopId}/{groupId}': ['products:write', 404],
  'post /sales/{shopId}': ['sales:write', 400],
  'get /sales/{shopId}': ['sales:read', 200],
  'patch /sales/{shopId}/{saleId}': ['sales:write', 400],
  'delete /sales/{shopId}/{saleId}': ['sales:write', 404],
  'post /discounts/{shopId}': ['discounts:write', 400],
  'get /discounts/{shopId}': ['discounts:read', 200],
  'get /discounts/{shopId}/{discountId}': ['discounts:read', 404],
  'patch /discounts/{shopId}/{discountId}': ['discounts:write', 400],
  'delete /discounts/{shopId}/{discountId}': ['discounts:write', 404],
  'post /discounts/{shopId}/validate': ['discounts:validate', 400],
  'post /checkout/{shopId}/quote': ['nobody', 400],
  'post /checkout/{shopId}/orders': ['nobody', 400],
  'post /orders/public/links': ['nobody', 400],
  'get /orders/public/{orderId}': ['nobody', 404],
  'post /orders/public/{orderId}/nickname/request': ['nobody', 200],
  'post /orders/public/{orderId}/nickname/change': ['nobody', 400],
  'get /orders/{shopId}': ['orders:read', 200],
  'post /orders/{shopId}': ['orders:grant', 400],
  'get /orders/{shopId}/counts': ['orders:read', 200],
  'get /orders/{shopId}/export': ['orders:read', 200],
  'get /orders/{shopId}/{orderId}': ['orders:read', 404],
  'post /orders/{shopId}/{orderId}/cancel': ['orders:write', 400],
  'post /orders/{shopId}/{orderId}/notes': ['orders:write', 400],
  'post /orders/{shopId}/{orderId}/nickname': ['orders:write', 400],
  'post /orders/{shopId}/{orderId}/resolve': ['payments:write', 400],
  'post /orders/{shopId}/{orderId}/redeliver': ['orders:write', 400],
  'post /orders/{shopId}/{orderId}/deliveries/{deliveryId}/decide': ['orders:write', 400],
  'post /bans/{shopId}': ['orders:write', 400],
  'get /bans/{shopId}': ['orders:read', 200],
  'delete /bans/{shopId}/{banId}': ['orders:write', 404],
  'get /buyers/{shopId}': ['orders:read', 200],
  'get /buyers/{shopId}/{key}': ['orders:read', 404],
  'put /buyers/{shopId}/{key}/note': ['orders:write', 400],
  'post /buyers/{shopId}/export': ['orders:read', 400],
  // Without a body it is rejected for its missing reason before the owner is required: test/buyers.
  'post /buyers/{shopId}/erase': ['orders:write', 400],
  'get /shops/{shopId}/rejected-requests': ['webhooks:read', 200],
  'get /search/{shopId}': ['member', 400],
  'get /deliveries/{shopId}': ['deliveries:read', 200],
  'get /deliveries/{shopId}/failures': ['deliveries:read', 200],
  'post /deliveries/{shopId}/redeliver': ['orders:write', 400],
  'get /entitlements/{shopId}': ['entitlements:read', 200],
  'get /entitlements/{shopId}/check': ['entitlements:read', 400],
  'post /entitlements/{shopId}/{entitlementId}/end': ['orders:write', 400],
  'post /entitlements/{shopId}/{entitlementId}/transfer': ['orders:write', 400],
  'post /deliveries/{shopId}/lease': ['deliveries:write', 400],
  'post /deliveries/{shopId}/ack': ['deliveries:write', 400],
  'post /payments/webhooks/{provider}/{shopId}/{webhookSecret}': ['nobody', 404],
  'get /payments/{shopId}/events': ['payments:read', 200],
  'get /payments/{shopId}/movements': ['payments:read', 200],
  'get /payments/{shopId}/export': ['payments:read', 200],
  'post /payments/{shopId}/events/{eventId}/replay': ['payments:write', 404],
  'get /payments/{shopId}/{orderId}/refunds': ['payments:read', 404],
  'post /payments/{shopId}/{orderId}/refund': ['payments:write', 400],
  'get /payments/public/{shopId}/methods': ['nobody', 200],
  'get /widgets/public/{shopId}/recent-purchases': ['nobody', 404],
  'get /widgets/public/{shopId}/top-buyers': ['nobody', 404],
  'get /widgets/public/{shopId}/goal': ['nobody', 404],
  'post /orders/public/{orderId}/payment': ['nobody', 400],
  'post /orders/public/{orderId}/withdrawal': ['nobody', 400],
  'get /payments/{shopId}/providers': ['payments:read', 200],
  'put /payments/{shopId}/providers/{provider}': ['payments:write', 400],
  'delete /payments/{shopId}/providers/{provider}': ['payments:write', 404],
  'post /payments/{shopId}/providers/{provider}/check': ['payments:write', 404],
  'post /payments/{shopId}/providers/{provider}/rotate-secret': ['payments:write', 400],
  'post /webhooks/{shopId}': ['webhooks:write', 400],
  'get /webhooks/{shopId}': ['webhooks:read', 200],
  'get /webhooks/{shopId}/{webhookId}': ['webhooks:read', 404],
  'patch /webhooks/{shopId}/{webhookId}': ['webhooks:write', 400],
  'delete /webhooks/{shopId}/{webhookId}': ['webhooks:write', 404],
  'post /webhooks/{shopId}/{webhookId}/rotate-secret': ['webhooks:write', 400],
  'get /webhooks/{shopId}/{webhookId}/deliveries': ['webhooks:read', 404],
  'post /webhooks/{shopId}/{webhookId}/deliveries/replay': ['webhooks:write', 400],
  'post /webhooks/{shopId}/{webhookId}/deliveries/{deliveryId}/replay': ['webhooks:write', 404],
  'post /webhooks/{shopId}/{webhookId}/test': ['webhooks:write', 404],
  'get /stats/{shopId}/comparison': ['stats:read', 200],
  'get /stats/{shopId}/breakdown': ['stats:read', 400],
  'get /stats/{shopId}/export': ['stats:read', 200],
  'post /stats/{shopId}/rebuild': ['stats:write', 200],
  'get /health/live': ['nobody', 200],
  'get /health/ready': ['nobody', 200],
  'post /auth/logout-all': ['bearer', 200],
  'get /auth/preferences': ['bearer', 200],
  'put /auth/preferences': ['bearer', 400],
  'get /auth/preferences/{shopId}/views': ['bearer', 404],
  'put /auth/preferences/{shopId}/views': ['bearer', 400],
};

/** Operations that also require an owner with a bearer token: every key is rejected, also with all permissions. */
const FOR_OWNERS: ReadonlySet<string> = new Set([
  'delete /shops/{shopId}',
  'post /shops/{shopId}/reactivate',
  'post /shops/{shopId}/team/{memberId}/transfer-ownership',
]);

/** Operations without a server in their path that check the servers of a key themselves: a key bound to servers passes. */
const WITHIN_SERVERS: ReadonlySet<string> = new Set([
  'get /shops/{shopId}/team/me',
  'get /products/{shopId}',
  'get /servers/{shopId}',
  'post /discounts/{shopId}/validate',
  'get /orders/{shopId}',
  'get /orders/{shopId}/export',
  'get /orders/{shopId}/{orderId}',
  'get /deliveries/{shopId}',
  'get /deliveries/{shopId}/failures',
  'get /entitlements/{shopId}',
  'get /entitlements/{shopId}/check',
  'post /deliveries/{shopId}/lease',
  'post /deliveries/{shopId}/ack',
]);

/** Operations with a public view: storefront keys, which everybody can read, pass. */
const PUBLIC_VIEW: ReadonlySet<string> = new Set([
  'get /shops/{shopId}',
  'get /shops/{shopId}/consent-text',
  'get /shops/{shopId}/team/me',
  'get /products/{shopId}',
  'get /products/{shopId}/{productId}',
  'get /categories/{shopId}',
  'get /servers/{shopId}',
  'get /servers/{shopId}/{serverId}',
  'post /discounts/{shopId}/validate',
]);

/** Public routes that count a request for its key. A key that is used from a wrong address is rejected there too. */
const TAKES_KEYS: ReadonlySet<string> = new Set([
  'get /products/public/{shopId}/{idOrSlug}',
  'get /servers/public/by-shop/{shopId}',
  'post /checkout/{shopId}/quote',
  'post /checkout/{shopId}/orders',
  'get /products/public/{shopId}',
  'get /categories/public/{shopId}',
  'get /payments/public/{shopId}/methods',
]);

/** Operations that would remove the caller from the shop, or look for a membership themselves: called with the id of an unknown shop. */
const ON_UNKNOWN_SHOP: ReadonlySet<string> = new Set([
  'delete /shops/{shopId}/team/me',
  'get /auth/preferences/{shopId}/views',
]);

/** What an operation requires by the OpenAPI document: its security schemes and its permissions. */
interface Documented {
  readonly schemes: readonly string[];
  readonly permissions: readonly Permission[] | null;
}

interface Caller {
  readonly name: string;
  readonly call: Call;
  /** Who the guard finds: nobody, a person, or a key. */
  readonly kind: 'nobody' | 'user' | 'api_key';
  /** The permissions in the shop of this spec, by the catalogue. Null: the caller has no access to the shop. */
  readonly held: readonly Permission[] | null;
  readonly isSignedInOwner?: boolean;
  readonly isStorefront?: boolean;
  /** The restriction of a key that the request does not meet. */
  readonly restrictedTo?: 'a server' | 'an address';
}

/** Operations that end the session of the caller: those who call them must not be needed afterwards. */
const ENDS_SESSIONS: ReadonlySet<string> = new Set(['delete /auth/session', 'post /auth/logout-all']);

const UNKNOWN_ID = '655f1c2ab1e4a9d3f0c8ffff';

/** The status that an operation must return to a caller by the permission catalogue. */
function expectedStatus(name: string, required: Required, caller: Caller, allowedStatus: number): number {
  const { kind, held, isSignedInOwner = false, restrictedTo } = caller;
  if (required === 'nobody') return restrictedTo === 'an address' && TAKES_KEYS.has(name) ? 403 : allowedStatus;
  if (kind === 'nobody') return 401;
  if (required === 'bearer') return kind === 'user' ? allowedStatus : 401;
  if (restrictedTo === 'an address' || (restrictedTo === 'a server' && !WITHIN_SERVERS.has(name))) return 403;
  if (caller.isStorefront === true && !PUBLIC_VIEW.has(name)) return 403;
  if (held === null || (FOR_OWNERS.has(name) && !isSignedInOwner)) return 403;
  return required === 'member' || held.includes(required) ? allowedStatus : 403;
}

/** What the OpenAPI document must say about an operation with this requirement. */
function documentedAs(required: Required): Documented {
  if (required === 'nobody') return { schemes: [], permissions: null };
  if (required === 'bearer') return { schemes: ['bearer'], permissions: null };
  return { schemes: ['apiKey', 'bearer'], permissions: required === 'member' ? [] : [required] };
}

describe('The authorization matrix', () => {
  let app: TestApp;
  let shop: TestShop;
  let documented: Readonly<Record<string, Documented>>;
  let callers: readonly Caller[];

  beforeAll(async () => {
    app = await startTestApp();
    documented = await documentedBy(app);
    shop = await aShop(app.api);
    callers = await callersIn(app, shop);
  });
  afterAll(() => app.close());

  it('lists exactly the operations of the OpenAPI document, and the document says what each requires', () => {
    const expected = Object.entries(OPERATIONS).map(([name, [required]]) => [name, documentedAs(required)] as const);
    expect(documented).toEqual(Object.fromEntries(expected));
  });

  it.each(Object.entries(OPERATIONS))(
    'returns to each caller of %s the status that the matrix requires',
    async (name, [required, allowedStatus]) => {
      const [method = '', template = ''] = name.split(' ');
      const path = template
        .replace('{shopId}', ON_UNKNOWN_SHOP.has(name) ? UNKNOWN_ID : shop.shopId)
        .replace('{provider}', 'custom')
        .replaceAll(/\{\w+\}/g, UNKNOWN_ID);
      const statuses: Record<string, number> = {};
      const expected: Record<string, number> = {};
      const calling = ENDS_SESSIONS.has(name) ? await callersIn(app, await aShop(app.api)) : callers;
      for (const caller of calling) {
        statuses[caller.name] = (await app.api.call(method as Method, path, caller.call)).status;
        expected[caller.name] = expectedStatus(name, required, caller, allowedStatus);
      }
      expect(statuses).toEqual(expected);
    },
  );
});

async function callersIn(app: TestApp, shop: TestShop): Promise<readonly Caller[]> {
  return [...(await invalidCredentials(app, shop)), ...(await membersAndKeys(app, shop))];
}

async function documentedBy({ api }: TestApp): Promise<Readonly<Record<string, Documented>>> {
  const { paths } = (await api.get('/openapi.json')).body as {
    paths: Record<string, Record<string, { security?: object[]; 'x-permissions'?: Permission[] }>>;
  };
  return Object.fromEntries(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => {
        const { security = [], 'x-permissions': permissions = null } = operation;
        // A key that may be absent is no requirement.
        const required = needsCredential(operation) ? security : [];
        const schemes = required.flatMap((requirement) => Object.keys(requirement)).sort();
        return [`${method} ${path.replace('/api/v2', '')}`, { schemes, permissions }];
      }),
    ),
  );
}

/** Credentials that are missing, malformed, expired or revoked. */
async function invalidCredentials(app: TestApp, shop: TestShop): Promise<Caller[]> {
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
    'an expired token': { token: sign(expired, SECRETS.JWT_SECRET) },
    'a token of an ended session': { token: loggedOut.token },
    'an expired key': { key: expiredKey.key },
    'a revoked key': { key: revokedKey.key },
  };
  return Object.entries(calls).map(([name, call]) => ({ name, call, kind: 'nobody', held: null }));
}

/** Callers with a valid credential: of another shop, in each role, with a key of each type. */
async function membersAndKeys(app: TestApp, shop: TestShop): Promise<Caller[]> {
  const { api } = app;
  const elsewhere = await aShop(api);
  const callers: Caller[] = [
    { name: 'a person without a shop', call: { token: (await aPerson(api)).token }, kind: 'user', held: null },
    { name: 'the owner of another shop', call: { token: elsewhere.owner.token }, kind: 'user', held: null },
    { name: 'a key of another shop', call: { key: (await aKey(api, elsewhere)).key }, kind: 'api_key', held: null },
    { name: 'the owner', call: { token: shop.owner.token }, kind: 'user', held: ROLES.owner, isSignedInOwner: true },
  ];
  for (const role of ROLE_NAMES) {
    const { token } = await aMember(app, shop, role);
    callers.push({
      name: `a member: ${role}`,
      call: { token },
      kind: 'user',
      held: ROLES[role],
      isSignedInOwner: role === 'owner',
    });
  }
  for (const type of API_KEY_TYPES) {
    const { key } = await aKey(api, shop, type);
    const isStorefront = type === 'storefront';
    callers.push({ name: `a key: ${type}`, call: { key }, kind: 'api_key', held: TYPE_CEILINGS[type], isStorefront });
  }
  const { key } = await aKey(api, shop, 'secret', []);
  callers.push({ name: 'a key without permissions', call: { key }, kind: 'api_key', held: [] });
  callers.push(...(await restrictedKeys(app, shop)));
  const demoted = await aKeyOfADemotedMember(app, shop);
  callers.push({ name: 'a key of somebody demoted', call: { key: demoted }, kind: 'api_key', held: ROLES.support });
  return callers;
}

/** Keys with all permissions, but restricted to another server or to another address. */
async function restrictedKeys({ api }: TestApp, shop: TestShop): Promise<Caller[]> {
  const { token } = shop.owner;
  const serverIds = [await aServer(api, shop)];
  const callers: Caller[] = [];
  for (const [restrictedTo, restrictions] of [
    ['a server', { serverIds, ipAllowlist: null }],
    ['an address', { serverIds: null, ipAllowlist: ['192.0.2.7'] }],
  ] as const) {
    const { id, key } = await aKey(api, shop);
    expectSuccess(await api.put(`/api-keys/${id}/restrictions`, restrictions, { token }));
    callers.push({
      name: `a key that is kept to ${restrictedTo}`,
      call: { key },
      kind: 'api_key',
      held: ROLES.owner,
      restrictedTo,
    });
  }
  return callers;
}

/** A key with more permissions than its creator has now: the creator was a manager before. */
async function aKeyOfADemotedMember(app: TestApp, shop: TestShop): Promise<string> {
  const { api } = app;
  const { shopId, owner } = shop;
  const creator = await aMember(app, shop, 'manager');
  const { key } = await aKey(api, { ...shop, owner: creator }, 'secret', ROLES.manager);
  const { members } = expectSuccess<{ members: { id: string; userId: string }[] }>(
    await api.get(`/shops/${shopId}/team`, { token: owner.token }),
  );
  const member = members.find(({ userId }) => userId === creator.userId);
  expectSuccess(
    await api.patch(`/shops/${shopId}/team/${member?.id ?? ''}`, { role: 'support' }, { token: owner.token }),
  );
  return key;
}

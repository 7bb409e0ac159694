import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { permissionsOfRole, type Role } from '../../src/domain/principal/permissions.js';
import { aKey, aMember, aPerson, aShop, type Person } from '../support/actors.js';
import { anId, anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { aTeam, type TestTeam } from './team-actors.js';

interface Team {
  readonly members: readonly { readonly userId: string; readonly lastActiveAt: string | null }[];
}

function member(person: Person, name: string, role: Role, lastActiveAt: unknown): object {
  return {
    id: anId,
    userId: person.userId,
    name,
    email: person.email,
    role,
    permissions: [...permissionsOfRole(role)],
    status: 'active',
    joinedAt: anInstant,
    lastActiveAt,
  };
}

describe('GET /shops/{shopId}/team (contract 1)', () => {
  let app: TestApp;
  let shop: TestTeam;
  let owner: Person;
  const path = (): string => shop.path();

  beforeAll(async () => {
    app = await startTestApp({ watchCommands: true });
    shop = await aTeam(app);
    owner = shop.owner;
  });
  afterAll(() => app.close());

  it('returns members in the order of joining, open invitations, and the total', async () => {
    const support = await aMember(app, shop, 'support');
    expectSuccess(await shop.invite({ email: 'helper@example.com', role: 'analyst' }));
    // The activity of the owner's first request is stored after its response.
    const lastActiveAt = await eventually(async () => {
      const { members } = expectSuccess<Team>(await app.api.get(path(), { token: owner.token }));
      return members[0]?.lastActiveAt;
    });
    expect(lastActiveAt).toEqual(anInstant);
    const response = await app.api.get(path(), { token: owner.token });
    expect(expectSuccess(response, 'Team members retrieved')).toEqual({
      members: [member(owner, 'Olivia', 'owner', lastActiveAt), member(support, 'support', 'support', null)],
      invitations: [{ id: anId, email: 'helper@example.com', role: 'analyst', expiresAt: anInstant }],
      total: 2,
    });
  });

  it('returns the same for a key with the permission, and stores the activity of its creator', async () => {
    const own = await aShop(app.api);
    const { key } = await aKey(app.api, own, 'secret', ['team:read']);
    const byToken = await app.api.get(`/shops/${own.shopId}/team`, { token: own.owner.token });
    await eventually(async () => {
      const data = expectSuccess<Team>(await app.api.get(`/shops/${own.shopId}/team`, { key }));
      return data.members[0]?.lastActiveAt;
    });
    const byKey = expectSuccess<Team>(await app.api.get(`/shops/${own.shopId}/team`, { key }));
    const blind = ({ members, ...rest }: Team): object => ({
      ...rest,
      members: members.map((one) => ({ ...one, lastActiveAt: null })),
    });
    expect(blind(byKey)).toEqual(blind(expectSuccess<Team>(byToken)));
  });

  it('accepts the shop id in upper and lower case, as one shop', async () => {
    const shouted = await app.api.get(`/shops/${shop.shopId.toUpperCase()}/team`, { token: owner.token });
    expect(expectSuccess<Team>(shouted).members[0]?.userId).toBe(owner.userId);
  });

  it('lists no member of another shop', async () => {
    const other = await aShop(app.api);
    const { members } = expectSuccess<Team>(
      await app.api.get(`/shops/${other.shopId}/team`, { token: other.owner.token }),
    );
    expect(members.map(({ userId }) => userId)).toEqual([other.owner.userId]);
  });

  it('sends no more database commands for a larger team', async () => {
    const read = () => app.commandsOf(() => app.api.get(path(), { token: owner.token }));
    const before = await read();
    await aMember(app, shop, 'analyst');
    expect(await read()).toHaveLength(before.length);
  });

  it.each(['nothex', '0'.repeat(23), '0'.repeat(25), 'g'.repeat(24), '%7B%22$ne%22:1%7D', '%00'.repeat(24)])(
    'returns 400 for the malformed shop id %s',
    async (shopId) => {
      const response = await app.api.get(`/shops/${shopId}/team`, { token: owner.token });
      expectError(response, 400, 'An identifier in the path is not an ObjectId of 24 hexadecimal digits');
    },
  );

  it('returns 400 for a key and a token together', async () => {
    const { key } = await aKey(app.api, shop);
    const response = await app.api.get(path(), { token: owner.token, key });
    expectError(response, 400, 'Send either X-API-Key or Authorization, not both', `/api/v2${path()}`);
  });

  it('returns 401 without a credential and for a wrong one, before it reads the shop', async () => {
    for (const shopId of [shop.shopId, '0'.repeat(24), 'nothex']) {
      for (const credential of [{}, { token: 'x.y.z' }, { key: 'shp_x' }, { token: '' }, { key: '' }]) {
        const response = await app.api.get(`/shops/${shopId}/team`, credential);
        expectError(response, 401, 'Authentication is missing or invalid', `/api/v2/shops/${shopId}/team`);
        expect(response.headers['www-authenticate']).toBe('Bearer');
      }
    }
  });

  it('returns 403 for a key or a member without team:read', async () => {
    const missing = 'The credential lacks the permission team:read';
    for (const type of ['plugin', 'storefront'] as const) {
      const { key } = await aKey(app.api, shop, type);
      expectError(await app.api.get(path(), { key }), 403, missing, `/api/v2${path()}`);
    }
    const { key } = await aKey(app.api, shop, 'secret', ['team:write', 'shops:read']);
    expectError(await app.api.get(path(), { key }), 403, missing, `/api/v2${path()}`);
    for (const role of ['support', 'analyst', 'developer'] as const) {
      const { token } = await aMember(app, shop, role);
      expectError(await app.api.get(path(), { token }), 403, missing, `/api/v2${path()}`);
    }
    for (const role of ['owner', 'admin', 'manager'] as const) {
      const { token } = await aMember(app, shop, role);
      expectSuccess(await app.api.get(path(), { token }));
    }
  });

  it('returns 403 for a person, or a key of another shop, who does not belong to the shop', async () => {
    const denied = 'The credential has no access to this shop';
    const stranger = await aPerson(app.api);
    expectError(await app.api.get(path(), { token: stranger.token }), 403, denied, `/api/v2${path()}`);
    const { key } = await aKey(app.api, await aShop(app.api));
    expectError(await app.api.get(path(), { key }), 403, denied, `/api/v2${path()}`);
  });

  it('returns 404 for a shop that does not exist, for a key and for a token', async () => {
    const unknown = `/shops/${'0'.repeat(24)}/team`;
    const { key } = await aKey(app.api, shop);
    for (const credential of [{ key }, { token: owner.token }]) {
      expectError(await app.api.get(unknown, credential), 404, 'There is no such shop', `/api/v2${unknown}`);
    }
  });

  it('returns 405 for other methods and 404 for paths next to it', async () => {
    const put = await app.api.put(path(), {}, { token: owner.token });
    expectError(put, 405, 'The endpoint does not support this method', `/api/v2${path()}`);
    expect(put.headers['allow']).toBe('GET, HEAD');
    expectError(await app.api.get(`${path()}s`), 404, 'There is no such endpoint');
  });
});

describe('GET /shops/{shopId}/team under a small limit', () => {
  let roomy: TestApp;
  let tight: TestApp;
  let shop: TestTeam;
  const team = (call: object): ReturnType<TestApp['api']['get']> => tight.api.get(shop.path(), call);

  beforeAll(async () => {
    roomy = await startTestApp();
    tight = await startTestApp({
      databaseUri: roomy.databaseUri,
      env: { RATE_LIMIT_FACTOR: '0.01' },
    });
    shop = await aTeam(roomy);
  });
  afterAll(async () => {
    await tight.close();
    await roomy.close();
  });

  it('counts a key and its creator separately, returns what is left, and returns 429 after that', async () => {
    const { key } = await aKey(roomy.api, shop);
    for (let left = 5; left >= 0; left--) {
      const response = await team({ key });
      expectSuccess(response);
      expect(response.headers['ratelimit-policy']).toBe('"apiKey";q=6;w=60, "shopKeys";q=12;w=60');
      const remaining = new RegExp(`^"apiKey";r=${left};t=\\d+, "shopKeys";r=${left + 6};t=\\d+$`);
      expect(response.headers['ratelimit']).toMatch(remaining);
    }
    const rejected = await team({ key });
    const path = `/api/v2${shop.path()}`;
    expectError(rejected, 429, 'Too many requests; wait before you send the next one', path);
    expect(rejected.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(rejected.headers['ratelimit']).toMatch(/^"apiKey";r=0;t=\d+$/);
    for (let times = 0; times < 3; times++) expectSuccess(await team({ token: shop.owner.token }));
    expectError(await team({ token: shop.owner.token }), 429, /^Too many requests/, path);
    expectError(await team({ key }), 429, /^Too many requests/, path);
  });

  it('returns 429 for an address that keeps guessing keys, while right ones still work', async () => {
    expectError(await team({ key: 'shp_guess' }), 401, /^Authentication/);
    expectError(await team({ key: 'shp_guess' }), 429, /^Too many requests/);
    expectError(await team({ token: 'guess' }), 429, /^Too many requests/);
    expectSuccess(await team({ key: (await aKey(roomy.api, shop)).key }));
  });

  it('returns 429 for an address that sends requests without a credential too often', async () => {
    expectError(await team({}), 401, /^Authentication/);
    expectError(await team({}), 429, /^Too many requests/);
  });
});

import { afterAll, beforeAll, beforeEach, describe, it } from '@jest/globals';
import { type Role } from '../../src/domain/principal/permissions.js';
import { aKey, aMember, aShop, type Person, type TestShop } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const REJECTED = 'Authentication is missing or invalid';
const DENIED = 'The credential has no access to this shop';

/**
 * Nothing about credentials and memberships is cached between requests. When a credential ends at one process, it fails at the
 * very next request at every other one. Each test first uses the credential at `there`, which would fill any cache.
 */
describe('With two processes on one database, the next request at the other process fails', () => {
  let here: TestApp;
  let there: TestApp;
  let shop: TestShop;
  let member: Person;
  let key: { id: string; key: string };

  const membership = async (role: Role | null): Promise<void> => {
    const { token } = shop.owner;
    const path = `/shops/${shop.shopId}/team`;
    const { members } = expectSuccess<{ members: { id: string; userId: string }[] }>(
      await here.api.get(path, { token }),
    );
    const id = members.find(({ userId }) => userId === member.userId)?.id ?? '';
    expectSuccess(
      await (role === null
        ? here.api.delete(`${path}/${id}`, { token })
        : here.api.patch(`${path}/${id}`, { role }, { token })),
    );
  };
  const team = (credential: { token: string } | { key: string }): ReturnType<TestApp['api']['get']> =>
    there.api.get(`/shops/${shop.shopId}/team`, credential);

  beforeAll(async () => {
    here = await startTestApp();
    there = await startTestApp({ databaseUri: here.databaseUri });
    shop = await aShop(here.api);
  });
  afterAll(async () => {
    await there.close();
    await here.close();
  });
  beforeEach(async () => {
    member = await aMember(here, shop, 'admin');
    key = await aKey(here.api, { ...shop, owner: member });
    for (let times = 0; times < 3; times++) {
      expectSuccess(await team({ token: member.token }));
      expectSuccess(await team({ key: key.key }));
    }
  });

  it("rejects a removed member's access token, and their keys", async () => {
    await membership(null);
    expectError(await team({ token: member.token }), 403, DENIED);
    expectError(await team({ key: key.key }), 401, REJECTED);
  });

  it('rejects the access token and the keys of a member who left', async () => {
    expectSuccess(await here.api.delete(`/shops/${shop.shopId}/team/me`, { token: member.token }));
    expectError(await team({ token: member.token }), 403, DENIED);
    expectError(await team({ key: key.key }), 401, REJECTED);
  });

  it("rejects a demoted member's access token and keys, where the new role has no permission", async () => {
    await membership('support');
    const lacking = 'The credential lacks the permission team:read';
    expectError(await team({ token: member.token }), 403, lacking);
    expectError(await team({ key: key.key }), 403, lacking);
    expectSuccess(await there.api.get(`/products/${shop.shopId}`, { key: key.key }));
    await membership('admin');
    expectSuccess(await team({ token: member.token }));
    expectSuccess(await team({ key: key.key }));
  });

  it('rejects a revoked key', async () => {
    expectSuccess(await here.api.delete(`/api-keys/${key.id}`, { token: member.token }));
    expectError(await team({ key: key.key }), 401, REJECTED);
  });

  it('rejects a key that was rotated without a grace', async () => {
    const next = expectSuccess<{ key: string }>(
      await here.api.post(`/api-keys/${key.id}/rotate`, { graceSeconds: 0 }, { token: member.token }),
    );
    expectError(await team({ key: key.key }), 401, REJECTED);
    expectSuccess(await team({ key: next.key }));
  });

  it('rejects a key for a permission that was removed from it', async () => {
    const permissions = ['orders:read'];
    expectSuccess(await here.api.patch(`/api-keys/${key.id}`, { permissions }, { token: member.token }));
    expectError(await team({ key: key.key }), 403, 'The credential lacks the permission team:read');
  });

  it('rejects a key that was restricted to other addresses', async () => {
    const restrictions = { serverIds: null, ipAllowlist: ['192.0.2.7'] };
    expectSuccess(await here.api.put(`/api-keys/${key.id}/restrictions`, restrictions, { token: member.token }));
    expectError(await team({ key: key.key }), 403, 'The API key is not accepted from this address');
  });

  it('rejects the access token of a session that ended by a logout, and no other token', async () => {
    const { email, password, refreshToken } = member;
    const other = expectSuccess<{ accessToken: string }>(await here.api.post('/auth/login', { email, password }));
    expectSuccess(await team({ token: other.accessToken }));
    expectSuccess(await here.api.post('/auth/logout', { refreshToken }));
    expectError(await team({ token: member.token }), 401, REJECTED);
    expectSuccess(await team({ token: other.accessToken }));
    expectSuccess(await here.api.post('/auth/logout-all', {}, { token: other.accessToken }));
    expectError(await team({ token: other.accessToken }), 401, REJECTED);
    expectSuccess(await team({ key: key.key }));
  });

  it('rejects the access tokens of a session whose refresh token was used twice', async () => {
    const { refreshToken } = member;
    const refreshed = await here.api.post('/auth/refresh', { refreshToken });
    const fresh = expectSuccess<{ accessToken: string; refreshToken: string }>(refreshed);
    expectSuccess(await team({ token: fresh.accessToken }));
    expectSuccess(await there.api.post('/auth/refresh', { refreshToken: fresh.refreshToken }));
    expectError(await here.api.post('/auth/refresh', { refreshToken }), 401, /^The refresh token is invalid/);
    expectError(await team({ token: member.token }), 401, REJECTED);
    expectError(await team({ token: fresh.accessToken }), 401, REJECTED);
  });

  describe('after a new password, with every earlier access and refresh token', () => {
    const NEW_PASSWORD = 'a better horse battery';
    const login = (app: TestApp, password: string): ReturnType<TestApp['api']['post']> =>
      app.api.post('/auth/login', { email: member.email, password });
    let second: { accessToken: string; refreshToken: string };

    beforeEach(async () => {
      second = expectSuccess(await login(there, member.password));
      expectSuccess(await team({ token: second.accessToken }));
    });
    const expectAllOver = async (): Promise<void> => {
      for (const token of [member.token, second.accessToken]) expectError(await team({ token }), 401, REJECTED);
      for (const { refreshToken } of [member, second]) {
        const refresh = await there.api.post('/auth/refresh', { refreshToken });
        expectError(refresh, 401, /^The refresh token is invalid/);
      }
      expectError(await login(there, member.password), 401, /password is wrong$/);
      expectSuccess(await login(there, NEW_PASSWORD));
      expectSuccess(await team({ key: key.key }));
    };

    it('rejects every earlier token after a change of the password, which returns tokens that work', async () => {
      const body = { currentPassword: member.password, newPassword: NEW_PASSWORD };
      const response = await here.api.post('/auth/password/change', body, { token: member.token });
      const next = expectSuccess<{ accessToken: string }>(response);
      expectSuccess(await team({ token: next.accessToken }));
      await expectAllOver();
    });

    it('rejects every earlier token after a reset of the password', async () => {
      expectSuccess(await there.api.post('/auth/password/forgot', { email: member.email }));
      const [token] = await there.mailbox.next(member.email, /shw_[\w-]{43}/);
      expectSuccess(await here.api.post('/auth/password/reset', { token, newPassword: NEW_PASSWORD }));
      await expectAllOver();
    });
  });
});

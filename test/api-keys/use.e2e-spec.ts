import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ObjectId } from 'mongodb';
import { generateKey } from '../../src/access/api-keys/key-format.js';
import { aKey, aMember, aShop, type TestShop } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { inDatabase } from '../support/in-database.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { wholeOutput } from '../support/whole-output.js';

const REJECTED = 'Authentication is missing or invalid';

describe('X-API-Key', () => {
  let app: TestApp;
  let shop: TestShop;
  let id: string;
  let key: string;
  const team = (presented?: string): ReturnType<TestApp['api']['get']> =>
    app.api.get(`/shops/${shop.shopId}/team`, presented === undefined ? {} : { key: presented });

  beforeAll(async () => {
    app = await startTestApp({ watchCommands: true });
    shop = await aShop(app.api);
    ({ id, key } = await aKey(app.api, shop));
  });
  afterAll(() => app.close());

  it('returns 401 for a malformed key, without a database command', async () => {
    const typo = key.slice(0, 12) + (key[12] === 'a' ? 'b' : 'a') + key.slice(13);
    const swapped = [...key];
    const at = swapped.findIndex((letter, index) => index >= 4 && letter !== swapped[index + 1]);
    [swapped[at], swapped[at + 1]] = [swapped[at + 1] ?? '', swapped[at] ?? ''];
    const malformed = [
      typo,
      swapped.join(''),
      key.slice(0, -1),
      `${key}0`,
      key.toLowerCase(),
      key.replace('shp_', 'shq_'),
      `${key},${key}`,
      'shp_',
      'x'.repeat(8_000),
      '{"$ne":null}',
    ];
    const commands = await app.commandsOf(async () => {
      for (const presented of malformed) expectError(await team(presented), 401, REJECTED);
      expectError(await team(`Bearer ${key}`), 401, /^An API key .* goes in the header X-API-Key/);
    });
    expect(commands).toEqual([]);
  });

  it('returns 401 for a key with any wrong character or any two swapped, without a database command', async () => {
    const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-';
    const anyKey = fc.constant(null).map(generateKey);
    const changed = fc
      .tuple(anyKey, fc.nat(39), fc.constantFrom(...letters))
      .map(([one, at, letter]) => [one, one.slice(0, at) + letter + one.slice(at + 1)]);
    const swapped = fc.tuple(anyKey, fc.nat(39), fc.nat(39)).map(([one, from, to]) => {
      const characters = [...one];
      [characters[from], characters[to]] = [one[to] ?? '', one[from] ?? ''];
      return [one, characters.join('')];
    });
    const wrong = [...fc.sample(changed, 200), ...fc.sample(swapped, 200)]
      .filter(([right, presented]) => right !== presented)
      .map(([, presented]) => presented);
    expect(wrong.length).toBeGreaterThan(300);
    const commands = await app.commandsOf(async () => {
      for (const presented of wrong) expectError(await team(presented), 401, REJECTED);
    });
    expect(commands).toEqual([]);
  });

  it('returns 401 for a well-formed but unknown key', async () => {
    const other = await aKey(app.api, shop);
    await inDatabase(app, (database) => database.collection('api_keys').deleteOne({ _id: new ObjectId(other.id) }));
    expectError(await team(other.key), 401, REJECTED);
  });

  it('returns 401 for a revoked or expired key', async () => {
    for (const change of [{ revokedAt: new Date() }, { expiresAt: new Date(Date.now() - 1) }]) {
      const ended = await aKey(app.api, shop);
      expectSuccess(await team(ended.key));
      await inDatabase(app, (database) =>
        database.collection('api_keys').updateOne({ _id: new ObjectId(ended.id) }, { $set: change }),
      );
      expectError(await team(ended.key), 401, REJECTED);
    }
  });

  it('ignores a key in the query, in a cookie and in the body', async () => {
    const path = `/shops/${shop.shopId}/team`;
    for (const name of ['api_key', 'apiKey', 'key', 'x-api-key']) {
      expectError(await app.api.get(`${path}?${name}=${key}`), 401, REJECTED, `/api/v2${path}`);
    }
    expectError(await app.api.get(path, { headers: { cookie: `X-API-Key=${key}` } }), 401, REJECTED);
    expectError(await app.api.post(`${path}/invitations`, { apiKey: key }), 401, REJECTED);
    expectError(await app.api.get(path, { token: key }), 401, /^An API key .* goes in the header X-API-Key/);
  });

  it('returns 400 for a key next to a token', async () => {
    const both = await app.api.get(`/shops/${shop.shopId}/team`, { key, token: shop.owner.token });
    expectError(both, 400, 'Send either X-API-Key or Authorization, not both');
  });

  it('accepts a key only for its shop: another shop of the same person is 403', async () => {
    const other = { uniqueName: `${shop.uniqueName}-b`, displayName: 'B', currency: 'USD', timezone: 'UTC' };
    const made = await app.api.post(
      '/shops',
      { ...other, nicknameRule: { preset: 'any' } },
      { token: shop.owner.token },
    );
    const { _id } = expectSuccess<{ _id: string }>(made);
    const denied = 'The credential has no access to this shop';
    expectError(await app.api.get(`/shops/${_id}/team`, { key }), 403, denied);
    expectError(await app.api.get(`/shops/${'0'.repeat(24)}/team`, { key }), 404, 'There is no such shop');
  });

  it('gives a key at most the permissions that its creator has now: fewer after a demotion, none after the removal', async () => {
    const member = await aMember(app, shop, 'admin');
    const theirs = await aKey(app.api, { ...shop, owner: member });
    expectSuccess(await team(theirs.key));
    const members = { userId: new ObjectId(member.userId) };
    await inDatabase(app, (database) =>
      database.collection('members').updateOne(members, { $set: { role: 'support' } }),
    );
    expectError(await team(theirs.key), 403, 'The credential lacks the permission team:read');
    expectSuccess(await app.api.get(`/products/${shop.shopId}`, { key: theirs.key }));
    await inDatabase(app, (database) => database.collection('members').deleteOne(members));
    const denied = 'The credential has no access to this shop';
    expectError(await app.api.get(`/products/${shop.shopId}`, { key: theirs.key }), 403, denied);
    expectError(await app.api.get(`/products/${shop.shopId}`, { token: member.token }), 403, denied);
  });

  it('gives a key only permissions that its type can have, even if its stored list is longer', async () => {
    const plugin = await aKey(app.api, shop, 'plugin');
    await inDatabase(app, (database) =>
      database
        .collection('api_keys')
        .updateOne({ _id: new ObjectId(plugin.id) }, { $push: { scopes: 'team:read' } as never }),
    );
    expectError(await team(plugin.key), 403, 'The credential lacks the permission team:read');
  });

  it('stores the last use of a key in one write for many requests', async () => {
    const used = await aKey(app.api, shop);
    const lastUsedAt = async (): Promise<unknown> =>
      expectSuccess(await app.api.get(`/api-keys/${used.id}`, { token: shop.owner.token }))['lastUsedAt'];
    expect(await lastUsedAt()).toBeNull();
    expectSuccess(await team(used.key));
    const stamp = await eventually(lastUsedAt);
    expect(Math.abs(Date.parse(String(stamp)) - Date.now())).toBeLessThan(10_000);
    for (let times = 0; times < 5; times++) expectSuccess(await team(used.key));
    expect(await lastUsedAt()).toBe(stamp);
  });

  it('stores the last use of a key once a minute, also for parallel requests and with both secrets of a rotation', async () => {
    const used = await aKey(app.api, shop);
    const next = expectSuccess<{ key: string }>(
      await app.api.post(`/api-keys/${used.id}/rotate`, {}, { token: shop.owner.token }),
    );
    const stampedTimes = async (): Promise<number> => {
      const before = await app.modifiedIn('api_keys');
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, index) => team(index % 2 === 0 ? used.key : next.key)),
      );
      for (const response of responses) expectSuccess(response);
      return (await app.modifiedIn('api_keys')) - before;
    };
    const usedAgo = (ms: number): Promise<unknown> =>
      inDatabase(app, (database) =>
        database
          .collection('api_keys')
          .updateOne({ _id: new ObjectId(used.id) }, { $set: { lastUsedAt: new Date(Date.now() - ms) } }),
      );
    expect(await stampedTimes()).toBe(1);
    expect(await stampedTimes()).toBe(0);
    await usedAgo(61_000);
    expect(await stampedTimes()).toBe(1);
    await usedAgo(30_000);
    expect(await stampedTimes()).toBe(0);
  });

  it('writes a key into no log line, right or wrong', async () => {
    await team(key);
    await team(`${key}x`);
    await app.api.get(`/shops/${shop.shopId}/team?key=${key}`);
    const output = await wholeOutput(app);
    expect(output).toContain(`key:${id}`);
    expect(output).not.toContain(key);
  });
});

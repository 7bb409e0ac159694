import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aKey, aMember, aPerson, aShop, type TestShop } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let shop: TestShop;

beforeAll(async () => {
  app = await startTestApp();
  shop = await aShop(app.api);
});
afterAll(() => app.close());

const DEFAULTS = { language: null, look: 'device', shortcuts: true };
const VIEW = { list: 'orders', name: 'Waits too long', filters: 'deliveryStatus=queued&sort=oldest' };

describe('GET and PUT /auth/preferences', () => {
  it('returns the defaults, and then what the person has set', async () => {
    const { token } = await aPerson(app.api);
    expect(expectSuccess(await app.api.get('/auth/preferences', { token }), 'Preferences retrieved')).toEqual(DEFAULTS);
    const settings = { language: 'de', look: 'dark', shortcuts: false };
    for (const sent of [settings, { ...settings, look: 'light' }]) {
      expect(expectSuccess(await app.api.put('/auth/preferences', sent, { token }), 'Preferences saved')).toEqual(sent);
      expect(expectSuccess(await app.api.get('/auth/preferences', { token }))).toEqual(sent);
    }
    const other = await aPerson(app.api);
    expect(expectSuccess(await app.api.get('/auth/preferences', { token: other.token }))).toEqual(DEFAULTS);
  });

  it.each<[object, RegExp]>([
    [{ ...DEFAULTS, look: 'pink' }, /^look must be one of/],
    [{ ...DEFAULTS, language: 'xx' }, /^language must be one of/],
    [{ look: 'dark' }, /is required/],
    [{ ...DEFAULTS, userId: 'a' }, /userId/],
  ])('rejects %j', async (body, sentence) => {
    expectError(await app.api.put('/auth/preferences', body, { token: shop.owner.token }), 400, sentence);
  });
});

describe('GET and PUT /auth/preferences/{shopId}/views', () => {
  const path = (shopId = shop.shopId): string => `/auth/preferences/${shopId}/views`;

  it('keeps the views of each member of each shop apart, in their order', async () => {
    const { token } = shop.owner;
    expect(expectSuccess(await app.api.get(path(), { token }), 'Views retrieved')).toEqual({ views: [] });
    const views = [VIEW, { list: 'bans', name: 'Ended', filters: 'hasEnded=true' }];
    expect(expectSuccess(await app.api.put(path(), { views }, { token }), 'Views saved')).toEqual({ views });
    expect(expectSuccess(await app.api.get(path(), { token }))).toEqual({ views });
    const member = await aMember(app, shop, 'analyst');
    expect(expectSuccess(await app.api.get(path(), { token: member.token }))).toEqual({ views: [] });
    const [last] = views;
    expectSuccess(await app.api.put(path(), { views: [last] }, { token }));
    expect(expectSuccess(await app.api.get(path(), { token }))).toEqual({ views: [last] });
  });

  it('returns 404 to those who are no member, and 401 to a key', async () => {
    const { token } = await aPerson(app.api);
    expectError(await app.api.get(path(), { token }), 404, /./);
    expectError(await app.api.put(path(), { views: [VIEW] }, { token }), 404, /./);
    const { key } = await aKey(app.api, shop);
    expectError(await app.api.get(path(), { key }), 401, /./);
  });

  it.each<[string, object, RegExp]>([
    ['a filter that names a buyer', { views: [{ ...VIEW, filters: 'email=a%40example.com' }] }, /must not have email/],
    ['what is no query', { views: [{ ...VIEW, filters: '$where=1' }] }, /must be a query/],
    ['an unknown list', { views: [{ ...VIEW, list: 'secrets' }] }, /list must be one of/],
    ['two views with one name', { views: [VIEW, VIEW] }, /the same name/],
    ['51 views', { views: Array.from({ length: 51 }, (_, n) => ({ ...VIEW, name: `View ${n}` })) }, /at most 50/],
  ])('rejects %s', async (_, body, sentence) => {
    expectError(await app.api.put(path(), body, { token: shop.owner.token }), 400, sentence);
  });
});

it('deletes all preferences of a person who closes the account', async () => {
  const person = await aMember(app, shop, 'support');
  const { token, userId, password } = person;
  expectSuccess(await app.api.put('/auth/preferences', { ...DEFAULTS, look: 'dark' }, { token }));
  expectSuccess(await app.api.put(`/auth/preferences/${shop.shopId}/views`, { views: [VIEW] }, { token }));
  const stored = (): Promise<number> =>
    inDatabase(app, (db) => db.collection('preferences').countDocuments({ userId: idOf(userId) }));
  expect(await stored()).toBe(2);
  expectSuccess(await app.api.delete('/auth/me', { token, body: { currentPassword: password } }));
  expect(await stored()).toBe(0);
});

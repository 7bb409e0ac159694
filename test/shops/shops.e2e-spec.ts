import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ALL_PERMISSIONS } from '../../src/domain/principal/permissions.js';
import { aKey, aMember, aPerson, aShop, type Person, unique } from '../support/actors.js';
import { anId, anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { NO_LEGAL, STOREFRONT } from '../support/shops.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const PATH = '/api/v2/shops';

let app: TestApp;
let person: Person;
const body = (changes: object = {}): object => ({
  uniqueName: `realm-${unique()}`,
  displayName: 'Sky Realm',
  currency: 'EUR',
  timezone: 'Europe/Berlin',
  nicknameRule: { preset: 'any' },
  ...changes,
});
const create = (changes: object = {}): ReturnType<TestApp['api']['post']> =>
  app.api.post('/shops', body(changes), { token: person.token });

beforeAll(async () => {
  app = await startTestApp();
  person = await aPerson(app.api);
});
afterAll(() => app.close());

const WRONG_SETTINGS: readonly (readonly [object, string | RegExp])[] = [
  [{ uniqueName: undefined }, 'uniqueName is required, for example "sky-realm"'],
  [{ uniqueName: 'ab' }, 'uniqueName must have 3 to 40 characters'],
  [{ uniqueName: 'a'.repeat(41) }, 'uniqueName must have 3 to 40 characters'],
  ...['Abc', '-abc', 'abc-', 'a--b', 'xn--abc', 'a_b', 'a.b', 'a b', 'äbc', 'abc\u00ad', 'a/b', 'abc\u200b'].map(
    (uniqueName) =>
      [{ uniqueName }, 'uniqueName must be lower-case letters, digits and single hyphens inside'] as const,
  ),
  [{ uniqueName: 'a\nbc' }, 'uniqueName must not contain control characters'],
  [{ uniqueName: { $ne: 1 } }, 'uniqueName must be a string'],
  ...['www', 'api', 'admin', 'mail', 'demo-shop', 'localhost', 'undefined', 'null', 'shops', 'public'].map(
    (uniqueName) => [{ uniqueName }, 'uniqueName is reserved'] as const,
  ),
  [{ displayName: '' }, 'displayName must have 1 to 80 characters'],
  [{ displayName: 'x'.repeat(81) }, 'displayName must have 1 to 80 characters'],
  [{ displayName: 'Sky\u0000' }, 'displayName must not contain control characters'],
  [{ displayName: 5 }, 'displayName must be a string'],
  [{ currency: 'EURO' }, 'currency must be a currency code of three letters such as EUR'],
  [{ currency: 'eur' }, 'currency must be a currency code of three letters such as EUR'],
  [{ currency: 'ABC' }, 'currency must be a currency code of three letters such as EUR'],
  [{ currency: 978 }, 'currency must be a string'],
  [{ timezone: 'Mars/Olympus' }, 'timezone must be an IANA zone such as Europe/Berlin'],
  [{ timezone: '+02:00' }, 'timezone must be an IANA zone such as Europe/Berlin'],
  [{ timezone: 'local' }, 'timezone must be an IANA zone such as Europe/Berlin'],
  [{ timezone: '../../etc/passwd' }, 'timezone must be an IANA zone such as Europe/Berlin'],
  [{ nicknameRule: undefined }, 'nicknameRule is required, for example {"preset":"minecraft-java","pattern":null}'],
  [{ nicknameRule: null }, 'nicknameRule must be an object'],
  [{ nicknameRule: 'any' }, 'nicknameRule must be an object'],
  [{ nicknameRule: [] }, 'nicknameRule must be an object'],
  [{ nicknameRule: [{ preset: 'any' }] }, 'nicknameRule must be an object'],
  [{ nicknameRule: {} }, 'nicknameRule.preset is required, for example "minecraft-java"'],
  [{ nicknameRule: { preset: 'roblox' } }, /^nicknameRule\.preset must be one of minecraft-java, /],
  [{ nicknameRule: { preset: 'any', x: 1 } }, 'nicknameRule.x is not a known field'],
  [{ nicknameRule: { preset: 'any', pattern: 'a' } }, 'nicknameRule.pattern is only for the preset custom'],
  [{ nicknameRule: { preset: 'custom' } }, /^nicknameRule\.pattern is required for the preset custom, for example /],
  [{ nicknameRule: { preset: 'custom', pattern: null } }, /^nicknameRule\.pattern is required for the preset custom/],
  [{ nicknameRule: { preset: 'custom', pattern: '' } }, /^nicknameRule\.pattern is required for the preset custom/],
  [
    { nicknameRule: { preset: 'custom', pattern: '(a+)+' } },
    /^nicknameRule\.pattern: too many ways to match lead to position 2:/,
  ],
  [
    { nicknameRule: { preset: 'custom', pattern: '.*' } },
    /^nicknameRule\.pattern: the \. at position 1 allows every character/,
  ],
  [
    { nicknameRule: { preset: 'custom', pattern: 'a{3,2}' } },
    /^nicknameRule\.pattern: the repetition \{3,2\} at position 2 ends/,
  ],
  [{ language: 'fr' }, 'language must be one of en, de'],
  [{ language: null }, 'language must be one of en, de'],
  [{ supportEmail: 'nobody' }, 'supportEmail must be an email address'],
  [{ ownerEmails: ['refund'] }, 'ownerEmails must contain only sale, dispute, delivery_failed, server_offline'],
  [{ accentColor: 'red' }, 'accentColor must be # and six hexadecimal digits'],
  [{ accentColor: '#12345;' }, 'accentColor must be # and six hexadecimal digits'],
  [{ isActive: 'no' }, 'isActive must be true or false'],
  [{ _id: '0'.repeat(24) }, '_id is not a known field'],
  [{ createdBy: 'x', $where: '1' }, 'createdBy is not a known field; $where is not a known field'],
];

describe('POST /shops', () => {
  it('creates a closed shop', async () => {
    const { uniqueName } = expectSuccess<{ uniqueName: string }>(await create({ isActive: false }));
    expect(expectSuccess(await app.api.get(`/shops/public/${uniqueName}`))).toMatchObject({ isActive: false });
  });

  it('names all problems of a body in one response', async () => {
    const nicknameRule = { preset: 'custom', pattern: 'a.' };
    const body = { uniqueName: 'www', displayName: '', currency: 'ABC', timezone: 'Mars', nicknameRule };
    expectError(
      await create(body),
      400,
      'uniqueName is reserved; displayName must have 1 to 80 characters; currency must be a currency code of three letters such as EUR; ' +
        'timezone must be an IANA zone such as Europe/Berlin; nicknameRule.pattern: the . at position 2 allows every character: ' +
        'write \\. for a dot, or a class such as [\\w.]',
    );
  });

  it('creates a shop whose owner is the caller', async () => {
    const uniqueName = `realm-${unique()}`;
    const nicknameRule = { preset: 'custom', pattern: '^(?:[A-Z][a-z]{1,9}){1,2}$' };
    const data = expectSuccess<{ _id: string }>(await create({ uniqueName, nicknameRule }), 'Shop created');
    expect(data).toEqual({
      _id: anId,
      uniqueName,
      displayName: 'Sky Realm',
      frontEndUrl: `https://${uniqueName}.shops.localhost`,
      isActive: true,
      createdAt: anInstant,
      currency: 'EUR',
      currencyDecimals: 2,
      timezone: 'Europe/Berlin',
      language: 'en',
      supportEmail: null,
      accentColor: null,
      ownerEmails: ['sale', 'dispute', 'delivery_failed', 'server_offline'],
      widgets: [],
      monthlyGoal: null,
      priceRule: 'eu',
      legal: NO_LEGAL,
      ...STOREFRONT,
      ...{ closedText: null, origins: [] },
      nicknameRule,
      domain: null,
    });
    const team = expectSuccess(await app.api.get(`/shops/${data._id}/team`, { token: person.token }));
    expect(team).toMatchObject({ total: 1, members: [{ userId: person.userId, role: 'owner' }] });
  });

  it.each(['abc', 'a-b', '0-9', 'a'.repeat(40), '1st-realm', '655f1c2ab1e4a9d3f0c81234'])(
    'accepts %s as a name',
    async (uniqueName) => expectSuccess(await create({ uniqueName })),
  );

  it.each(WRONG_SETTINGS)('returns 400 for %j and names the field', async (changes, error) => {
    expectError(await create(changes), 400, error, PATH);
  });

  it('names several problems at once', async () => {
    const wrong = { uniqueName: 'admin', currency: 'XYZ', timezone: 'Nowhere/Town' };
    const error =
      'uniqueName is reserved; currency must be a currency code of three letters such as EUR; timezone must be an IANA zone such as Europe/Berlin';
    expectError(await create(wrong), 400, error, PATH);
  });

  it('returns 401 without a token and for a key', async () => {
    expectError(await app.api.post('/shops', body()), 401, 'Authentication is missing or invalid', PATH);
    const { key } = await aKey(app.api, await aShop(app.api));
    const hint = 'This endpoint takes no API key; send an access token in Authorization, after Bearer';
    expectError(await app.api.post('/shops', body(), { key }), 401, hint, PATH);
  });

  it('returns 409 for a name that is taken', async () => {
    const { uniqueName } = await aShop(app.api);
    expectError(await create({ uniqueName }), 409, 'A shop with this uniqueName already exists', PATH);
  });

  it('creates one shop, with one owner, when five people send twenty parallel requests for one name', async () => {
    const uniqueName = `wanted-${unique()}`;
    const people = await Promise.all(Array.from({ length: 5 }, () => aPerson(app.api)));
    const askers = people.flatMap((one) => [one, one, one, one]);
    const responses = await Promise.all(
      askers.map(({ token }) => app.api.post('/shops', body({ uniqueName }), { token })),
    );
    const [winner, ...more] = responses.filter(({ status }) => status === 200);
    expect(more).toEqual([]);
    for (const loser of responses.filter((response) => response !== winner)) {
      expectError(loser, 409, 'A shop with this uniqueName already exists', PATH);
    }
    const left = await inDatabase(app, async (database) => {
      const shops = await database.collection('shops').find({ uniqueName }).toArray();
      const members = await database
        .collection('members')
        .find({ shopId: { $in: shops.map(({ _id }) => _id) } })
        .toArray();
      const all = await database.collection('members').countDocuments();
      return {
        shops: shops.length,
        members: members.length,
        orphans: all - (await database.collection('shops').countDocuments()),
      };
    });
    expect(left).toEqual({ shops: 1, members: 1, orphans: 0 });
  });
});

describe('GET /shops and GET /shops/{shopId}', () => {
  it('lists the shops of the caller, newest first, page by page, each with what the caller may do there', async () => {
    const { token } = await aPerson(app.api);
    const names = [`a-${unique()}`, `b-${unique()}`, `c-${unique()}`];
    for (const uniqueName of names) expectSuccess(await app.api.post('/shops', body({ uniqueName }), { token }));
    const first = await app.api.get('/shops?limit=2', { token });
    const record = (uniqueName: string | undefined): object => ({
      _id: anId,
      uniqueName,
      displayName: 'Sky Realm',
      frontEndUrl: `https://${String(uniqueName)}.shops.localhost`,
      isActive: true,
      createdAt: anInstant,
      currency: 'EUR',
      currencyDecimals: 2,
      timezone: 'Europe/Berlin',
      accentColor: null,
      role: 'owner',
      permissions: ALL_PERMISSIONS,
    });
    expect(first.headers['x-total-count']).toBe('3');
    expect(expectSuccess(first, 'Shops retrieved')).toEqual([record(names[2]), record(names[1])]);
    const next = /^<\/api\/v2([^>]+)>; rel="next"$/.exec(String(first.headers['link']))?.[1] ?? '';
    const second = await app.api.get(next, { token });
    expect(expectSuccess(second)).toEqual([record(names[0])]);
    expect(second.headers['link']).toBeUndefined();
    expectError(await app.api.get('/shops?limit=0', { token }), 400, 'limit must be between 1 and 100', PATH);
    expectError(await app.api.get('/shops'), 401, 'Authentication is missing or invalid', PATH);
  });

  it('lists also the shops that the caller joined, with the role of the caller and what it permits', async () => {
    const shop = await aShop(app.api, { currency: 'JPY' });
    const { token } = await aMember(app, shop, 'analyst');
    expect(expectSuccess(await app.api.get('/shops', { token }))).toEqual([
      expect.objectContaining({
        _id: shop.shopId,
        currencyDecimals: 0,
        role: 'analyst',
        permissions: [
          'shops:read',
          'products:read',
          'orders:read',
          'deliveries:read',
          'entitlements:read',
          'stats:read',
        ],
      }),
    ]);
  });

  it('returns the settings to members with the permission, and 403 or 404 to others', async () => {
    const shop = await aShop(app.api);
    const path = `/shops/${shop.shopId}`;
    const { key } = await aKey(app.api, shop, 'secret', ['shops:read']);
    expect(expectSuccess(await app.api.get(path, { key }), 'Shop retrieved')).toEqual({
      _id: shop.shopId,
      uniqueName: shop.uniqueName,
      displayName: 'Sky Realm',
      frontEndUrl: `https://${shop.uniqueName}.shops.localhost`,
      isActive: true,
      createdAt: anInstant,
      currency: 'EUR',
      currencyDecimals: 2,
      timezone: 'Europe/Berlin',
      language: 'en',
      supportEmail: null,
      accentColor: null,
      ownerEmails: ['sale', 'dispute', 'delivery_failed', 'server_offline'],
      widgets: [],
      monthlyGoal: null,
      priceRule: 'eu',
      legal: NO_LEGAL,
      ...STOREFRONT,
      ...{ closedText: null, origins: [] },
      nicknameRule: { preset: 'minecraft-java', pattern: null },
      domain: null,
    });
    const plugin = await aKey(app.api, shop, 'plugin');
    const missing = 'The credential lacks the permission shops:read';
    expectError(await app.api.get(path, { key: plugin.key }), 403, missing, `/api/v2${path}`);
    const denied = 'The credential has no access to this shop';
    expectError(await app.api.get(path, { token: person.token }), 403, denied, `/api/v2${path}`);
    const unknown = await app.api.get(`/shops/${'0'.repeat(24)}`, { token: person.token });
    expectError(unknown, 404, 'There is no such shop');
  });
});

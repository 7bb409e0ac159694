import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aKey, aMember, aProduct, aShop, type TestShop } from '../support/actors.js';
import { anId, anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

interface Entry {
  readonly id: string;
  readonly action: string;
  readonly subjectId: string | null;
}

describe('GET /shops/{shopId}/audit', () => {
  let app: TestApp;
  let shop: TestShop;

  beforeAll(async () => {
    app = await startTestApp();
    shop = await aShop(app.api);
  });
  afterAll(() => app.close());

  const path = (): string => `/shops/${shop.shopId}/audit`;

  it('tells who wrote what, and when, newest first', async () => {
    const { id: keyId, key } = await aKey(app.api, shop);
    const byPerson = await aProduct(app.api, shop, { name: 'VIP' });
    const byKey = expectSuccess<{ id: string }>(
      await app.api.post(`/products/${shop.shopId}`, { name: 'MVP', price: 1 }, { key }),
    ).id;
    const entry = (actor: object, subjectId: string, name: string): object => ({
      id: anId,
      at: anInstant,
      actor,
      action: 'product.created',
      summary: 'A product was made',
      subjectId,
      changes: [{ field: 'name', before: null, after: name }],
    });
    const log = expectSuccess<Entry[]>(await app.api.get(path(), { key }), 'Audit log retrieved');
    expect(log.slice(0, 2)).toEqual([
      entry({ type: 'api_key', id: keyId }, byKey, 'MVP'),
      entry({ type: 'user', id: shop.owner.userId }, byPerson, 'VIP'),
    ]);
  });

  it('is read page by page, each entry once', async () => {
    for (const name of ['A', 'B', 'C']) await aProduct(app.api, shop, { name });
    const token = shop.owner.token;
    const whole = expectSuccess<Entry[]>(await app.api.get(path(), { token }));
    const seen: Entry[] = [];
    for (let next: string | undefined = `${path()}?limit=2`; next !== undefined;) {
      const response = await app.api.get(next, { token });
      seen.push(...expectSuccess<Entry[]>(response));
      next = /<[^>]*\/api\/v2([^>]+)>; rel="next"/.exec(response.headers['link'] ?? '')?.[1];
    }
    expect(seen).toEqual(whole);
  });

  it('notes nothing of a write that is refused', async () => {
    const token = shop.owner.token;
    const before = expectSuccess<Entry[]>(await app.api.get(path(), { token }));
    expectError(
      await app.api.post(`/products/${shop.shopId}`, { name: 'A', price: 1.005 }, { token }),
      400,
      'price has more decimals than EUR allows',
    );
    expect(expectSuccess<Entry[]>(await app.api.get(path(), { token }))).toEqual(before);
  });

  it('is for those who may read the team, in this shop only', async () => {
    const developer = await aMember(app, shop, 'developer');
    expectError(
      await app.api.get(path(), { token: developer.token }),
      403,
      'The credential lacks the permission team:read',
    );
    const stranger = await aShop(app.api);
    expectError(
      await app.api.get(path(), { token: stranger.owner.token }),
      403,
      'The credential has no access to this shop',
    );
    const theirs = expectSuccess<Entry[]>(
      await app.api.get(`/shops/${stranger.shopId}/audit`, { token: stranger.owner.token }),
    );
    expect(theirs.filter(({ action }) => action === 'product.created')).toEqual([]);
  });

  it.each(['put', 'patch', 'delete', 'post'] as const)('is append-only: there is no %s', async (method) => {
    const response = await app.api.call(method, path(), { token: shop.owner.token });
    expectError(response, 405, 'The endpoint does not support this method');
  });
});

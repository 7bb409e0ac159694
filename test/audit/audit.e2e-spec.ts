import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { payment, aWebhook, sendCustom } from '../payments/senders.js';
import { aKey, aMember, anOrder, aProduct, aServer, aShop, type TestShop } from '../support/actors.js';
import { anId, anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { inDatabase } from '../support/in-database.js';
import { idOf, OVERDUE } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

interface Entry {
  readonly id: string;
  readonly action: string;
  readonly subjectId: string | null;
  readonly actor: { readonly type: string; readonly id: string | null };
  readonly changes: readonly object[];
}

describe('GET /shops/{shopId}/audit', () => {
  let app: TestApp;
  let shop: TestShop;

  beforeAll(async () => {
    app = await startTestApp({ config: { sweepIntervalMs: 100 } });
    shop = await aShop(app.api);
  });
  afterAll(() => app.close());

  const path = (): string => `/shops/${shop.shopId}/audit`;

  it('shows who wrote what, and when, newest first', async () => {
    const { id: keyId, key } = await aKey(app.api, shop);
    const byPerson = await aProduct(app.api, shop, { name: 'VIP', commands: ['say hi'] });
    const byKey = expectSuccess<{ id: string }>(
      await app.api.post(`/products/${shop.shopId}`, { name: 'MVP', price: 1 }, { key }),
    ).id;
    const entry = (actor: object, subjectId: string, fields: object): object => ({
      id: anId,
      at: anInstant,
      actor,
      action: 'product.created',
      summary: 'A product was created',
      subjectId,
      changes: Object.entries(fields).map(([field, after]) => ({ field, before: null, after: after as string })),
    });
    const log = expectSuccess<Entry[]>(await app.api.get(path(), { key }), 'Audit log retrieved');
    expect(log.slice(0, 2)).toEqual([
      entry({ type: 'api_key', id: keyId, name: 'secret key' }, byKey, {
        name: 'MVP',
        featured: 'false',
        price: '1',
        position: '0',
        ownedEverywhere: 'false',
        requiresOnline: 'false',
        restockOnRefund: 'false',
        isActive: 'true',
        showBefore: 'false',
      }),
      entry({ type: 'user', id: shop.owner.userId, name: expect.any(String) }, byPerson, {
        name: 'VIP',
        featured: 'false',
        price: '9.99',
        position: '0',
        commands: 'say hi',
        ownedEverywhere: 'false',
        requiresOnline: 'false',
        restockOnRefund: 'false',
        isActive: 'true',
        showBefore: 'false',
      }),
    ]);
  });

  it('shows also what buyers, payment providers and the service itself did', async () => {
    const token = shop.owner.token;
    const orderRequest = { productId: await aProduct(app.api, shop), serverId: await aServer(app.api, shop) };
    const webhook = await aWebhook(app.api, shop, 'custom');
    const paid = await anOrder(app.api, shop.shopId, orderRequest);
    await app.api.post(`/orders/public/${paid.id}/nickname/request`, {});
    const [verificationCode] = await app.mailbox.next(paid.email, /^\d{8}$/m);
    const change = { verificationCode, newNickname: 'Alex_42' };
    expectSuccess(await app.api.post(`/orders/public/${paid.id}/nickname/change`, change));
    expectSuccess(await sendCustom(app.api, webhook, payment(paid)));
    const forgotten = await anOrder(app.api, shop.shopId, orderRequest);
    await inDatabase(app, (database) =>
      database.collection('orders').updateOne({ _id: idOf(forgotten.id) }, { $set: OVERDUE }),
    );
    const entriesOf = async (id: string): Promise<unknown[]> => {
      const log = expectSuccess<Entry[]>(await app.api.get(path(), { token }));
      return log
        .filter(({ subjectId }) => subjectId === id)
        .map(({ actor, action, changes }) => ({ actor, action, changes }));
    };
    const expired = { actor: { type: 'system', id: null, name: null }, action: 'order.expired', changes: [] };
    const created = { actor: { type: 'buyer', id: null, name: null }, action: 'order.created', changes: [] };
    await eventually(async () => (await entriesOf(forgotten.id)).length === 2);
    expect(await entriesOf(forgotten.id)).toEqual([expired, created]);
    expect(await entriesOf(paid.id)).toEqual([
      {
        actor: { type: 'provider', id: 'custom', name: null },
        action: 'order.payment_changed',
        changes: [
          { field: 'status', before: 'open', after: 'completed' },
          { field: 'paymentStatus', before: 'pending', after: 'paid' },
          { field: 'deliveryStatus', before: 'none', after: 'queued' },
        ],
      },
      {
        actor: { type: 'buyer', id: null, name: null },
        action: 'order.nickname_changed',
        changes: [{ field: 'nickname', before: 'Steve_42', after: 'Alex_42' }],
      },
      created,
    ]);
  });

  it('finds entries by what was done, by whom, to what and when', async () => {
    const own = await aShop(app.api);
    const { token, userId } = own.owner;
    const { id: keyId, key } = await aKey(app.api, own);
    const productId = await aProduct(app.api, own, { name: 'VIP' });
    expectSuccess(await app.api.patch(`/products/${own.shopId}/${productId}`, { name: 'MVP' }, { key }));
    const { name } = expectSuccess<{ name: string }>(await app.api.get('/auth/me', { token }));
    const found = async (query: string): Promise<unknown[]> => {
      const response = await app.api.get(`/shops/${own.shopId}/audit?${query}`, { token });
      const entries = expectSuccess<Entry[]>(response).map(({ action }) => action);
      expect(response.headers['x-total-count']).toBe(String(entries.length));
      return entries;
    };
    const all = ['product.updated', 'product.created', 'api_key.created', 'shop.created'];
    const byPerson = all.slice(1);
    const later = new Date(Date.now() + 1_000).toISOString();
    const rows: [query: string, actions: string[]][] = [
      ['', all],
      ['sort=oldest', all.toReversed()],
      ['action=product.created', ['product.created']],
      ['action=discount.deleted', []],
      [`actor=user:${userId}`, byPerson],
      [`actor=key:${keyId}`, ['product.updated']],
      [`actor=key:${keyId}&action=product.created`, []],
      ['actor=buyer', []],
      [`subjectId=${productId}`, ['product.updated', 'product.created']],
      [`from=2020-01-01&to=${later}`, all],
      [`from=${later}`, []],
      ['to=2020-01-01', []],
      [`q=${productId}`, ['product.updated', 'product.created']],
      [`q=${keyId}&action=product.updated`, ['product.updated']],
      ['q=product%20changed', ['product.updated']],
      ['q=API%20key', ['api_key.created']],
      ['q=SECRET', ['product.updated']],
      [`q=${encodeURIComponent(name)}`, byPerson],
      [`q=${encodeURIComponent(own.owner.email)}`, byPerson],
      ...['.*', '%24where', 'buyer'].map((q): [string, string[]] => [`q=${q}`, []]),
    ];
    for (const [query, actions] of rows) expect([query, await found(query)]).toEqual([query, actions]);
    const invalid = await app.api.get(`/shops/${own.shopId}/audit?actor=somebody`, { token });
    expectError(invalid, 400, 'actor must be buyer, system, user:<id>, key:<id> or provider:<name>');
  });

  it('returns each entry once, page by page', async () => {
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

  it('shows nothing of another shop for a cursor of its entry, and rejects an invalid cursor', async () => {
    const other = await aShop(app.api);
    for (const name of ['A', 'B']) await aProduct(app.api, other, { name });
    const theirs = await app.api.get(`/shops/${other.shopId}/audit?limit=1`, { token: other.owner.token });
    const cursor = /cursor=([\w-]+)/.exec(theirs.headers['link'] ?? '')?.[1] ?? '';
    const token = shop.owner.token;
    const whole = expectSuccess<Entry[]>(await app.api.get(path(), { token }));
    const page = expectSuccess<Entry[]>(await app.api.get(`${path()}?cursor=${cursor}`, { token }));
    expect(page).toEqual(whole.filter(({ id }) => page.some((entry) => entry.id === id)));
    const tampered = await app.api.get(`${path()}?cursor=${cursor.slice(1)}`, { token });
    expectError(tampered, 400, 'cursor must come from the Link header of a list');
  });

  it('records nothing when a write is rejected', async () => {
    const token = shop.owner.token;
    const before = expectSuccess<Entry[]>(await app.api.get(path(), { token }));
    expectError(
      await app.api.post(`/products/${shop.shopId}`, { name: 'A', price: 1.005 }, { token }),
      400,
      'price has more decimals than EUR allows',
    );
    expect(expectSuccess<Entry[]>(await app.api.get(path(), { token }))).toEqual(before);
  });

  it('stores the entry and the write together, or neither', async () => {
    const other = await aShop(app.api);
    await aProduct(app.api, other);
    // A unique index on the action: the second entry of an action fails, after its product was written.
    const fault = { unique: true, partialFilterExpression: { shopId: idOf(other.shopId) }, name: 'fault' };
    await inDatabase(app, (database) =>
      database.collection('audit_log').createIndex({ shopId: 1, action: 1 }, fault, {}),
    );
    const token = other.owner.token;
    const response = await app.api.post(`/products/${other.shopId}`, { name: 'Half', price: 1 }, { token });
    expectError(response, 500, 'Something went wrong on our side');
    const products = expectSuccess<{ name: string }[]>(await app.api.get(`/products/${other.shopId}`, { token }));
    expect(products.map(({ name }) => name)).toEqual(['VIP rank']);
  });

  it('requires the permission to read the team of this shop', async () => {
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

  it.each(['put', 'patch', 'delete', 'post'] as const)('offers no %s of entries', async (method) => {
    const response = await app.api.call(method, path(), { token: shop.owner.token });
    expectError(response, 405, 'The endpoint does not support this method');
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aKey, aMember, anOrder, aPerson, aProduct, aServer, aShop, type TestShop } from '../support/actors.js';
import { anId, anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { aWebhook, sendCustom } from '../payments/senders.js';
import { NO_LEGAL, STOREFRONT } from '../support/shops.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

interface Entry {
  readonly action: string;
  readonly changes: readonly object[];
}

let app: TestApp;
let shop: TestShop;

const path = (suffix = ''): string => `/shops/${shop.shopId}${suffix}`;
const asOwner = (): { token: string } => ({ token: shop.owner.token });
const patch = (body: unknown, credential: { token?: string; key?: string } = asOwner()): Promise<Response> =>
  app.api.patch(path(), body, credential);
const deactivate = (credential: { token?: string; key?: string } = asOwner()): Promise<Response> =>
  app.api.delete(path(), credential);
const reactivate = (credential: { token?: string; key?: string } = asOwner()): Promise<Response> =>
  app.api.call('post', path('/reactivate'), credential);
const log = async (): Promise<Entry[]> => expectSuccess<Entry[]>(await app.api.get(path('/audit'), asOwner()));
const record = (changes: object = {}): object => ({
  _id: shop.shopId,
  uniqueName: shop.uniqueName,
  displayName: 'Sky Realm',
  frontEndUrl: `https://${shop.uniqueName}.shops.localhost`,
  isActive: true,
  createdAt: anInstant,
  ...changes,
});
const details = (changes: object = {}): object => ({
  ...record(),
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
  nicknameRule: { preset: 'minecraft-java', pattern: null },
  legal: NO_LEGAL,
  ...STOREFRONT,
  ...{ closedText: null, origins: [] },
  domain: null,
  ...changes,
});

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  shop = await aShop(app.api);
});
afterAll(() => app.close());

describe('POST /shops', () => {
  it('writes the first entry of the log, with the person who created the shop', async () => {
    const change = (field: string, after: string): object => ({ field, before: null, after });
    expect(await log()).toEqual([
      {
        id: anId,
        at: anInstant,
        actor: { type: 'user', id: shop.owner.userId, name: 'Olivia' },
        action: 'shop.created',
        summary: 'The shop was created',
        subjectId: null,
        changes: [
          change('uniqueName', shop.uniqueName),
          change('currency', 'EUR'),
          change('displayName', 'Sky Realm'),
          change('timezone', 'Europe/Berlin'),
          change('nicknameRule', 'minecraft-java'),
          change('language', 'en'),
          change('ownerEmails', 'sale, dispute, delivery_failed, server_offline'),
          change('priceRule', 'eu'),
          change('parts', STOREFRONT.parts.join(', ')),
          change('theme.font', 'manrope'),
          change('theme.mode', 'auto'),
        ],
      },
    ]);
  });
});

describe('PATCH /shops/{shopId}', () => {
  it('changes the given settings and keeps the others', async () => {
    expect(expectSuccess(await patch({ displayName: 'Cloud Realm' }), 'Shop updated')).toEqual(
      details({ displayName: 'Cloud Realm' }),
    );
    const look = { language: 'de', supportEmail: 'help@example.com', accentColor: '#7c3aed', ownerEmails: ['dispute'] };
    const widgets = { widgets: ['monthly_goal', 'top_buyers'], monthlyGoal: 499.5 };
    const nicknameRule = { preset: 'custom', pattern: '[a-z]{3,12}' };
    const changes = { timezone: 'UTC', nicknameRule, ...look, ...widgets };
    const changed = details({ displayName: 'Cloud Realm', ...changes });
    expect(expectSuccess(await patch(changes))).toEqual(changed);
    expect(expectSuccess(await app.api.get(path(), asOwner()))).toEqual(changed);
    const cleared = { supportEmail: null, accentColor: null, widgets: [], monthlyGoal: null };
    expect(expectSuccess(await patch(cleared))).toEqual({ ...changed, ...cleared });
  });

  it('changes what the pages of the shop print', async () => {
    const links = [{ label: 'Discord', url: 'https://discord.example/sky' }];
    const changes = {
      ...{ logoUrl: 'https://cdn.example.com/logo.png', lang: 'pt-BR', theme: { font: 'geist', mode: 'dark' }, links },
      hero: { title: 'Welcome', text: '<script>alert(1)</script>', imageId: null, links },
      notice: { text: 'Keys are cheap', label: 'To the keys', url: 'https://sky-realm.example/keys' },
      ...{ goalText: 'Pays for the lobby', parts: ['servers', 'hero'], closedText: 'Back\non Friday' },
      origins: ['https://preview.sky-realm.example:8443'],
    };
    expect(expectSuccess(await patch(changes))).toEqual(details(changes));
    const { closedText: _closed, origins: _origins, ...shown } = changes;
    const seen = expectSuccess(await app.api.get(`/shops/public/${shop.uniqueName}`));
    expect(seen).toMatchObject(shown);
    expect(['closedText' in seen, 'origins' in seen]).toEqual([false, false]);
    const kept = {
      ...changes,
      hero: { ...changes.hero, links: [] },
      theme: { font: 'geist', mode: 'auto' },
      notice: null,
    };
    expect(expectSuccess(await patch({ hero: { links: [] }, theme: { mode: 'auto' }, notice: null }))).toEqual(
      details(kept),
    );
  });

  it('changes legal details field by field, and renders the text of a page', async () => {
    const terms = { text: 'No **refunds**.\r\n[Help](javascript:alert(1)) <script>', url: null };
    const sold = { sellerName: 'Sky GmbH', address: 'Hauptstr. 1\n10115 Berlin', taxNote: 'Prices include VAT.' };
    expectSuccess(await patch({ legal: { ...sold, pages: { terms } } }));
    const imprint = { url: 'http://Sky.Example/imprint' };
    const legal = { vatId: 'DE1', taxNote: null, pages: { imprint } };
    const changed = {
      ...{ ...NO_LEGAL, ...sold, vatId: 'DE1', taxNote: null },
      pages: {
        ...NO_LEGAL.pages,
        imprint: { text: null, url: 'http://sky.example/imprint', html: null },
        terms: {
          text: 'No **refunds**.\n[Help](javascript:alert(1)) <script>',
          url: null,
          html: '<p>No <strong>refunds</strong>.<br>\n[Help](javascript:alert(1)) &lt;script&gt;</p>',
        },
      },
    };
    expect(expectSuccess(await patch({ legal }))['legal']).toEqual(changed);
    const { legal: shown } = expectSuccess(await app.api.get(`/shops/public/${shop.uniqueName}`));
    expect(shown).toEqual(changed);
    const long = { text: '\u044f'.repeat(20_000), url: null };
    expectSuccess(await patch({ legal: { pages: { privacy: long, withdrawal: long } } }));
    expectSuccess(await patch({ legal: { pages: { privacy: null, withdrawal: null } } }));
    const removed = expectSuccess<{ legal: object }>(await patch({ legal: { pages: { terms: null } } }));
    expect(removed.legal).toEqual({ ...changed, pages: { ...changed.pages, terms: null } });
  });

  it('stores who made the change, and records only the values that differ', async () => {
    const { id, key } = await aKey(app.api, shop, 'secret', ['shops:write']);
    const before = await log();
    const nicknameRule = { preset: 'custom', pattern: '[a-z]{3,12}' };
    const widgets = { widgets: ['monthly_goal', 'top_buyers'], monthlyGoal: 499.5 };
    const same = { timezone: 'Europe/Berlin' };
    expectSuccess(await patch({ displayName: 'Cloud Realm', ...same, nicknameRule, ...widgets }, { key }));
    const [entry, ...rest] = await log();
    expect(rest).toEqual(before);
    expect(entry).toEqual({
      id: anId,
      at: anInstant,
      actor: { type: 'api_key', id, name: 'secret key' },
      action: 'shop.updated',
      summary: 'Settings of the shop were changed',
      subjectId: null,
      changes: [
        { field: 'displayName', before: 'Sky Realm', after: 'Cloud Realm' },
        { field: 'nicknameRule', before: 'minecraft-java', after: 'custom [a-z]{3,12}' },
        { field: 'widgets', before: null, after: 'monthly_goal, top_buyers' },
        { field: 'monthlyGoal', before: null, after: '499.5' },
      ],
    });
    const stored = await inDatabase(app, (database) =>
      database.collection('shops').findOne({ _id: idOf(shop.shopId) }),
    );
    expect(stored).toMatchObject({
      createdBy: `user:${shop.owner.userId}`,
      updatedBy: `key:${id}`,
      updatedAt: expect.any(Date),
    });
  });

  it('writes nothing when nothing changes', async () => {
    const before = await log();
    const same = { displayName: 'Sky Realm', nicknameRule: { preset: 'minecraft-java' } };
    expect(expectSuccess(await patch(same))).toEqual(details());
    expect(await log()).toEqual(before);
  });

  it.each([
    [{}, 'Send at least one field to change'],
    [{ displayName: '' }, 'displayName must have 1 to 80 characters'],
    [{ displayName: null }, 'displayName must be a string'],
    [{ displayName: 'a\u0007b' }, 'displayName must not contain control characters'],
    [{ timezone: 'Berlin' }, 'timezone must be an IANA zone such as Europe/Berlin'],
    [{ nicknameRule: null }, 'nicknameRule must be an object'],
    [{ nicknameRule: { preset: 'any', pattern: 'a' } }, 'nicknameRule.pattern is only for the preset custom'],
    [
      { nicknameRule: { preset: 'custom', pattern: '(a+)+' } },
      /^nicknameRule\.pattern: too many ways to match lead to position 2:/,
    ],
    [{ widgets: ['emails'] }, 'widgets must contain only recent_purchases, top_buyers, monthly_goal'],
    [{ monthlyGoal: 0 }, 'monthlyGoal must be at least 0.001'],
    [{ monthlyGoal: 1.005 }, 'monthlyGoal has more decimals than EUR allows'],
    [{ uniqueName: 'other-name' }, 'uniqueName is not a known field'],
    [{ logoUrl: 'http://cdn.example.com/logo.png' }, 'logoUrl must be an https URL'],
    [
      { links: [{ label: 'x', url: 'javascript:alert(1)' }] },
      'links.0.url must be an http or https URL such as https://example.com/page',
    ],
    [{ lang: 'de_DE' }, 'lang must be a language such as fr or pt-BR'],
    [{ notice: { text: 'Sale', label: 'More' } }, 'notice must have both label and url, or neither'],
    [{ parts: ['hero', 'hero'] }, 'parts must not repeat an entry'],
    [{ theme: { mode: 'pink' } }, 'theme.mode must be one of auto, light, dark'],
    [
      { origins: ['http://localhost:5173'] },
      'origins must contain only https origins such as https://shop.example.com, without a path',
    ],
    [{ legal: null }, 'legal must be an object'],
    [{ legal: { pages: null } }, 'legal.pages must be an object'],
    [{ legal: { iban: 'DE1' } }, 'legal.iban is not a known field'],
    [
      { legal: { sellerName: 'Sky\u202eGmbH' } },
      'legal.sellerName must not contain characters that change the direction',
    ],
    [
      { legal: { pages: { terms: { url: 'javascript:alert(1)//http://a.example' } } } },
      'legal.pages.terms.url must be an http or https URL such as https://example.com/page',
    ],
    [
      { legal: { pages: { terms: { text: 'No refunds', url: 'https://a.example' }, privacy: {} } } },
      'legal.pages.terms must have either text or url; send null to remove it; legal.pages.privacy must have either text or url; send null to remove it',
    ],
    [{ legal: { pages: { terms: 'No refunds' } } }, /^legal\.pages\.terms must be an object/],
    [{ currency: 'USD' }, 'currency is not a known field'],
    [{ isActive: false }, 'isActive is not a known field'],
    [{ displayName: 'x', createdBy: 'x' }, 'createdBy is not a known field'],
  ])('returns 400 for %j, names the field and changes nothing', async (body, error) => {
    expectError(await patch(body), 400, error, `/api/v2${path()}`);
    expect(expectSuccess(await app.api.get(path(), asOwner()))).toEqual(details());
  });

  it('returns 401, 403 and 404 to callers without access', async () => {
    const body = { displayName: 'Taken' };
    expectError(await patch(body, {}), 401, 'Authentication is missing or invalid');
    const missing = 'The credential lacks the permission shops:write';
    expectError(await patch(body, await aMember(app, shop, 'manager')), 403, missing);
    expectError(await patch(body, await aKey(app.api, shop, 'storefront')), 403, missing);
    expectError(await patch(body, await aPerson(app.api)), 403, 'The credential has no access to this shop');
    const unknown = await app.api.patch(`/shops/${'0'.repeat(24)}`, body, asOwner());
    expectError(unknown, 404, 'There is no such shop');
    expect(expectSuccess(await patch(body, await aMember(app, shop, 'admin')))).toMatchObject(body);
  });
});

describe('DELETE /shops/{shopId} and POST /shops/{shopId}/reactivate', () => {
  it('closes and opens the shop for its owner; a second call changes nothing', async () => {
    const before = await log();
    for (let times = 0; times < 2; times++) {
      expect(expectSuccess(await deactivate(), 'Shop deactivated')).toEqual(record({ isActive: false }));
    }
    for (let times = 0; times < 2; times++) {
      expect(expectSuccess(await reactivate(), 'Shop reactivated')).toEqual(record());
    }
    const [second, first, ...rest] = await log();
    expect(rest).toEqual(before);
    expect([first, second]).toMatchObject([
      { action: 'shop.deactivated', actor: { type: 'user', id: shop.owner.userId, name: 'Olivia' } },
      { action: 'shop.reactivated', actor: { type: 'user', id: shop.owner.userId, name: 'Olivia' } },
    ]);
  });

  it('requires an owner with a bearer token, and rejects an admin and a key of an owner', async () => {
    const owners = 'Only an owner with a bearer token can deactivate or reactivate a shop';
    const admin = await aMember(app, shop, 'admin');
    const { key } = await aKey(app.api, shop);
    for (const act of [deactivate, reactivate]) {
      expectError(await act({ token: admin.token }), 403, owners);
      expectError(await act({ key }), 403, owners);
      expectError(await act({}), 401, 'Authentication is missing or invalid');
      const manager = await aMember(app, shop, 'manager');
      expectError(await act({ token: manager.token }), 403, 'The credential lacks the permission shops:write');
      const stranger = await aPerson(app.api);
      expectError(await act({ token: stranger.token }), 403, 'The credential has no access to this shop');
    }
    expect(expectSuccess(await app.api.get(path(), asOwner()))).toEqual(details());
  });
});

describe('A closed shop', () => {
  it('sells nothing in a closed shop at once, and shows it again when it is opened', async () => {
    const orderRequest = { productId: await aProduct(app.api, shop), serverId: await aServer(app.api, shop) };
    const order = {
      items: [{ productId: orderRequest.productId, quantity: 1 }],
      serverId: orderRequest.serverId,
      nickname: 'Steve_42',
      email: 'steve@example.com',
    };
    const visits = [
      [(): Promise<Response> => app.api.get(`/products/public/${shop.shopId}`), 'There is no such shop'],
      [
        (): Promise<Response> => app.api.get(`/servers/public/${orderRequest.serverId}/status`),
        'There is no such server',
      ],
      [(): Promise<Response> => app.api.post(`/checkout/${shop.shopId}/orders`, order), 'There is no such shop'],
    ] as const;
    for (const [visit] of visits) expectSuccess(await visit());
    expectSuccess(await deactivate());
    for (const [visit, error] of visits) expectError(await visit(), 404, error);
    expectSuccess(await reactivate());
    for (const [visit] of visits) expectSuccess(await visit());
  });

  it('shows the public what the page of a closed shop says, and nothing else', async () => {
    const look = {
      accentColor: '#7c3aed',
      logoUrl: 'https://cdn.example.com/logo.png',
      logoId: null,
      lang: 'fr',
      theme: { mode: 'dark' },
    };
    const links = [{ label: 'Discord', url: 'https://discord.example/' }];
    const says = { links, supportEmail: 'help@example.com', closedText: 'Nous revenons.\nVendredi.' };
    expectSuccess(await patch({ ...look, ...says, notice: { text: 'Sale' }, legal: { sellerName: 'Sky GmbH' } }));
    expectSuccess(await deactivate());
    const closed = record({
      ...{ isActive: false, language: 'en', ...look, theme: { font: 'manrope', mode: 'dark' }, ...says },
      legal: { ...NO_LEGAL, sellerName: 'Sky GmbH' },
    });
    const host = `${shop.uniqueName}.shops.localhost`;
    for (const name of [shop.uniqueName, `by-domain/${host}`]) {
      expect(expectSuccess(await app.api.get(`/shops/public/${name}`))).toEqual(closed);
    }
  });

  it('serves the team and the keys of a closed shop', async () => {
    const { key } = await aKey(app.api, shop);
    const analyst = await aMember(app, shop, 'analyst');
    expectSuccess(await deactivate());
    expect(expectSuccess(await app.api.get(path(), asOwner()))).toEqual(details({ isActive: false }));
    expect(expectSuccess(await patch({ displayName: 'Closed' }, { key }))).toMatchObject({ displayName: 'Closed' });
    expectSuccess(await app.api.get(`/stats/${shop.shopId}/comparison`, { token: analyst.token }));
    const serverId = await aServer(app.api, shop);
    const beat = { onlinePlayers: 1, maxPlayers: 2 };
    expectSuccess(await app.api.post(`/servers/${shop.shopId}/${serverId}/heartbeat`, beat, { key }));
    await aProduct(app.api, shop);
    expect(expectSuccess(await app.api.get('/shops', asOwner()))).toEqual([
      expect.objectContaining(record({ displayName: 'Closed', isActive: false })),
    ]);
  });

  it('accepts payments, shows orders and changes nicknames for the orders of a closed shop', async () => {
    const orderRequest = { productId: await aProduct(app.api, shop), serverId: await aServer(app.api, shop) };
    const order = await anOrder(app.api, shop.shopId, orderRequest);
    const webhook = await aWebhook(app.api, shop, 'custom');
    expectSuccess(await deactivate());
    const payment = {
      type: 'payment.succeeded',
      orderId: order.id,
      paymentId: 'pay-1',
      amount: order.total,
      currency: 'EUR',
      occurredAt: new Date().toISOString(),
    };
    expectSuccess(await sendCustom(app.api, webhook, payment));
    const headers = { 'x-order-token': order.accessToken };
    expect(expectSuccess(await app.api.get(`/orders/public/${order.id}`, { headers }))).toMatchObject({
      id: order.id,
      paymentStatus: 'paid',
      deliveryStatus: 'queued',
    });
    expectSuccess(await app.api.post(`/orders/public/${order.id}/nickname/request`, {}));
    const [verificationCode] = await app.mailbox.next(order.email, /^\d{8}$/m);
    const change = { verificationCode, newNickname: 'Alex_42' };
    expectSuccess(await app.api.post(`/orders/public/${order.id}/nickname/change`, change));
  });
});

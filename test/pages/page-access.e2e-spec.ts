import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type PageLinks } from '../../src/http/addresses/page-links.js';
import { anOrder, aProduct, aServer, aShop, type TestOrder, type TestShop } from '../support/actors.js';
import { textOf } from '../support/pages.js';
import { type TestApp } from '../support/test-app.js';
import { type Shown, startPages, Visitor } from './visitor.js';

let app: TestApp;
let links: PageLinks;
let shop: TestShop;
let order: TestOrder;
let other: TestOrder;

const placeOf = ({ id }: Pick<TestOrder, 'id'>): string => `/shops/${shop.uniqueName}/orders/${id}`;
const otherThan = (character: string): string => (character === 'A' ? 'B' : 'A');
const secretOf = ({ id }: TestOrder): string => links.order(shop.uniqueName, id).split('/').at(-1) ?? '';

/** A visitor who has opened the link of an order. */
async function inside(of = order): Promise<Visitor> {
  const visitor = new Visitor(app.baseUrl);
  expect((await visitor.go(links.order(shop.uniqueName, of.id))).status).toBe(200);
  return visitor;
}

const withoutId = ({ html, status }: Shown): object => ({ html, status });

beforeAll(async () => {
  ({ app, links } = await startPages());
  shop = await aShop(app.api);
  const orderRequest = { productId: await aProduct(app.api, shop), serverId: await aServer(app.api, shop) };
  [order, other] = [
    await anOrder(app.api, shop.shopId, orderRequest),
    await anOrder(app.api, shop.shopId, orderRequest),
  ];
});
afterAll(() => app.close());

describe('The link of a page', () => {
  it('exchanges the link at once for a cookie that only this page gets', async () => {
    const visitor = await inside();
    const [exchange, page] = visitor.responses;
    expect(exchange?.status).toBe(303);
    expect(exchange?.headers.get('location')).toBe(placeOf(order));
    expect(exchange?.headers.get('referrer-policy')).toBe('no-referrer');
    expect(exchange?.headers.get('set-cookie')).toMatch(
      new RegExp(`^page=[^;]+; Max-Age=7200; Path=${placeOf(order)}; Expires=[^;]+; HttpOnly; SameSite=Lax$`),
    );
    expect(page?.headers.get('set-cookie')).toBeNull();
  });

  it('sets a cookie that is sent over TLS only when the service has such an address', async () => {
    const secure = await startPages({ env: { PUBLIC_URL: 'https://shops.example.com' } });
    const { uniqueName } = await aShop(secure.app.api);
    const visitor = new Visitor(secure.app.baseUrl);
    await visitor.go(new URL(secure.links.order(uniqueName, order.id)).pathname);
    expect(visitor.responses[0]?.headers.get('set-cookie')).toMatch(/; Secure; SameSite=Lax$/);
    await secure.app.close();
  });

  it('of an older email leads to the page in the storefront, and nowhere with another secret', async () => {
    const old = (secret: string): string => `/api/v2/pages/orders/${order.id}/${secret}`;
    const visitor = new Visitor(app.baseUrl);
    expect(await visitor.go(old(secretOf(order)))).toMatchObject({ status: 200, path: placeOf(order) });
    const nowhere = await new Visitor(app.baseUrl).go(old(secretOf(other)));
    expect(nowhere.status).toBe(404);
    expect(nowhere.html).toContain('Open the newest link from your email again.');
  });

  it('opens nothing at the address of another shop', async () => {
    const elsewhere = (await aShop(app.api)).uniqueName;
    expect((await new Visitor(app.baseUrl).go(links.order(elsewhere, order.id))).status).toBe(404);
  });

  it('writes the secret of a link into no log line, no header and no body', async () => {
    const visitor = await inside();
    const wrong = `${placeOf(order)}/${secretOf(other)}`;
    expect((await visitor.go(wrong)).status).toBe(404);
    const sent = visitor.responses.map(({ html, headers }) => html + JSON.stringify([...headers])).join();
    for (const secret of [secretOf(order), secretOf(other)]) {
      expect(sent).not.toContain(secret);
      expect(app.output()).not.toContain(secret);
    }
    expect(app.output()).toContain('"route":"/@shop/orders/:orderId/:secret"');
  });

  it.each<[what: string, path: () => string]>([
    ['a wrong secret', () => `${placeOf(order)}/${secretOf(order).replace(/^./, otherThan)}`],
    ["another order's secret", () => `${placeOf(order)}/${secretOf(other)}`],
    ['an order that does not exist', () => placeOf({ id: `${'0'.repeat(24)}/${secretOf(order)}` })],
    ['a malformed id', () => placeOf({ id: `x/${secretOf(order)}` })],
  ])('shows for a link with %s the same page that nothing is here, and sets no cookie', async (_, path) => {
    const nothing = await new Visitor(app.baseUrl).go(placeOf({ id: `${'1'.repeat(24)}/${secretOf(order)}` }));
    expect(nothing.status).toBe(404);
    expect(nothing.html).toContain('Open the newest link from your email again.');
    const visitor = new Visitor(app.baseUrl);
    expect(withoutId(await visitor.go(path()))).toEqual(withoutId(nothing));
    expect(visitor.cookies.size).toBe(0);
  });
});

describe('The cookie of a page', () => {
  it.each<[what: string, path: () => string]>([
    ['the page of an order', () => placeOf(order)],
    ['the page of an order that does not exist', () => placeOf({ id: '1'.repeat(24) })],
    ['the page of a malformed id', () => placeOf({ id: 'x' })],
    ['the path of a form', () => `${placeOf(order)}/payment`],
    ['an invitation', () => '/api/v2/pages/invitations'],
    ['a new password', () => '/api/v2/pages/password-resets'],
    ['a new address', () => '/api/v2/pages/email-changes'],
  ])('is required for %s: the page says so in the same words', async (_, path) => {
    const { status, html, headers } = await new Visitor(app.baseUrl).go(path());
    expect([status, headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8']);
    expect(html).toMatch(/<h1>This page needs cookies<\/h1>[^]*Allow cookies for this address/);
    const reference = path().startsWith('/api/') ? '/api/v2/pages/invitations' : placeOf(other);
    expect(html).toBe((await new Visitor(app.baseUrl).go(reference)).html);
  });

  it('is missing in a browser that accepts none, which is told so after the link is opened', async () => {
    const visitor = new Visitor(app.baseUrl, {}, false);
    const { status, html } = await visitor.go(links.order(shop.uniqueName, order.id), { 'Accept-Language': 'de' });
    expect(status).toBe(403);
    expect(html).toContain('Diese Seite braucht Cookies');
  });

  it('opens no other page', async () => {
    const [[, cookie = ''] = []] = (await inside()).cookies;
    const thief = new Visitor(app.baseUrl, { Cookie: cookie });
    expect((await thief.go(placeOf(order))).status).toBe(200);
    expect((await thief.go(placeOf(other))).status).toBe(404);
    expect((await thief.go('/api/v2/pages/invitations')).status).toBe(404);
  });

  it('rejects a cookie that was changed or made up', async () => {
    const [[, cookie = ''] = []] = (await inside()).cookies;
    // Decoded: a cut through an escape sequence would be another case, at random.
    const value = decodeURIComponent(cookie.replace('page=', ''));
    const statusWith = async (made: string): Promise<number> =>
      (await new Visitor(app.baseUrl, { Cookie: `page=${made}` }).go(placeOf(order))).status;
    for (const made of [value.replace(/.(?=.{9}$)/, otherThan), value.slice(0, -4), '', 'x.AAAA', '{}']) {
      expect(await statusWith(encodeURIComponent(made))).toBe(404);
    }
    // What is not even encoded as a cookie counts as none.
    expect(await statusWith('%')).toBe(403);
  });

  it('finds the cookie between cookies of others', async () => {
    const [[, cookie = ''] = []] = (await inside()).cookies;
    const visitor = new Visitor(app.baseUrl, { Cookie: `a=b; page=nonsense; ${cookie}; page=` });
    expect((await visitor.go(placeOf(order))).status).toBe(200);
  });
});

describe('A form of a page', () => {
  const rejected = ({ status, html }: Shown): void => {
    expect(status).toBe(403);
    expect(html).toContain('The form was not accepted');
  };

  it.each([
    ['without an origin', { Origin: '' }],
    ['from another origin', { Origin: 'https://evil.example' }],
    ['from an origin that looks like ours', { Origin: 'https://localhost.evil.example' }],
    ['from another site', { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' }],
    ['from another part of the site', { 'Sec-Fetch-Site': 'same-site' }],
    ['from nowhere', { 'Sec-Fetch-Site': 'none' }],
  ])('rejects a form %s', async (_, headers) => {
    rejected(await (await inside()).submit('nickname-code', {}, headers));
  });

  it.each([
    ['as browsers send it', { Origin: 'null', 'Sec-Fetch-Site': 'same-origin' }],
    ['with its origin', { Origin: 'own' }],
  ])('accepts a form %s', async (_, { Origin, ...headers }) => {
    const origin = Origin === 'own' ? app.baseUrl : Origin;
    const shown = await (await inside()).submit('nickname-code', {}, { Origin: origin, ...headers });
    expect(textOf(shown.html, 'status')).toMatch(/^We have sent a code/);
  });

  it('says that it needs the cookie when the form comes without it', async () => {
    const visitor = await inside();
    visitor.cookies.clear();
    expect((await visitor.submit('nickname-code')).status).toBe(403);
  });

  it('rejects a form in another format', async () => {
    const response = await fetch(`${app.baseUrl}${placeOf(order)}/nickname`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
    });
    expect(response.status).toBe(415);
  });
});

describe('The limits of a page', () => {
  it('applies the limits of the API, and says them in words', async () => {
    const limited = await startPages({ env: { RATE_LIMIT_FACTOR: '0.1' } });
    const shop = await aShop(limited.app.api);
    const orderRequest = {
      productId: await aProduct(limited.app.api, shop),
      serverId: await aServer(limited.app.api, shop),
    };
    const bought = await anOrder(limited.app.api, shop.shopId, orderRequest);
    const visitor = new Visitor(limited.app.baseUrl);
    await visitor.go(limited.links.order(shop.uniqueName, bought.id));
    await visitor.submit('nickname-code');
    const shown = await visitor.submit('nickname-code');
    expect(shown.status).toBe(429);
    expect(shown.html).toMatch(/Please wait \d+ minutes/);
    expect(Number(shown.headers.get('retry-after'))).toBeGreaterThan(0);
    await limited.app.close();
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type PageLinks } from '../../src/http/addresses/page-links.js';
import { payWithTest } from '../payments/paid-orders.js';
import { aWebhook } from '../payments/senders.js';
import { anOrder, aProduct, aServer, aShop, type TestOrder, type TestShop } from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
import { textOf } from '../support/pages.js';
import { type TestApp } from '../support/test-app.js';
import { type Shown, startPages, Visitor } from './visitor.js';

const HOSTILE = '<script>alert("1")</script> & \'x\'';

/** A page without its style, which the browser gets compressed. */
const withoutStyle = (html: string): string => html.replace(/<style>[^]*<\/style>/, '');

let app: TestApp;
let links: PageLinks;
let shop: TestShop;
let orderRequest: { productId: string; serverId: string };
let order: TestOrder;
let visitor: Visitor;

const visit = (of = order, from = shop): Promise<Shown> => visitor.go(links.order(from.uniqueName, of.id));
const patchShop = async (change: object): Promise<void> => {
  expectSuccess(await app.api.patch(`/shops/${shop.shopId}`, change, { token: shop.owner.token }));
};

beforeAll(async () => {
  ({ app, links } = await startPages());
  shop = await aShop(app.api, {
    displayName: `Sky ${HOSTILE}`,
    supportEmail: 'help@example.com',
    accentColor: '#ffff00',
  });
  const product = { name: `VIP ${HOSTILE}`, price: 19.99 };
  orderRequest = { productId: await aProduct(app.api, shop, product), serverId: await aServer(app.api, shop) };
  await aWebhook(app.api, shop, 'test');
});
beforeEach(async () => {
  order = await anOrder(app.api, shop.shopId, orderRequest);
  visitor = new Visitor(app.baseUrl);
});
afterAll(() => app.close());

describe('The page of an order', () => {
  it('shows what was bought, its state, the shop and where to get help, and nobody can inject into it', async () => {
    const { status, headers, html } = await visit();
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(textOf(html, 'payment')).toBe('Not paid yet');
    expect(html).toContain('1 × <bdi>VIP &lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;</bdi>');
    expect(html).toContain('€19.99');
    expect(html).toContain(`href="mailto:help@example.com?subject=%23${order.number}"`);
    expect(html).toContain('--accent:#ffff00;--on-accent:#0b0d12');
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).not.toMatch(/undefined|null|\bNaN\b|\[object/);
  });

  it('shows the server, what each product waits for, who sells, and how prices relate to taxes', async () => {
    const taxNote = 'Prices include VAT <19 %>.';
    await patchShop({ legal: { sellerName: 'Sky GmbH', address: 'Hauptstr. 1\n10115 Berlin', taxNote } });
    const { html } = await visit();
    expect(html).toMatch(/<dd id="server"><bdi>[^<]+<\/bdi>/);
    expect(html).toContain('<p id="seller" dir="auto">Sky GmbH<br>Hauptstr. 1<br>10115 Berlin</p>');
    expect(html).toContain('Prices include VAT &lt;19 %&gt;.');
    expect(html).not.toContain('id="method"');
    await visitor.submit('payment', { provider: 'test' });
    await payWithTest(app.api, order);
    const paid = (await visit()).html;
    expect(textOf(paid, 'method')).toBe('Test payment');
    expect(paid).toContain('Waiting for the game server, which does not report at the moment');
  });

  it('keeps the direction of Arabic names, also in the email and on the page of a test payment', async () => {
    const arabic = await aShop(app.api, { displayName: 'متجر الألعاب' });
    await aWebhook(app.api, arabic, 'test');
    const productId = await aProduct(app.api, arabic, { name: 'رتبة VIP', price: 5 });
    order = await anOrder(app.api, arabic.shopId, { productId, serverId: await aServer(app.api, arabic) });
    const { html } = await visit(order, arabic);
    expect(html).toMatch(/<header [^]*<span dir="auto">متجر الألعاب<\/span>/);
    expect(html).toContain('1 × <bdi>رتبة VIP</bdi>');
    expect(html).toContain('id="newNickname" name="newNickname" dir="auto"');
    const forward = (await visitor.submit('payment', { provider: 'test' })).html;
    const [, url = ''] = /content="0; url=([^"]+)"/.exec(forward) ?? [];
    const page = (await app.api.get(new URL(url).pathname.replace('/api/v2', ''))).text;
    expect(page).toContain('1 &times; <bdi>رتبة VIP</bdi>');
    expect(page).toContain('For the player <bdi>');
    const email = await app.mailbox.next(order.email, /^Thanks|^1 × .*VIP.*$/m);
    expect(email.join()).toContain('1 × \u2068رتبة VIP\u2069');
  });

  it('shows the page in the language that the reader requests, or else in that of the shop', async () => {
    expect((await visitor.go(links.order(shop.uniqueName, order.id), { 'Accept-Language': 'de-AT' })).html).toContain(
      'lang="de"',
    );
    await patchShop({ language: 'de' });
    const { html, headers } = await visit();
    expect(html).toContain('Deine Bestellung wartet');
    expect(headers.get('content-language')).toBe('de');
    expect((await visitor.go(links.order(shop.uniqueName, order.id), { 'Accept-Language': 'en' })).html).toContain(
      'Your order waits',
    );
    await patchShop({ language: 'en' });
  });

  it('sends a small page that lets the browser run only the module, load, frame and store nothing else, and send no referrer', async () => {
    const { headers, html } = await visit();
    expect(withoutStyle(html).length).toBeLessThan(10_000);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; script-src 'self'; connect-src 'self'$/,
    );
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(html).not.toMatch(/src="(?!\/)|@import|url\((?!\/)/);
    expect(headers.get('content-encoding')).toMatch(/^(br|gzip)$/);
  });

  it('pays with a method of the shop, shows the payment, and takes no second one', async () => {
    await visit();
    const { status, html } = await visitor.submit('payment', { provider: 'test' });
    expect(status).toBe(200);
    const [, url = ''] = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(html) ?? [];
    expect(html).toContain(`href="${url}"`);
    const page = new URL(url).pathname.replace('/api/v2', '');
    // The provider sends the buyer back to the page.
    const { pathname } = new URL(links.order(shop.uniqueName, order.id).replace(/\/[^/]+$/, ''));
    expect((await app.api.get(page)).text.replaceAll('&#x2F;', '/')).toContain(`${pathname}">Back to the shop`);
    expect((await app.api.call('post', `${page}/succeed`, {})).status).toBe(303);
    const paid = await visitor.go(pathname);
    expect(textOf(paid.html, 'payment')).toMatch(/^Paid on /);
    expect(textOf(paid.html, 'delivery')).toMatch(/^Waiting for the game server/);
    expect(paid.html).not.toContain('name="provider"');
  });

  it('says in words why an order cannot be paid, and what to do', async () => {
    await visit();
    const unknown = await visitor.submit('payment', { provider: 'stripe' });
    expect(unknown.status).toBe(404);
    expect(textOf(unknown.html, 'alert')).toBe('This payment method is no longer available. Choose another one.');
    const nonsense = await visitor.submit('payment', { provider: 'test', extra: '1' });
    expect(nonsense.status).toBe(400);
    expect(textOf(nonsense.html, 'alert')).not.toBe('');
  });

  it('changes the nickname with a code from an email', async () => {
    await visit();
    const requested = await visitor.submit('nickname-code');
    expect(requested.path).toMatch(/\?done=code$/);
    expect(textOf(requested.html, 'status')).toMatch(/^We have sent a code/);
    const [verificationCode = ''] = await app.mailbox.next(order.email, /^\d{8}$/m);
    const wrong = await visitor.submit('nickname', { verificationCode: '00000000', newNickname: 'Alex_42' });
    expect([wrong.status, wrong.headers.get('x-error-code')]).toEqual([400, 'verification_code_invalid']);
    expect(textOf(wrong.html, 'alert')).toMatch(/^The code is wrong, expired or already used/);
    // What was entered stays.
    expect(wrong.html).toContain('value="Alex_42"');
    const done = await visitor.submit('nickname', { verificationCode, newNickname: 'Alex_42' });
    expect(textOf(done.html, 'status')).toBe('The order is now for the player Alex_42.');
    const headers = { 'X-Order-Token': order.accessToken };
    const stored = expectSuccess(await app.api.get(`/orders/public/${order.id}`, { headers }));
    expect(stored).toMatchObject({ nickname: 'Alex_42' });
  });

  it('says that the nickname has changed also to a buyer who pressed the button twice', async () => {
    await visit();
    await visitor.submit('nickname-code');
    const [verificationCode = ''] = await app.mailbox.next(order.email, /^\d{8}$/m);
    const twice = new Visitor(app.baseUrl);
    await twice.go(links.order(shop.uniqueName, order.id));
    const fields = { verificationCode, newNickname: 'Alex_42' };
    for (const { status, html } of await Promise.all([visitor, twice].map((one) => one.submit('nickname', fields)))) {
      expect([status, textOf(html, 'status')]).toEqual([200, 'The order is now for the player Alex_42.']);
    }
  });

  it.each([
    [{ verificationCode: '12345678', newNickname: 'no spaces' }, /^This shop does not accept this name/],
    [{ verificationCode: '1', newNickname: 'Alex_42' }, /^Check what you entered/],
    [{ verificationCode: '12345678', newNickname: 'x'.repeat(500) }, /^Check what you entered/],
    [{ verificationCode: '12345678', newNickname: '"><img src=x>' }, /^This shop does not accept this name/],
  ])('says what is wrong with %j', async (fields, problem) => {
    await visit();
    const { status, html } = await visitor.submit('nickname', fields);
    expect(status).toBe(400);
    expect(textOf(html, 'alert')).toMatch(problem);
    expect(html.match(/<img/g)).toHaveLength(1);
    expect(withoutStyle(html).length).toBeLessThan(10_000);
  });

  it('shows an order of a closed shop, and takes no payment', async () => {
    expectSuccess(await app.api.delete(`/shops/${shop.shopId}`, { token: shop.owner.token }));
    const { html } = await visit();
    expect(html).not.toContain('name="provider"');
    expect(html).toContain('The shop cannot take payments at the moment');
    expectSuccess(await app.api.call('post', `/shops/${shop.shopId}/reactivate`, { token: shop.owner.token }));
  });
});

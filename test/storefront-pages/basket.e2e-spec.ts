import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import request, { type Response } from 'supertest';
import { aDeliveringShop, reportPayment } from '../deliveries/delivery-actors.js';
import { anOrder, aProduct, aShop, type TestShop, unique } from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const PLATFORM = 'shops.example.net';

let app: TestApp;
let shop: TestShop;
let host: string;
let serverId: string;
let productId: string;
let freeId: string;
let everywhereId: string;
let otherServerId: string;

/** A browser with cookies, at the host of the shop. */
class Visitor {
  readonly cookies = new Map<string, string>();

  async open(path: string): Promise<Response> {
    return this.kept(await request(app.baseUrl).get(path).set(this.headers()));
  }

  async send(path: string, form: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
    const sent = request(app.baseUrl).post(path).type('form');
    return this.kept(await sent.set({ ...this.headers(), 'Sec-Fetch-Site': 'same-origin', ...headers }).send(form));
  }

  private headers(): Record<string, string> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return { Host: host, 'Accept-Language': 'en', ...(cookie !== '' && { Cookie: cookie }) };
  }

  private kept(response: Response): Response {
    const set = (response.headers['set-cookie'] ?? []) as unknown as readonly string[];
    for (const line of set) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.cookies.set(name, value);
    }
    return response;
  }
}

const bodyOf = ({ text }: Response): string => text.replace(/<style>.*?<\/style>/s, '');
const textOf = (page: Response): string =>
  bodyOf(page)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
/** The value of a hidden field. */
const hidden = (page: Response, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page.text)?.[1] ?? '';
/** What a visitor has entered who can pay. */
const filled = (page: Response, changes: Record<string, string> = {}): Record<string, string> => ({
  ...{ digest: hidden(page, 'digest'), key: hidden(page, 'key'), nickname: 'Steve_42', code: '' },
  ...{ email: `${unique()}@example.com`, provider: 'test' },
  ...changes,
});

let visitor: Visitor;

beforeAll(async () => {
  app = await startTestApp({ env: { PLATFORM_DOMAIN: PLATFORM } });
  shop = await aShop(app.api);
  const asOwner = { token: shop.owner.token };
  const create = async (path: string, body: object): Promise<string> =>
    expectSuccess<{ id: string }>(await app.api.post(`${path}/${shop.shopId}`, body, asOwner)).id;
  host = `${shop.uniqueName}.${PLATFORM}`;
  serverId = await create('/servers', { name: 'Skyblock', game: 'minecraft' });
  otherServerId = await create('/servers', { name: 'Survival', game: 'minecraft' });
  const ofServer = { serverIds: [serverId] };
  productId = await create('/products', {
    name: 'VIP rank',
    slug: 'vip',
    price: 9.99,
    ...ofServer,
    commands: ['vip {nickname}'],
  });
  const kit = { name: 'Starter kit', price: 0, maxPerOrder: 1, commands: ['kit {nickname}'] };
  freeId = await create('/products', { ...kit, ...ofServer });
  everywhereId = await create('/products', { name: 'Coins', price: 5, commands: ['eco {nickname}'] });
  await create('/discounts', { code: 'WELCOME10', type: 'percent', value: 10 });
  expectSuccess(
    await app.api.put(`/payments/${shop.shopId}/providers/test`, { enabled: true, credentials: {} }, asOwner),
  );
});
beforeEach(() => {
  visitor = new Visitor();
});
afterAll(() => app.close());

/** Puts the rank into the basket of a visitor who has said a name. */
async function withRank(): Promise<Response> {
  await visitor.send('/basket/items', { productId });
  await visitor.send('/name', { nickname: 'Steve_42' });
  return visitor.open('/basket');
}

describe('The basket', () => {
  it('asks for the name once, by the rule of the shop, and shows a price', async () => {
    const added = await visitor.send('/basket/items', { productId, quantity: '2' });
    expect([added.status, added.headers['location']]).toEqual([303, '/name']);
    const wrong = await visitor.send('/name', { nickname: 'Steve 42!' });
    expect(wrong.status).toBe(400);
    expect(textOf(wrong)).toContain('A player cannot have this name here.');
    const named = await visitor.send('/name', { nickname: 'Steve_42' });
    expect([named.status, named.headers['location']]).toEqual([303, '/basket']);
    const page = await visitor.open('/basket');
    expect(textOf(page)).toMatch(/Steve_42.*VIP rank.*€19\.98.*Products €19\.98 To pay €19\.98 Pay €19\.98/);
    expect((await visitor.send('/basket/items', { productId: freeId })).headers['location']).toBe('/basket');
    expect(textOf(await visitor.open('/'))).toContain('Basket: 3');
  });

  it('changes lines, takes a code, and keeps what was entered', async () => {
    await withRank();
    const form = { nickname: 'Steve_42', email: 'buyer@example.com', provider: 'test', code: 'WELCOME10' };
    const page = await visitor.send('/basket', { ...form, set: `${productId}:3` });
    expect(textOf(page)).toMatch(/Products €29\.97 Code WELCOME10 −€3\.00 To pay €26\.97/);
    expect(page.text).toContain('value="buyer@example.com"');
    expect(page.text).toMatch(/value="test" checked/);
    const typed = await visitor.send('/basket', { ...form, [`quantity-${productId}`]: '2' });
    expect(textOf(typed)).toContain('Products €19.98');
    const emptied = await visitor.send('/basket', { ...form, set: `${productId}:0` });
    expect(textOf(emptied)).toContain('Your basket is empty');
  });

  it('shows each problem at its place', async () => {
    await withRank();
    await visitor.send('/basket/items', { productId: freeId, quantity: '2' });
    const page = await visitor.send('/checkout', {
      nickname: 'a b',
      code: 'NOPE',
      email: 'nobody',
      provider: 'paypal',
    });
    expect(page.status).toBe(400);
    expect(textOf(page)).toContain('things must change before you can pay');
    for (const problem of [
      'A player cannot have this name here.',
      'There is no such code.',
      'This is not an email address.',
      'An order cannot have so many of it.',
      'Choose how you want to pay.',
    ]) {
      expect(textOf(page)).toContain(problem);
    }
    expect(page.text).toContain(`href="#line-${freeId}"`);
  });

  it('is empty with a changed cookie, with that of another shop, and with a long one', async () => {
    await withRank();
    const cookie = visitor.cookies.get('basket') ?? '';
    expect(decodeURIComponent(cookie).length).toBeLessThan(200);
    const unsigned = cookie.slice(0, cookie.lastIndexOf('.') + 1);
    const changed = [`A${cookie.slice(1)}`, `${cookie}0`, cookie.slice(0, -1), unsigned];
    for (const forged of [...changed, 'a.b.c.d.e', '%zz', 'x'.repeat(4_000), '....']) {
      visitor.cookies.set('basket', forged);
      expect(textOf(await visitor.open('/basket'))).toContain('Your basket is empty');
    }
    const other = await aShop(app.api);
    const elsewhere = await request(app.baseUrl)
      .get('/basket')
      .set({ Host: `${other.uniqueName}.${PLATFORM}`, Cookie: `basket=${cookie}` });
    expect(textOf(elsewhere)).toContain('Your basket is empty');
  });

  it.each([
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a sibling of the host', { 'Sec-Fetch-Site': 'same-site' }],
    ['an address bar', { 'Sec-Fetch-Site': 'none' }],
  ])('takes no form from %s', async (_from, headers) => {
    for (const path of ['/basket/items', '/name', '/basket', '/checkout', '/find-order']) {
      const page = await visitor.send(path, { productId }, headers);
      expect([path, page.status, page.headers['x-error-code']]).toEqual([path, 403, 'form_rejected']);
      expect(page.headers['set-cookie']).toBeUndefined();
    }
  });

  it('takes a form of an old browser only with our own Origin', async () => {
    const send = (origin: string): Promise<Response> =>
      request(app.baseUrl).post('/basket/items').type('form').set({ Host: host, Origin: origin }).send({ productId });
    expect((await send(`https://${host}`)).status).toBe(303);
    for (const name of ['evil.example', `evil-${host}`, `${host}.evil.example`, `${host}:8443`]) {
      expect([name, (await send(`https://${name}`)).status]).toEqual([name, 403]);
    }
    expect((await send('null')).status).toBe(403);
  });

  it.each<Record<string, string>>([
    { productId: 'x' },
    { productId: '__proto__' },
    { quantity: '-1' },
    { quantity: '1e9' },
    { quantity: '9999999' },
    { serverId: '{"$ne":null}' },
    { productId: 'f'.repeat(24), quantity: '5' },
  ])('survives the form %j', async (form) => {
    expect((await visitor.send('/basket/items', { productId, ...form })).status).toBe(303);
    expect((await visitor.open('/basket')).status).toBe(200);
  });

  it.each([
    ...[
      '{{7*7}}',
      '<%= 7*7 %>',
      '${7*7}',
      '<% it.style = 49 %>',
      '"><script>alert(49)</script>',
      '</style><svg onload=alert(49)>',
    ],
    ...[
      '" autofocus onfocus="alert(49)',
      'javascript:alert(49)//',
      'a\r\nSet-Cookie: a=49',
      '%3Cscript%3Ealert(49)%3C/script%3E',
    ],
  ])('shows %j as text wherever a visitor can type it', async (text) => {
    await withRank();
    const pages = [
      await visitor.send('/name', { nickname: text }),
      await visitor.send('/basket', filled(await visitor.open('/basket'), { nickname: text, code: text, email: text })),
      await visitor.send('/find-order', { email: text }),
      await visitor.open(`/search?q=${encodeURIComponent(text)}`),
    ];
    for (const page of pages) {
      expect([200, 400]).toContain(page.status);
      // What was typed has every character with a meaning in HTML escaped, and nothing was computed from it.
      expect(bodyOf(page)).not.toMatch(
        /<script(?! type="module" src="\/)|<svg on| onfocus="|(href|src|action)="javascript:|>49<|="49"/,
      );
      expect(page.headers['set-cookie'] ?? '').not.toContain('a=49');
    }
  });

  it.each<Record<string, string>>([
    ...[{ set: '__proto__:9' }, { 'quantity-__proto__': '9' }, { 'quantity-constructor': '1' }, { set: '../../:1' }],
    ...[{ provider: '__proto__' }, { provider: 'https://evil.example/' }, { provider: '' }],
    ...[{ email: 'a@b.example\r\nBcc: c@d.example' }, { email: '__proto__' }, { code: '__proto__' }],
    ...[{ key: '../../x' }, { key: '' }, { digest: '__proto__' }, { digest: '' }],
  ])('sells nothing to the form %j', async (form) => {
    const filledForm = filled(await withRank(), { email: 'hostile@example.com', ...form });
    // A line that is not in the basket changes nothing: only without the digest of the page is there nothing to sell.
    if (Object.keys(form).some((name) => /^(set|quantity-)/.test(name))) filledForm['digest'] = '';
    const page = await visitor.send('/checkout', filledForm);
    expect([400, 409]).toContain(page.status);
    expect(page.headers['location']).toBeUndefined();
    const path = `/orders/${shop.shopId}?email=hostile@example.com`;
    const orders = expectSuccess<object[]>(await app.api.get(path, { token: shop.owner.token }));
    expect(orders).toEqual([]);
    expect(textOf(await visitor.open('/basket'))).toContain('€9.99');
  });

  it('rejects a body that is no form', async () => {
    const page = await request(app.baseUrl)
      .post('/basket')
      .set({ Host: host, 'Sec-Fetch-Site': 'same-origin' })
      .send({ set: 'x' });
    expect([page.status, page.headers['content-type']]).toEqual([415, 'text/html; charset=utf-8']);
  });
});

describe('Paying', () => {
  it('places one order for two clicks, and sends the buyer to the provider', async () => {
    const form = filled(await withRank());
    const other = new Visitor();
    other.cookies.set('basket', visitor.cookies.get('basket') ?? '');
    const pages = await Promise.all([visitor.send('/checkout', form), other.send('/checkout', form)]);
    const links = pages.map((page) => /http-equiv="refresh" content="0; url=([^"]+)"/.exec(page.text)?.[1]);
    expect(pages.map(({ status }) => status)).toEqual([200, 200]);
    expect(links[0]).toMatch(/^http.*test/);
    expect(links[1]).toBe(links[0]);
    const { data } = (await app.api.get(`/orders/${shop.shopId}`, { token: shop.owner.token })).body as {
      data: { email: string }[];
    };
    expect(data.filter(({ email }) => email === form['email'])).toHaveLength(1);
    const [, place = ''] = /href="(\/orders\/[0-9a-f]{24})"/.exec(pages[0].text) ?? [];
    const page = await visitor.open(place);
    expect(page.status).toBe(200);
    expect(textOf(page)).toContain('Not paid yet');
    expect(textOf(await visitor.open('/basket'))).toContain('Your basket is empty');
  });

  it('of nothing leads to the page of the order', async () => {
    await visitor.send('/basket/items', { productId: freeId });
    await visitor.send('/name', { nickname: 'Steve_42' });
    const page = await visitor.open('/basket');
    expect(textOf(page)).toContain('Get it');
    const { provider: _, ...form } = filled(page);
    const paid = await visitor.send('/checkout', form);
    expect([paid.status, paid.headers['location']]).toEqual([303, expect.stringMatching(/^\/orders\/[0-9a-f]{24}$/)]);
  });

  it('starts again when the basket or the price has changed since', async () => {
    const page = await withRank();
    await visitor.send('/basket/items', { productId: freeId });
    const paid = await visitor.send('/checkout', filled(page));
    expect(paid.status).toBe(409);
    expect(textOf(paid)).toContain('Your basket has changed since this page was opened.');
  });

  it('starts again when the price or the server is another one than on the page', async () => {
    const price = async (amount: number): Promise<void> => {
      const path = `/products/${shop.shopId}/${productId}`;
      expectSuccess(await app.api.patch(path, { price: amount }, { token: shop.owner.token }));
    };
    const page = await withRank();
    await price(12);
    const dearer = await visitor.send('/checkout', filled(page));
    await price(9.99);
    expect([dearer.status, textOf(dearer).includes('Pay €12.00')]).toEqual([409, true]);

    visitor = new Visitor();
    await visitor.send('/basket/items', { productId: everywhereId, serverId });
    await visitor.send('/name', { nickname: 'Steve_42' });
    const ofServer = await visitor.open('/basket');
    const moved = await visitor.send('/checkout', filled(ofServer, { serverId: otherServerId }));
    expect(moved.status).toBe(409);
    expect((await visitor.send('/checkout', filled(moved))).status).toBe(200);
  });
});

describe('A shop that requires consents', () => {
  const change = async (legal: object): Promise<void> => {
    expectSuccess(await app.api.patch(`/shops/${shop.shopId}`, { legal }, { token: shop.owner.token }));
  };
  beforeAll(() =>
    change({ requiredConsents: ['terms', 'immediate_delivery'], pages: { terms: { text: 'No cheating.' } } }),
  );
  afterAll(() => change({ requiredConsents: [] }));

  it('shows a box for each, which nobody has ticked for the visitor, and sells only once all are ticked', async () => {
    const page = await withRank();
    expect(textOf(page)).toMatch(
      /Your consent I accept the terms of sale\. Read the terms .*lose my right of withdrawal/,
    );
    expect(page.text.match(/<input type="checkbox"[^>]*>/g)).toHaveLength(2);
    expect(page.text).not.toMatch(/type="checkbox"[^>]* checked/);
    const half = await visitor.send('/checkout', filled(page, { 'consent-terms': '1' }));
    expect(half.status).toBe(400);
    expect(textOf(half)).toMatch(/One thing must change.*Tick every box here if you agree\./);
    expect(half.text.match(/type="checkbox"[^>]* checked/g)).toHaveLength(1);
    const nothing = await visitor.send('/checkout', filled(half, { email: '' }));
    expect(textOf(nothing)).toMatch(/2 things must change before you can pay The email address · Your consent/);
    const outdated = { 'consent-terms': '9', 'consent-immediate_delivery': '1' };
    expect((await visitor.send('/checkout', filled(half, outdated))).status).toBe(400);
    const form = filled(half, { 'consent-terms': '1', 'consent-immediate_delivery': '1' });
    expect((await visitor.send('/checkout', form)).status).toBe(200);
    const found = await app.api.get(`/orders/${shop.shopId}?email=${form['email'] ?? ''}`, { token: shop.owner.token });
    expect((found.body as { data: object[] }).data).toHaveLength(1);
  });
});

describe('Find my order', () => {
  it('answers every address in the same words', async () => {
    const page = await visitor.send('/find-order', { email: 'nobody@example.com' });
    expect([page.status, textOf(page).includes('If there are orders of this address')]).toEqual([200, true]);
    const wrong = await visitor.send('/find-order', { email: '<script>' });
    expect(wrong.status).toBe(400);
    expect(bodyOf(wrong)).not.toContain('<script>');
  });
});

it('asks for the server only when several sell the whole basket', async () => {
  await visitor.send('/basket/items', { productId: everywhereId });
  await visitor.send('/name', { nickname: 'Steve_42' });
  const page = await visitor.open('/basket');
  expect(textOf(page)).toContain('An order is for one server.');
  expect(textOf(await visitor.send('/checkout', filled(page)))).toContain('Choose a server.');
  const chosen = await visitor.send('/basket', { ...filled(page), serverId: otherServerId });
  expect(chosen.text).toContain(`value="${otherServerId}" selected`);
  await visitor.send('/basket/items', { productId });
  expect(textOf(await visitor.open('/basket'))).not.toContain('An order is for one server.');
});

it('sells a higher tier that costs less than the lower one only to who has paid for the lower one and accepts the loss', async () => {
  const seller = await aDeliveringShop(app.api, { name: 'VIP', price: 10 });
  const upperId = await aProduct(app.api, seller, { name: 'MVP', price: 8 });
  const asOwner = { token: seller.owner.token };
  const tiers = { name: 'Ranks', productIds: [seller.productId, upperId] };
  expectSuccess(await app.api.post(`/tier-groups/${seller.shopId}`, tiers, asOwner));
  const email = 'steve@example.com';
  const lower = { productId: seller.productId, serverId: seller.serverId, nickname: 'Steve_42', email };
  await reportPayment(app.api, seller, await anOrder(app.api, seller.shopId, lower), 'payment.succeeded');

  host = `${seller.uniqueName}.${PLATFORM}`;
  await visitor.send('/basket/items', { productId: upperId });
  await visitor.send('/name', { nickname: 'Steve_42' });
  const page = await visitor.open('/basket');
  const lost = 'I know that €2.00 of what was paid for the lower one is lost';
  expect(textOf(page)).toContain(lost);
  expect(page.text).not.toMatch(/name="acceptUnusedCredit"[^>]* checked/);
  const rejected = await visitor.send('/checkout', filled(page, { email }));
  expect([rejected.status, textOf(rejected).includes('One thing must change')]).toEqual([400, true]);
  const accepted = { acceptUnusedCredit: '200' };
  const stranger = await visitor.send('/checkout', filled(rejected, { ...accepted, email: 'other@example.com' }));
  expect([stranger.status, textOf(stranger).includes('with the same email address')]).toEqual([400, true]);
  expect(stranger.text).toMatch(/name="acceptUnusedCredit"[^>]* checked/);
  // What is lost is part of what the visitor has seen.
  expectSuccess(await app.api.patch(`/products/${seller.shopId}/${upperId}`, { price: 5 }, asOwner));
  const outdated = await visitor.send('/checkout', filled(stranger, { ...accepted, email }));
  expect([outdated.status, textOf(outdated).includes('I know that €5.00')]).toEqual([400, true]);
  // Nobody ticks the box for the buyer, and the one for two euros is no consent to lose five.
  expect(outdated.text).not.toMatch(/name="acceptUnusedCredit"[^>]* checked/);
  expect((await visitor.send('/checkout', filled(outdated, { ...accepted, email }))).status).toBe(400);
  expect((await visitor.send('/checkout', filled(outdated, { acceptUnusedCredit: '500', email }))).status).toBe(303);
});

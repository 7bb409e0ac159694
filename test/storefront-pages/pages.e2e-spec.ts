import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request, { type Response } from 'supertest';
import { aShop, type TestShop } from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { anImage } from '../support/images.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const PLATFORM = 'shops.example.net';

let app: TestApp;
let shop: TestShop;
let host: string;

/** Loads a page as a browser does. */
async function visit(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return request(app.baseUrl)
    .get(path)
    .set({ Host: host, 'Accept-Language': 'en', ...headers });
}

/** A page without its style. */
const bodyOf = ({ text }: Response): string => text.replace(/<style>.*?<\/style>/s, '');

/** The text of a page as people read it. */
const textOf = (page: Response): string =>
  bodyOf(page)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

const owned = { token: '' };
const create = async (path: string, body: object): Promise<string> =>
  expectSuccess<{ id: string }>(await app.api.post(`${path}/${shop.shopId}`, body, owned)).id;
const change = async (settings: object): Promise<void> => {
  expectSuccess(await app.api.patch(`/shops/${shop.shopId}`, settings, owned));
};

beforeAll(async () => {
  app = await startTestApp({ env: { PLATFORM_DOMAIN: PLATFORM } });
  shop = await aShop(app.api, { priceRule: 'none' });
  owned.token = shop.owner.token;
  host = `${shop.uniqueName}.${PLATFORM}`;
});
afterAll(() => app.close());

describe('A shop that sells nothing yet', () => {
  it('says that it opens soon', async () => {
    const page = await visit('/');
    expect(page.status).toBe(200);
    expect(textOf(page)).toContain('This shop opens soon');
  });
});

describe('The pages of a shop', () => {
  let serverId: string;

  beforeAll(async () => {
    serverId = await create('/servers', { name: 'Skyblock', game: 'minecraft', address: 'play.sky-realm.example' });
    await create('/servers', { name: 'Secret lab', game: 'minecraft', isHidden: true });
    const categoryId = await create('/categories', { name: 'Ranks', slug: 'ranks', description: 'All **ranks**.' });
    const vip = { name: 'VIP rank', slug: 'vip-rank', price: 9.99, categoryId, featured: true, durationDays: 30 };
    await create('/products', {
      ...{
        ...vip,
        summary: 'A green name. <script>',
        label: 'Popular',
        serverIds: [serverId],
        commands: ['vip {nickname}'],
        expiryCommands: ['no {nickname}'],
      },
      ...{ description: '- Homes\n- <b>Kits</b>', metadata: [{ name: 'Homes', value: '3' }] },
    });
    const mvp = { name: 'MVP & <i>friends</i>', slug: 'mvp', price: 24.99, compareAtPrice: 30, categoryId };
    const facts = { metadata: [{ name: 'Homes', value: '5' }], commands: ['mvp {nickname}'] };
    await create('/products', { ...mvp, ...facts, stock: 0 });
    await create('/products', { name: 'Hidden', price: 1, isActive: false, commands: ['x {nickname}'] });
    await change({
      notice: { text: 'Black Friday <script>', label: 'To the keys', url: 'https://sky-realm.example/keys' },
      hero: { title: 'Your island is waiting.', text: 'Ranks for everybody.' },
      legal: { sellerName: 'Sky Realm GmbH <script>', pages: { terms: { text: 'Be **kind**.' } } },
      supportEmail: 'help@sky-realm.example',
    });
  });

  it('show what is for sale, the servers and the seller on the start page, by host and by name', async () => {
    const byHost = await visit('/');
    const byName = await visit(`/shops/${shop.uniqueName}/`, { Host: 'localhost' });
    for (const page of [byHost, byName]) {
      expect(page.status).toBe(200);
      const text = textOf(page);
      for (const part of [
        ...['Black Friday', 'Your island is waiting.', 'Ranks for everybody.', 'Ranks 2 products', 'VIP rank'],
        ...['€9.99', '/ 30 days', 'Skyblock', 'Not connected yet', 'play.sky-realm.example', 'Sky Realm GmbH'],
      ]) {
        expect(text).toContain(part);
      }
      expect(text).not.toMatch(/Secret lab|Hidden/);
    }
    expect(bodyOf(byName)).toContain(`href="/shops/${shop.uniqueName}/p/vip-rank"`);
    expect(bodyOf(byHost)).toContain('href="/p/vip-rank"');
    expect(bodyOf(byName)).toContain(`<link rel="canonical" href="https://${host}/">`);
  });

  it('list a category with its reduced and sold-out products, and escape what owners write', async () => {
    const page = await visit('/c/ranks');
    expect(page.status).toBe(200);
    expect(bodyOf(page)).toContain('<strong>ranks</strong>');
    expect(bodyOf(page)).toContain('MVP &amp; &lt;i&gt;friends&lt;/i&gt;');
    expect(textOf(page)).toMatch(/Before: €30\.00 €24\.99.*Sold out/);
    // Nobody has paid 30.00 in the 30 days before.
    expect(textOf(page)).not.toContain('%');
  });

  it('show a product with its facts, and compare it with the others of its category', async () => {
    const page = await visit('/p/vip-rank');
    expect(page.status).toBe(200);
    expect(bodyOf(page)).toContain('<li>&lt;b&gt;Kits&lt;/b&gt;</li>');
    expect(textOf(page)).toMatch(/Popular VIP rank.*€9\.99.*Lasts 30 days.*For Skyblock.*Ranks at a glance.*Homes 5 3/);
    expect(bodyOf(page)).toContain('itemtype="https://schema.org/Product"');
    expect(bodyOf(page)).toContain(`<meta property="og:url" content="https://${host}/p/vip-rank">`);
  });

  it('say which products a player must own, and name none that is hidden', async () => {
    const named = async (name: string, fields: object = {}): Promise<string> =>
      create('/products', { name, price: 1, commands: ['x {nickname}'], ...fields });
    const productIds = [await named('Gold'), await named('Silver'), await named('Secret rank', { isActive: false })];
    await named('Pet', { slug: 'pet', requires: { mode: 'any', productIds } });
    expect(textOf(await visit('/p/pet'))).toMatch(/For players with Gold or Silver Or order it together with this\./);
    expect(textOf(await visit('/p/pet'))).not.toContain('Secret');
  });

  it('find products by words, and say so when there are none', async () => {
    expect(textOf(await visit('/search?q=vip'))).toMatch(/Results for “vip”.*VIP rank/);
    expect(textOf(await visit('/search?q=%3Cscript%3E'))).toContain('Nothing was found');
    expect(textOf(await visit('/search'))).toContain('All products');
    expect((await visit('/search?q=a&q=b&after=../../etc')).status).toBe(200);
  });

  it('show the images of the shop, and name one of them in previews of links', async () => {
    const [logo, hero] = [await anImage(app.api, shop), await anImage(app.api, shop)];
    const [ofCategory, first] = [await anImage(app.api, shop), await anImage(app.api, shop)];
    const second = await anImage(app.api, shop);
    await change({ logoId: logo, hero: { title: null, text: null, imageId: hero } });
    const categoryId = await create('/categories', { name: 'Kits', slug: 'kits', imageId: ofCategory });
    const kit = { name: 'Kit', slug: 'kit', price: 1, categoryId, imageIds: [first, second], featured: true };
    const kitId = await create('/products', { ...kit, commands: ['kit {nickname}'] });
    const path = `/api/v2/images/public/${shop.shopId}`;
    const start = bodyOf(await visit('/'));
    for (const id of [logo, hero, ofCategory, first]) expect(start).toContain(`src="${path}/${id}?w=`);
    expect(start).toContain(`<meta property="og:image" content="https://${host}${path}/${hero}?w=1280">`);
    const product = bodyOf(await visit('/p/kit'));
    expect(product).toContain(`<meta property="og:image" content="https://${host}${path}/${first}?w=1280">`);
    expect(product).toContain(`srcset="${path}/${first}?w=1280 2x" src="${path}/${first}?w=640"`);
    expect(product).toContain(`<a href="${path}/${second}?w=1280"`);
    const image = await visit(`${path}/${first}?w=640`);
    expect([image.status, image.headers['content-type']]).toEqual([200, 'image/webp']);
    expectSuccess(await app.api.delete(`/products/${shop.shopId}/${kitId}`, owned));
    await change({ logoId: null, hero: { title: 'Your island is waiting.', text: null, imageId: null } });
  });

  it('say the lowest price of 30 days beside a reduced one', async () => {
    const sale = {
      name: 'Black Friday',
      type: 'percent',
      value: 25,
      startsAt: new Date(Date.now() + 400).toISOString(),
    };
    const saleId = await create('/sales', sale);
    const page = await eventually(async () => {
      const text = textOf(await visit('/p/vip-rank'));
      return text.includes('€7.49') ? text : null;
    });
    expect(page).toMatch(/−25 %.*Before: €9\.99 €7\.49.*Lowest price of the last 30 days: €9\.99/);
    const endsAt = new Date().toISOString();
    expectSuccess(await app.api.patch(`/sales/${shop.shopId}/${saleId}`, { endsAt }, owned));
  });

  it('speak the language of the browser, or the one that a link chooses', async () => {
    const german = await visit('/', { 'Accept-Language': 'de-CH,de;q=0.9' });
    expect(german.headers['content-language']).toBe('de');
    expect(textOf(german)).toContain('So geht es');
    const chosen = await visit('/?lang=de');
    expect(chosen.headers['content-language']).toBe('de');
    expect(chosen.headers['set-cookie']).toEqual([expect.stringMatching(/^lang=de; .*Path=\/;.*HttpOnly.*Lax/)]);
    expect((await visit('/', { Cookie: 'lang=de' })).headers['content-language']).toBe('de');
    const other = await visit('/?lang=xx', { Cookie: 'lang=%zz' });
    expect([other.headers['content-language'], other.headers['set-cookie']]).toEqual(['en', undefined]);
  });

  it('show legal pages that the shop has written, and no other', async () => {
    expect((await visit('/legal/terms')).text).toContain('Be <strong>kind</strong>.');
    expect((await visit('/legal/privacy')).status).toBe(404);
    expect((await visit('/legal/__proto__')).status).toBe(404);
  });

  it('tell search engines what to keep', async () => {
    const robots = await visit('/robots.txt');
    expect(robots.text).toContain(`Sitemap: https://${host}/sitemap.xml`);
    const sitemap = await visit('/sitemap.xml');
    expect(sitemap.text).toContain(`<loc>https://${host}/c/ranks</loc>`);
    expect(sitemap.text).not.toContain('hidden');
  });

  it.each(['/', '/c/ranks', '/p/vip-rank', '/search?q=vip', '/legal/terms', '/name', '/basket', '/find-order'])(
    'are not sent again when nothing has changed, and never to another language: %s',
    async (path) => {
      const first = await visit(path);
      const etag = String(first.headers['etag']);
      expect([first.status, first.headers['cache-control']]).toEqual([200, 'private, no-cache']);
      const again = await visit(path, { 'If-None-Match': etag });
      expect([again.status, again.text]).toEqual([304, '']);
      expect((await visit(path, { 'If-None-Match': etag, 'Accept-Language': 'de' })).status).toBe(200);
    },
  );

  it('are sent again when the shop has changed', async () => {
    const etag = String((await visit('/')).headers['etag']);
    await change({ hero: { title: 'Another title', text: null } });
    expect((await visit('/', { 'If-None-Match': etag })).status).toBe(200);
  });

  it('are compressed, and their files are for a year', async () => {
    const page = await visit('/', { 'Accept-Encoding': 'gzip' });
    expect(page.headers['content-encoding']).toBe('gzip');
    expect(page.headers['vary']).toContain('Accept-Encoding');
    const [path = ''] = /\/assets\/[0-9a-f]+\/logo\.svg/.exec(page.text) ?? [];
    const file = await visit(path);
    expect([file.status, file.headers['content-type']]).toEqual([200, 'image/svg+xml']);
    expect(file.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect((await visit(path.replace(/assets\/./, 'assets/z'))).status).toBe(404);
    expect((await visit('/assets/0/..%2f..%2fstorefront%2flayout.html.eta')).status).toBe(404);
  });

  it('need at most 60 KB for the first view: the page with its style, the font, the picture and the module', async () => {
    const page = await visit('/', { 'Accept-Encoding': 'br' });
    const { text } = await visit('/', { 'Accept-Encoding': 'identity' });
    const paths = text.match(/\/assets\/[0-9a-f]+\/(hero\.svg|logo\.svg|storefront\.js|[\w-]+\.woff2)/g) ?? [];
    expect(new Set(paths).size).toBe(4);
    const files = await Promise.all([...new Set(paths)].map((path) => visit(path, { 'Accept-Encoding': 'br' })));
    const sizes = [page, ...files].map(({ headers }) => Number(headers['content-length']));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(60_000);
  });

  it('have a module of at most 10 KB, and less on its way', async () => {
    const [path = ''] = /\/assets\/[0-9a-f]+\/storefront\.js/.exec((await visit('/')).text) ?? [];
    const [whole, small] = [await visit(path, { 'Accept-Encoding': 'identity' }), await visit(path)];
    expect(whole.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(Number(whole.headers['content-length'])).toBeLessThan(10_000);
    expect(Number(small.headers['content-length'])).toBeLessThan(4_000);
  });

  it('run no script but that module, and may be framed nowhere', async () => {
    const module = /<script type="module" src="\/assets\/[0-9a-f]+\/storefront\.js"><\/script>/;
    for (const path of ['/', '/p/vip-rank', '/nothing', '/c/ranks', '/search']) {
      const { headers, text } = await visit(path);
      expect(text.replace(/<style>.*?<\/style>/s, '').replace(module, '')).not.toMatch(
        /<script|javascript:| style=| on[a-z]+=/,
      );
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none'; style-src 'sha256-[^ ]+'; img-src 'self';.* script-src 'self'; connect-src 'self'$/,
      );
      expect(headers['content-security-policy']).not.toContain('unsafe');
      expect(headers['x-frame-options']).toBe('DENY');
      expect(headers['strict-transport-security']).not.toContain('includeSubDomains');
    }
  });

  it('keep the contrast of any accent colour, and follow the theme of the owner', async () => {
    await change({ accentColor: '#facc15', theme: { font: 'device', mode: 'dark' } });
    const { text } = await visit('/');
    expect(text).toMatch(/data-theme="dark"/);
    expect(text).toMatch(/--accent:#facc15;--on-accent:#0b0d12/);
    expect(text).not.toContain('woff2');
    await change({ accentColor: null, theme: { font: 'manrope', mode: 'auto' } });
  });
});

describe('The first page of the service', () => {
  it('says what runs here, and leads to the pages of the API, and to the demo shop once there is one', async () => {
    const first = await visit('/', { Host: 'localhost', 'Accept-Language': 'de' });
    expect(first.status).toBe(200);
    expect(textOf(first)).toContain('Dieser Server betreibt Shops von Spielservern');
    expect(first.text).toContain('href="/api/v2/docs"');
    expect(first.text).not.toContain('/shops/sky-realm/');
    await aShop(app.api, { uniqueName: 'sky-realm' });
    expect((await visit('/', { Host: 'localhost' })).text).toContain('href="/shops/sky-realm/"');
    expect((await visit('/', { Host: host })).text).not.toContain('Shop Platform');
  });
});

describe('Hosts', () => {
  it('of no shop show that there is none', async () => {
    const before = await visit('/', { Host: 'stroe.sky-realm.example' });
    expect(before.status).toBe(404);
    expect(textOf(before)).toContain('stroe.sky-realm.example does not belong to a shop of this service');
    expect((await visit('/', { Host: `nobody.${PLATFORM}` })).status).toBe(404);
  });

  it('of a shop serve no other shop and no login, and those of the service everything', async () => {
    const other = await aShop(app.api);
    expect((await visit(`/shops/${other.uniqueName}/`)).status).toBe(404);
    for (const name of [host, host.toUpperCase(), `${host}:8443`, `${host}.`]) {
      const login = await request(app.baseUrl).post('/api/v2/auth/login').set('Host', name).send({});
      expect([name, login.status, login.headers['x-error-code']]).toEqual([name, 404, 'route_not_found']);
    }
    expect((await visit('/api/v2/meta')).status).toBe(200);
    expect((await request(app.baseUrl).post('/api/v2/auth/login').send({})).status).toBe(400);
  });

  it('are read from Host alone, whatever a proxy header says', async () => {
    const page = await visit('/', { Host: 'evil.example', 'X-Forwarded-Host': host });
    expect(page.status).toBe(404);
  });
});

describe('A hostile visitor', () => {
  it.each([
    ...[
      '/%zz',
      '/%00',
      '/..%2f..%2fetc/passwd',
      '//evil.example/',
      '/p/__proto__',
      '/c/constructor',
      '/@shop/',
      '/@nowhere',
    ],
    ...['/p/%3Cscript%3Ealert(1)%3C%2Fscript%3E', '/c/ranks/..', '/shops/x', '/console', '/p/' + 'a'.repeat(3000)],
    ...[
      '/assets/',
      '/p/vip-rank/x',
      '/legal/terms%0d%0aSet-Cookie:a=b',
      '/sitemap.xml/x',
      '/p/{{7*7}}',
      '/p/<%= 7*7 %>',
    ],
  ])('gets the page for nothing at %s', async (path) => {
    const page = await visit(path);
    expect([path, page.status, page.headers['content-type']]).toEqual([path, 404, 'text/html; charset=utf-8']);
    expect(bodyOf(page)).not.toMatch(/<script(?! type="module" src="\/assets)|\b49\b/i);
    // `//name` is an address of another host.
    expect(bodyOf(page)).not.toMatch(/(href|action|src)="[/\\]{2}/);
    expect(page.headers['set-cookie']).toBeUndefined();
    expect(page.headers['location']).toBeUndefined();
  });

  it.each([
    ...['lang=__proto__', 'lang=../de', 'lang=de%0d%0aSet-Cookie:a=b', 'lang=<script>', 'lang=xx; lang=yy', '=; =;;;'],
    ...['basket=__proto__', 'basket=%7B%22%24ne%22%3Anull%7D', `basket=${'A'.repeat(3_000)}.x`],
  ])('sees the shop as a new visitor with the cookie %s', async (cookie) => {
    const page = await visit('/', { Cookie: cookie });
    expect([page.status, page.headers['content-language'], page.headers['set-cookie']]).toEqual([200, 'en', undefined]);
    expect(bodyOf(page)).toBe(bodyOf(await visit('/')));
  });

  it.each(['post', 'put', 'patch', 'delete', 'options'] as const)('gets nowhere with %s', async (method) => {
    const page = await request(app.baseUrl)[method]('/').set({ Host: host, Origin: 'https://evil.example' });
    expect([page.status, page.headers['access-control-allow-origin']]).toEqual([404, undefined]);
  });

  it.each(['a b', '<script>', "';--", '../', 'sky-realm.shops.example.net/@evil', '127.0.0.1.evil.example'])(
    'gets no page of a shop with the host %j',
    async (name) => {
      const page = await visit('/', { Host: name });
      expect(page.status).toBe(404);
      expect(bodyOf(page)).not.toMatch(/<script(?! type="module" src="\/assets)/);
    },
  );
});

describe('A closed shop', () => {
  it('says so on every page, in the words of its owner, and keeps its legal pages', async () => {
    await change({ closedText: 'We rebuild the lobby.' });
    expectSuccess(await app.api.call('delete', `/shops/${shop.shopId}`, owned));
    for (const path of ['/', '/p/vip-rank', '/c/ranks', '/search']) {
      const page = await visit(path);
      expect([path, page.status]).toEqual([path, 200]);
      expect(textOf(page)).toContain('Sky Realm is closed for a while We rebuild the lobby.');
      expect(textOf(page)).not.toContain('VIP rank');
    }
    expect((await visit('/legal/terms')).status).toBe(200);
  });
});

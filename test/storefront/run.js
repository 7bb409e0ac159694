// `npm run long -- storefront`: a buyer in a real browser (headless Chromium) uses the page in examples/storefront, from another
// origin than the service: reads the products, enters a code, requests the price, orders, pays with a test payment, and
// sees it arrive. Exits with 1 when a step fails, when the browser complains about anything, and when the page gets a
// secret of the shop. Without a Chromium and without the right to install one, the test is left out with a message.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { startTarget } from '../attack/target.js';
import { startBrowser } from './browser.js';
import { findChromium } from './chromium.js';

const FOLDER = join(import.meta.dirname, '..', '..', 'examples', 'storefront');
const TYPES = {
  'index.html': 'text/html; charset=utf-8',
  'storefront.js': 'text/javascript',
  'storefront.css': 'text/css',
};
/** What must never reach the browser. */
const SECRETS = ['secretcommand', 'secret-address.example.com', 'Secret staff server', 'Secret product'];
/** A name that would run if a page took it for HTML. */
const HOSTILE = '<img src=x onerror="window.hacked=1">';

/** Serves the files of the page, and as `published.html` the page with the settings of `publish`. */
async function serveFiles() {
  let settings = {};
  const published = () =>
    Object.entries(settings).reduce(
      (page, [name, value]) => page.replace(`name="${name}" content=""`, `name="${name}" content="${value}"`),
      readFileSync(join(FOLDER, 'index.html'), 'utf8'),
    );
  const server = createServer((request, response) => {
    const name = new URL(request.url, 'http://localhost').pathname.slice(1) || 'index.html';
    const type = TYPES[name];
    if (name === 'published.html') {
      response.setHeader('Content-Type', TYPES['index.html']).end(published());
      return;
    }
    response.writeHead(type === undefined ? 404 : 200, { 'Content-Type': type ?? 'text/plain' });
    response.end(type === undefined ? 'Not found' : readFileSync(join(FOLDER, name)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, origin: `http://127.0.0.1:${server.address().port}`, publish: (chosen) => (settings = chosen) };
}

/** A shop with two products, one category, a code, a published key, and test payments. */
async function makeShop(url) {
  let token;
  const send = async (method, path, body) => {
    const headers = { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) };
    const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const envelope = await response.json();
    assert.equal(response.status, 200, `${method} ${path}: ${envelope.error}`);
    return envelope.data;
  };
  const owner = { email: 'owner@example.com', password: 'correct horse battery', name: 'Olivia' };
  token = (await send('POST', '/auth/register', owner)).accessToken;
  const nicknameRule = { preset: 'minecraft-java' };
  const settings = {
    uniqueName: 'sky-realm',
    displayName: 'Sky Realm',
    currency: 'EUR',
    timezone: 'Europe/Berlin',
    priceRule: 'none',
  };
  const { _id: shopId } = await send('POST', '/shops', { ...settings, nicknameRule });
  const server = (body) => send('POST', `/servers/${shopId}`, { game: 'minecraft', ...body });
  await server({ name: 'Survival', address: 'play.sky-realm.example' });
  const hidden = await server({ name: SECRETS[2], address: SECRETS[1], isHidden: true });
  const { id: categoryId } = await send('POST', `/categories/${shopId}`, { name: 'Ranks' });
  const commands = [`${SECRETS[0]} {nickname}`];
  const product = (body) => send('POST', `/products/${shopId}`, { price: 9.99, commands, ...body });
  await product({ name: 'VIP rank', categoryId, compareAtPrice: 19.99 });
  await product({
    name: HOSTILE,
    price: 0.1,
    stock: 1,
    description: `${HOSTILE}\n- **safe** [link](javascript:window.hacked=1)`,
  });
  await product({ name: SECRETS[3], serverIds: [hidden.id] });
  await send('POST', `/discounts/${shopId}`, { code: 'WELCOME', type: 'percent', value: 10 });
  await send('POST', `/discounts/${shopId}`, { code: 'BIGONLY', type: 'percent', value: 10, minOrderValue: 100 });
  const key = { shopId, name: 'Storefront', type: 'storefront' };
  const permissions = ['shops:read', 'products:read', 'servers:read', 'discounts:validate'];
  const published = await send('POST', '/api-keys', { ...key, permissions });
  const provider = { enabled: true, credentials: {} };
  await send('PUT', `/payments/${shopId}/providers/test`, provider);
  const showWidgets = () =>
    send('PATCH', `/shops/${shopId}`, { widgets: ['recent_purchases', 'monthly_goal'], monthlyGoal: 100 });
  const otherSettings = { uniqueName: 'dinar-realm', displayName: 'Dinar Realm', currency: 'RSD', timezone: 'UTC' };
  const { _id: otherId } = await send('POST', '/shops', { ...otherSettings, nicknameRule });
  await send('POST', `/servers/${otherId}`, { name: 'Survival', game: 'minecraft' });
  await send('POST', `/products/${otherId}`, { name: 'VIP rank', price: 199.5 });
  await send('POST', `/discounts/${otherId}`, { code: 'HALF', type: 'percent', value: 50 });
  const otherKey = await send('POST', '/api-keys', { ...key, shopId: otherId, permissions });
  const other = { shop: otherId, key: otherKey.key };
  const orderCount = async () => (await send('GET', `/orders/${shopId}`)).length;
  return { shopId, key: published.key, other, orderCount, showWidgets };
}

/** What a buyer does. Each step waits for what the page shows. */
function steps({ page, url, shop, files, address }) {
  const add = (at) => page.run((index) => document.querySelectorAll('.product button')[index].click(), at);
  const orderOf = () => page.run(() => JSON.parse(sessionStorage.getItem('shop-platform-order')));
  return [
    [
      'says which settings it needs, and takes none from its address when it has its own',
      async () => {
        await page.go(files.origin);
        await page.shows('#error', /^This page needs \?api=/);
        files.publish({ 'shop-api': url, 'shop-id': shop.shopId, 'shop-key': shop.key });
        await page.go(`${files.origin}/published.html?api=http://127.0.0.1:9/api/v2&shop=other&key=other`);
        await page.shows('#shop-name', /^Sky Realm$/);
      },
    ],
    [
      'lists the categories and products, and shows names as they are',
      async () => {
        await page.go(address);
        const catalogue = await page.shows('#catalogue', /VIP rank/);
        assert.match(catalogue, /Ranks[^]*VIP rank[^]*€19\.99 €9\.99[^]*More/);
        assert.ok(catalogue.includes(HOSTILE));
        assert.deepEqual(await page.run(() => document.querySelector('.product li').innerHTML.split(' ')), [
          '<strong>safe</strong>',
          '[link](javascript:window.hacked=1)',
        ]);
        assert.match(await page.shows('#shop-name', /./), /^Sky Realm$/);
        assert.equal(await page.run(() => document.querySelector('#server').innerText.trim()), 'Survival');
      },
    ],
    [
      'checks codes',
      async () => {
        await add(0);
        await page.shows('#lines', /1 x VIP rank/);
        await page.type('#code', 'BIGONLY');
        await page.click('#check-code');
        await page.shows('#code-result', /^The order is below the minimum value of the code\.$/);
        await page.type('#code', 'welcome');
        await page.click('#check-code');
        await page.shows('#code-result', /^The code takes off €1\.00\.$/);
      },
    ],
    [
      'shows every problem of a basket',
      async () => {
        await add(1);
        await add(1);
        await page.type('#code', 'NOSUCHCODE');
        await page.type('#nickname', 'no spaces');
        await page.type('#email', 'buyer@example.com');
        await page.click('#quote');
        const problems = (await page.shows('#problems', /code/)).split('\n');
        assert.equal(problems.length, 3, problems.join());
        assert.ok(
          problems.some((problem) => problem.startsWith('The nickname')),
          problems.join(),
        );
        assert.ok(
          problems.some((problem) => problem.startsWith(`Only 1 of ${HOSTILE}`)),
          problems.join(),
        );
      },
    ],
    [
      'says in plain words what the service rejects, and that it cannot be reached',
      async () => {
        await page.type('#email', 'nobody');
        await page.click('#quote');
        await page.shows('#error', /^email must be an email address\.$/);
        assert.deepEqual(
          page.complaints().filter((line) => !/status of 400/.test(line)),
          [],
        );
        await page.run(() => (globalThis.fetch = () => Promise.reject(new TypeError('offline'))));
        await page.click('#quote');
        await page.shows('#error', /^The shop cannot be reached\./);
      },
    ],
    [
      'shows every decimal of a price, also where browsers know fewer decimals of the currency than the service',
      async () => {
        await page.go(`${files.origin}/?${new URLSearchParams({ api: url, ...shop.other })}`);
        await page.shows('#catalogue', /RSD\s199\.5\b/);
        await add(0);
        await page.type('#code', 'HALF');
        await page.click('#check-code');
        await page.shows('#code-result', /^The code takes off RSD\s99\.75\.$/);
      },
    ],
    [
      'orders no basket whose price the buyer has not seen, also when it changes while the price is asked for',
      async () => {
        await page.go(address);
        await page.shows('#catalogue', /VIP rank/);
        await add(0);
        await page.type('#nickname', 'Steve_42');
        await page.type('#email', 'buyer@example.com');
        await page.click('#order');
        await page.shows('#order', /^Order for €9\.99$/);
        await page.run(() => {
          const { fetch } = globalThis;
          globalThis.fetch = async (address, options) => {
            const response = await fetch(address, options);
            globalThis.fetch = fetch;
            document.querySelector('.product button').click();
            return response;
          };
        });
        await page.click('#order');
        await page.shows('#order', /^Order for €19\.98$/);
        await page.shows('#total', /^€19\.98$/);
        assert.equal(await shop.orderCount(), 0);
      },
    ],
    [
      'shows the price before it orders, and orders once for two clicks and when a response was lost',
      async () => {
        await page.go(address);
        await page.shows('#catalogue', /VIP rank/);
        await add(0);
        await page.type('#code', 'WELCOME');
        await page.type('#nickname', 'Steve_42');
        await page.type('#email', 'buyer@example.com');
        await page.click('#order');
        await page.shows('#order', /^Order for €8\.99$/);
        assert.equal(await orderOf(), null);
        assert.equal(await shop.orderCount(), 0);
        await page.run(() => {
          const { fetch } = globalThis;
          globalThis.fetch = async (address, options) => {
            const response = await fetch(address, options);
            if (!address.endsWith('/orders')) return response;
            globalThis.fetch = fetch;
            throw new TypeError('The response was lost');
          };
        });
        await page.click('#order');
        await page.shows('#error', /^The shop cannot be reached\./);
        assert.equal(await shop.orderCount(), 1);
        await page.run(() => {
          document.querySelector('#order').click();
          document.querySelector('#order').click();
        });
        await page.shows('#order-payment', /^not paid yet$/);
        assert.equal(await shop.orderCount(), 1);
        assert.match(await page.shows('#order-player', /./), /^Steve_42$/);
        assert.match(await page.shows('#order-total', /./), /^€8\.99$/);
      },
    ],
    [
      'shows the same order after the page is loaded again, and keeps its token out of the address and of other tabs',
      async () => {
        const { id, token } = await orderOf();
        await page.go(address);
        await page.shows('#order-id', new RegExp(`^${id}$`));
        assert.equal(await page.run(() => localStorage.length), 0);
        assert.ok(!(await page.run(() => location.href)).includes(token));
      },
    ],
    [
      'pays on the page of the provider, and then shows the payment',
      async () => {
        await page.shows('#methods', /^Test payment$/);
        await page.click('#methods button');
        await page.shows('h1', /^Test payment$/);
        await page.shows('#payment', /^pending$/);
        await page.click('form[action$="/succeed"] button');
        await page.shows('#payment', /^paid$/);
        await page.go(address);
        await page.shows('#order-payment', /^paid$/);
        await page.shows('#order-delivery', /^waits for the game server$/);
        assert.equal(await page.run(() => document.querySelectorAll('#methods button').length), 0);
      },
    ],
    [
      'shows who bought what and the goal of the month, when the owner has switched them on',
      async () => {
        assert.equal(await page.run(() => document.querySelector('#goal').hidden), true);
        await shop.showWidgets();
        await page.go(address);
        await page.shows('#goal', /^This month: €8\.99 of €100\.00 \(8 %\)$/);
        await page.shows('#purchases', /^Steve_42: 1 x VIP rank$/);
      },
    ],
    [
      'gets no secret of the shop: its key reads nothing but what everybody may see',
      async () => {
        assert.deepEqual(page.complaints(), []);
        const statuses = await page.run(
          async (api, key, id) => {
            const paths = ['orders', 'orders/:/export', 'discounts', 'deliveries', 'payments/:/providers', 'bans'];
            const all = [...paths, 'shops/:/team', 'shops/:/audit', 'stats/:/comparison'];
            const read = async (path) => {
              const named = path.includes(':') ? path.replace(':', id) : `${path}/${id}`;
              return (await fetch(`${api}/${named}`, { headers: { 'X-API-Key': key } })).status;
            };
            return Promise.all(all.map(read));
          },
          ...[url, shop.key, shop.shopId],
        );
        assert.deepEqual(statuses, Array(9).fill(403));
        assert.deepEqual(
          page.complaints().filter((line) => !/status of 403/.test(line)),
          [],
        );
        const bodies = (await page.bodies()).join('\n');
        assert.ok(bodies.includes('VIP rank'), 'the responses were recorded');
        assert.deepEqual(
          SECRETS.filter((secret) => bodies.includes(secret)),
          [],
        );
        assert.equal(await page.run(() => globalThis.hacked ?? null), null);
      },
    ],
  ];
}

async function main(chromium) {
  const files = await serveFiles();
  const target = await startTarget({ env: { CORS_ORIGINS: files.origin } });
  const browser = await startBrowser(chromium);
  try {
    const { url } = target;
    const shop = await makeShop(url);
    const address = `${files.origin}/?${new URLSearchParams({ api: url, shop: shop.shopId, key: shop.key })}`;
    const page = await browser.openPage();
    for (const [name, step] of steps({ page, url, shop, files, address })) {
      await step();
      assert.deepEqual(page.complaints(), [], name);
      console.log(`ok  ${name}`);
    }
  } finally {
    await browser.close();
    await target.dispose();
    files.server.closeAllConnections();
    files.server.close();
  }
}

const chromium = findChromium();
if (chromium === null)
  console.log('Left out: the storefront in a browser, because there is no Chromium and no right to install one.');
else await main(chromium);

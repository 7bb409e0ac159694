// `npm run long -- console`: an owner uses the console in headless Chromium: registers, makes a shop, switches test payments on, makes a
// product and connects a game server. A buyer buys in the storefront on a phone, and the example client delivers: the console shows it
// without a reload. The owner refunds, and decides about a payment on a phone. An invited member of the team with the role `support` sees
// only what that role allows. axe-core checks the pages in light and dark, at the width of a phone and of a desk; the screenshots are in
// reports/pages. Exits with 1 when a step fails. Without a Chromium and without the right to install one, the test is left out with a
// message.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import PostalMime from 'postal-mime';
import { startTarget } from '../attack/target.js';
import { buyOnPhone } from '../pages/buyer.js';
import { eventually, readerOf } from '../pages/reader.js';
import { startBrowser } from '../storefront/browser.js';
import { findChromium } from '../storefront/chromium.js';
import { signed } from '../support/signed-webhook.js';
import { personAt } from './person.js';

const CLIENT = join(import.meta.dirname, '..', '..', 'examples', 'plugin-client', 'plugin-client.mjs');
const OWNER = { name: 'Olivia', email: 'owner@example.com', password: 'correct horse battery' };
const SUPPORTER = { name: 'Sam', email: 'sam@example.com', password: 'correct horse battery' };
const SHOP = 'sky-realm';

const chromium = findChromium();
if (chromium === null) {
  console.log('SKIPPED: there is no Chromium, and none can be installed');
  process.exit(0);
}

const target = await startTarget();
const browser = await startBrowser(chromium);
try {
  const owner = personAt(await browser.openPage(), target.url);
  const shop = await setUp(owner);
  const orderId = await sell(owner, readerOf(await browser.openPage()), shop);
  await refund(owner, orderId);
  await lookAround(owner);
  await decideOnPhone(owner, shop);
  await helpAsSupport(owner, shop);
  // The one 401 is the question of a visitor who is not signed in: who am I?
  const complaints = owner.complaints().filter((text) => !/status of 401|^issue: |Password forms/.test(text));
  // The one 403 is the request of `helpAsSupport` itself: the console asks for nothing that the role does not allow.
  assert.deepEqual(complaints, [
    'network: Failed to load resource: the server responded with a status of 403 (Forbidden)',
  ]);
  console.log('The console works from the registration to the refund, the review and the team.');
} finally {
  await browser.close();
  await target.dispose();
}

/** The address of a page of the console. */
function pageOf(path) {
  return `${new URL(target.url).origin}/console/${path}`;
}

/** From the registration to an open shop with a product and a connected game server. */
async function setUp(owner) {
  const { fill, press, send, shows } = owner;
  await owner.go(pageOf('register'));
  for (const [name, value] of Object.entries(OWNER)) await fill(`[name=${name}]`, value);
  await press('Create an account', 'form');
  await fill('[name=displayName]', 'Sky Realm');
  await press('Create the shop');
  await shows('main', /of 6 done/);
  await owner.inspect('setup');
  await press('Switch test payments on');
  const [{ _id: shopId }] = await send('GET', '/shops');
  await send('PATCH', `/shops/${shopId}`, { nicknameRule: { preset: 'minecraft-java' } });

  await owner.go(pageOf(`${SHOP}/products/new`));
  await fill('Name', 'VIP rank');
  await fill('Price', '9.99');
  await fill('When it is paid', 'vip {nickname}');
  await press('Save', '.savebar');
  await shows('h1', /^VIP rank/);

  await owner.go(pageOf(`${SHOP}/servers/new`));
  await fill('[name=name]', 'Survival');
  await press('Make its key');
  const key = /shp_\w+/.exec(await shows('[role=dialog]', /shp_/))[0];
  await press('I have stored it');
  await shows('main', /Waiting for Survival/);
  const [{ id: serverId }] = await send('GET', `/servers/${shopId}`);
  const beat = { onlinePlayers: 1, maxPlayers: 20 };
  await send('POST', `/servers/${shopId}/${serverId}/heartbeat`, beat, { 'X-API-Key': key });
  await shows('main', /Survival is connected/);
  await owner.go(pageOf(SHOP));
  await press('Open the shop');
  await eventually(async () => (await send('GET', `/shops/${shopId}`)).isActive);
  return { shopId, serverId, key };
}

/** A buyer buys in the storefront, and the example client delivers while the owner looks at the order. Returns the id of the order. */
async function sell(owner, reader, { shopId, serverId, key }) {
  let orderId;
  const deliver = async (nickname) => {
    const { pathname } = new URL(await reader.run(() => location.href));
    orderId = /orders\/([\da-f]{24})/.exec(pathname)[1];
    await owner.go(pageOf(`${SHOP}/orders/${orderId}`));
    await owner.shows('.head', /Paid/);
    await owner.run(() => void (globalThis.isSamePage = true));
    const files = { CONSOLE_FILE: join(target.dataDir, 'console.log'), JOURNAL_FILE: join(target.dataDir, 'journal') };
    const env = { SHOP_URL: target.url, SHOP_ID: shopId, SERVER_ID: serverId, PLUGIN_KEY: key, ...files };
    await promisify(execFile)(process.execPath, [CLIENT, '--once'], { env });
    assert.match(readFileSync(files.CONSOLE_FILE, 'utf8'), new RegExp(`vip ${nickname}`));
    // Only the tab that somebody looks at asks the service for news.
    await owner.command('Page.bringToFront');
    await owner.shows('.head', /Delivered/);
    assert.equal(await owner.run(() => globalThis.isSamePage), true);
    await reader.command('Page.bringToFront');
  };
  const start = `${new URL(target.url).origin}/shops/${SHOP}/`;
  await reader.resize('phone');
  await buyOnPhone({ reader, start, language: 'en', nickname: 'Steve_42', name: null, deliver, hasScripts: false });
  await owner.command('Page.bringToFront');
  await owner.inspect('order');
  return orderId;
}

async function refund(owner) {
  await owner.press('Refund', '.head');
  await owner.fill('input.input', 'Changed their mind');
  await owner.press('Refund $9.99', '[role=dialog]');
  await owner.shows('.head', /Refunded/);
}

/** The pages with what has happened so far. */
async function lookAround(owner) {
  const places = [
    '',
    '/orders',
    '/deliveries?state=delivered',
    '/servers',
    '/settings',
    '/settings/payments',
    '/settings/team',
  ];
  for (const place of places) {
    await owner.go(pageOf(SHOP + place));
    await owner.shows('h1', /\S/);
    await owner.inspect(place === '' ? 'home' : place.slice(1).replace(/\W/g, '-'));
  }
}

/** The shop's own payment system reports a wrong amount, and the owner decides at the width of a phone. */
async function decideOnPhone(owner, { shopId, serverId, key }) {
  const { send } = owner;
  const custom = await send('PUT', `/payments/${shopId}/providers/custom`, { enabled: true, credentials: {} });
  const [{ id: productId, price }] = await send('GET', `/products/${shopId}`);
  const buyer = { serverId, nickname: 'Alex_42', email: 'alex@example.com' };
  const { id } = await send('POST', `/checkout/${shopId}/orders`, { items: [{ productId, quantity: 1 }], ...buyer });
  const payment = { orderId: id, paymentId: 'pay_1', amount: price - 1, currency: 'USD' };
  const event = { type: 'payment.succeeded', ...payment, occurredAt: new Date().toISOString() };
  const [body, headers] = signed(event, custom.signingSecret);
  assert.equal((await fetch(custom.webhookUrl, { method: 'POST', body, headers })).status, 200);
  await owner.resize('phone');
  await owner.go(pageOf(`${SHOP}/orders/${id}`));
  await owner.shows('main', /This payment needs your decision/);
  await owner.inspect('order-review');
  await owner.resize('phone');
  await owner.press('Accept as paid, and deliver', 'main');
  await owner.fill('input.input', 'The rest came in cash');
  await owner.press('Accept and deliver', '[role=dialog]');
  await owner.shows('.head', /Paid/);
  await deliverMarkup(owner, { shopId, serverId, key });
}

/** What a game server prints is text, whatever it is. */
async function deliverMarkup({ send, shows }, { shopId, serverId, key }) {
  const asPlugin = { 'X-API-Key': key };
  const lease = { serverId, players: ['Alex_42'] };
  const { deliveries } = await send('POST', `/deliveries/${shopId}/lease`, lease, asPlugin);
  const output = '<b>Gave VIP</b><img src="x" onerror="document.title=1">';
  const results = deliveries.map(({ deliveryId, attempt }) => ({ deliveryId, attempt, status: 'delivered', output }));
  await send('POST', `/deliveries/${shopId}/ack`, { results }, asPlugin);
  assert.ok((await shows('.output', /Gave VIP/)).includes(output));
}

/** Takes the invitation from the mailbox, and looks at what the navigation and the pages offer. */
async function helpAsSupport(person, { shopId }) {
  const { fill, press, send, shows } = person;
  await send('POST', `/shops/${shopId}/team/invitations`, { email: SUPPORTER.email, role: 'support' });
  const token = await eventually(() => invitationIn(join(target.dataDir, 'mail')));
  await person.command('Network.clearBrowserCookies');
  await person.resize('desk');
  await person.go(pageOf(`invitation#token=${token}`));
  for (const [name, value] of Object.entries(SUPPORTER)) await fill(`[name=${name}]`, value);
  await press('Join the team', 'form');
  const entries = await shows('nav.side', /Orders/);
  for (const allowed of ['Home', 'Products', 'Players', 'Deliveries', 'Servers'])
    assert.match(entries, new RegExp(`^${allowed}`, 'm'));
  for (const hidden of ['Statistics', 'Storefront']) assert.doesNotMatch(entries, new RegExp(`^${hidden}`, 'm'));
  await person.go(pageOf(`${SHOP}/settings/payments`));
  await shows('main', /Olivia/);
  await person.inspect('not-allowed');
  const refused = await person.run(
    async (url) => (await fetch(url)).status,
    `${target.url}/payments/${shopId}/providers`,
  );
  assert.equal(refused, 403);
  await person.go(pageOf(`${SHOP}/orders`));
  await press('#1002 · Alex_42', 'main');
  await shows('h1', /^Order #1002$/);
  // Reading and delivering, but no money.
  assert.doesNotMatch(await shows('.head', /\S/), /Refund/);
}

async function invitationIn(folder) {
  const names = readdirSync(folder).filter((name) => name.endsWith('.eml'));
  const mails = await Promise.all(names.map((name) => PostalMime.parse(readFileSync(join(folder, name)))));
  const mail = mails.find(({ to }) => to[0].address === SUPPORTER.email);
  return mail && /shi_[\w-]+/.exec(mail.text)?.[0];
}

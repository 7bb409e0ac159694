// `npm run long -- console`: an owner uses the console in headless Chromium: registers, makes a shop, switches test payments on, connects a
// game server, sees an order of a buyer paid and delivered without a reload, and refunds it. The product comes over the API. axe-core
// checks the pages in light and dark, at the width of a phone and of a desk; the screenshots are in reports/pages. Exits with 1 when a
// step fails. Without a Chromium and without the right to install one, the test is left out with a message.
import assert from 'node:assert/strict';
import { startTarget } from '../attack/target.js';
import { startBrowser } from '../storefront/browser.js';
import { findChromium } from '../storefront/chromium.js';
import { personAt } from './person.js';

const OWNER = { name: 'Olivia', email: 'owner@example.com', password: 'correct horse battery' };

const chromium = findChromium();
if (chromium === null) {
  console.log('SKIPPED: there is no Chromium, and none can be installed');
  process.exit(0);
}

const target = await startTarget();
const browser = await startBrowser(chromium);
try {
  await walk(target.url, personAt(await browser.openPage(), target.url));
  console.log('The console works from the registration to the refund.');
} finally {
  await browser.close();
  await target.dispose();
}

async function walk(api, page) {
  const origin = new URL(api).origin;
  const { fill, press, send, inspect } = page;

  await page.go(`${origin}/console/register`);
  for (const [name, value] of Object.entries(OWNER)) await fill(`[name=${name}]`, value);
  await press('Create an account', 'form');
  await fill('[name=displayName]', 'Sky Realm');
  await press('Create the shop');
  await page.shows('main', /of 6 done/);
  await inspect('setup');
  const [{ _id: shopId }] = await send('GET', '/shops');
  const { id: productId } = await send('POST', `/products/${shopId}`, {
    name: 'VIP',
    price: 9.99,
    commands: ['vip {nickname}'],
  });
  await press('Switch test payments on');

  await page.go(`${origin}/console/sky-realm/servers/new`);
  await fill('[name=name]', 'Survival');
  await press('Make its key');
  const key = /shp_\w+/.exec(await page.shows('[role=dialog]', /shp_/))[0];
  await press('I have stored it');
  await page.shows('main', /Waiting for Survival/);
  const asPlugin = { 'X-API-Key': key };
  const [{ id: serverId }] = await send('GET', `/servers/${shopId}`);
  const beat = { onlinePlayers: 1, maxPlayers: 20 };
  await send('POST', `/servers/${shopId}/${serverId}/heartbeat`, beat, asPlugin);
  await page.shows('main', /Survival is connected/);

  await send('POST', `/shops/${shopId}/reactivate`);
  const order = { items: [{ productId, quantity: 1 }], serverId, nickname: 'Steve_42', email: 'buyer@example.com' };
  const { id: orderId, accessToken } = await send('POST', `/checkout/${shopId}/orders`, order);
  await page.go(`${origin}/console/sky-realm/orders/${orderId}`);
  await page.shows('main', /Unpaid/);
  const payment = await send(
    'POST',
    `/orders/public/${orderId}/payment`,
    { provider: 'test' },
    { 'X-Order-Token': accessToken },
  );
  await fetch(`${payment.url}/succeed`, { method: 'POST', redirect: 'manual' });
  await page.shows('.head', /Paid/);
  const { deliveries } = await send(
    'POST',
    `/deliveries/${shopId}/lease`,
    { serverId, players: ['Steve_42'] },
    asPlugin,
  );
  const results = deliveries.map(({ deliveryId, attempt }) => ({
    deliveryId,
    attempt,
    status: 'delivered',
    output: '<b>Gave VIP</b>',
  }));
  await send('POST', `/deliveries/${shopId}/ack`, { results }, asPlugin);
  await page.shows('.head', /Delivered/);
  // What a server prints is text.
  await page.shows('.output', /<b>Gave VIP<\/b>/);
  await inspect('order');

  await press('Refund', '.head');
  await fill('input.input', 'Changed their mind');
  await press('Refund $9.99', '[role=dialog]');
  await page.shows('.head', /Refunded/);
  for (const place of [
    '',
    '/orders',
    '/deliveries?state=delivered',
    '/servers',
    '/settings',
    '/settings/payments',
    '/settings/team',
  ]) {
    await page.go(`${origin}/console/sky-realm${place}`);
    await page.shows('h1', /\S/);
    await inspect(place === '' ? 'home' : place.slice(1).replace(/\W/g, '-'));
  }
  // The one 401 is the question of a visitor who is not signed in: who am I?
  const complaints = page.complaints().filter((text) => !/status of 401|^issue: |Password forms/.test(text));
  assert.deepEqual(complaints, []);
}

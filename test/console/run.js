// `npm run long -- console`: an owner uses the console in headless Chromium: registers, makes a shop, switches test payments on, connects a
// game server, sees an order of a buyer paid and delivered without a reload, and refunds it. The product comes over the API. axe-core
// checks the pages in light and dark, at the width of a phone and of a desk; the screenshots are in reports/pages. Exits with 1 when a
// step fails. Without a Chromium and without the right to install one, the test is left out with a message.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import { startTarget } from '../attack/target.js';
import { startBrowser } from '../storefront/browser.js';
import { findChromium } from '../storefront/chromium.js';

const SCREENSHOTS = join(import.meta.dirname, '..', '..', 'reports', 'pages');
const SIZES = { phone: [360, 740], desk: [1280, 900] };
const OWNER = { name: 'Olivia', email: 'owner@example.com', password: 'correct horse battery' };

const chromium = findChromium();
if (chromium === null) {
  console.log('SKIPPED: there is no Chromium, and none can be installed');
  process.exit(0);
}

const target = await startTarget();
const browser = await startBrowser(chromium);
try {
  await walk(target.url, await browser.openPage());
  console.log('The console works from the registration to the refund.');
} finally {
  await browser.close();
  await target.dispose();
}

async function walk(api, page) {
  const origin = new URL(api).origin;
  /** React notices only values that are set as the browser sets them. */
  const fill = async (selector, text) => {
    await page.shows(`form:has(${selector})`, /\S/);
    await page.run(
      (wanted, value) => {
        const field = document.querySelector(wanted);
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, value);
        field.dispatchEvent(new Event('input', { bubbles: true }));
      },
      selector,
      text,
    );
  };
  const press = async (text, within = 'body') => {
    await page.shows(within, new RegExp(text.replace(/[$.]/g, '\\$&')));
    await page.run(
      (wanted, inside) => {
        const buttons = [...document.querySelectorAll(`${inside} button, ${inside} a`)];
        buttons.find(({ innerText }) => innerText.trim() === wanted).click();
      },
      text,
      within,
    );
  };
  /** As every other client, with the cookie of the tab. */
  const send = (method, path, body, headers = {}) =>
    page.run(
      async (verb, url, content, more) => {
        const sent = { 'Content-Type': 'application/json', 'X-CSRF': '1', ...more };
        const response = await fetch(url, {
          method: verb,
          headers: sent,
          ...(content && { body: JSON.stringify(content) }),
        });
        const { data, error } = await response.json();
        if (!response.ok) throw new Error(`${verb} ${url}: ${error}`);
        return data;
      },
      ...[method, api + path, body, headers],
    );
  const inspect = async (name) => {
    for (const [size, mode] of Object.keys(SIZES).flatMap((one) => ['light', 'dark'].map((other) => [one, other]))) {
      const [width, height] = SIZES[size];
      // Colours change at once, so that axe sees none in between.
      const features = [
        { name: 'prefers-color-scheme', value: mode },
        { name: 'prefers-reduced-motion', value: 'reduce' },
      ];
      await page.command('Emulation.setEmulatedMedia', { features });
      await page.command('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
      await page.run(async (wanted) => {
        while (document.documentElement.dataset.theme !== wanted) await new Promise(requestAnimationFrame);
        await new Promise((done) => setTimeout(done, 50));
      }, mode);
      await page.command('Runtime.evaluate', { expression: axe.source });
      const violations = await page.run(async () =>
        (await globalThis.axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`),
      );
      assert.deepEqual(violations, [], `${name}, ${size}, ${mode}`);
      assert.ok(
        await page.run(() => document.documentElement.scrollWidth <= innerWidth),
        `${name} is wider than ${size}`,
      );
      const { data } = await page.command('Page.captureScreenshot', { format: 'png' });
      mkdirSync(SCREENSHOTS, { recursive: true });
      writeFileSync(join(SCREENSHOTS, `console-${name}-${size}-${mode}.png`), Buffer.from(data, 'base64'));
    }
  };

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

// `npm run long -- pages`: a buyer and an invited person read their emails and use the pages behind the links in a real browser
// (headless Chromium): look at an order, correct the nickname, pay with a test payment, see it delivered, accept an invitation, set a
// new password. Then they see the page, and the emails, of an order in every state. axe-core checks each page and each email at the
// width of a phone and of a desk, in English and German. The screenshots are in reports/pages. Exits with 1 when a step fails or the
// browser complains. Without a Chromium and without the right to install one, the test is left out with a message.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { servedStoreUri } from '@shop-platform/embedded-mongodb';
import { MongoClient, ObjectId } from 'mongodb';
import PostalMime from 'postal-mime';
import { startTarget } from '../attack/target.js';
import { startBrowser } from '../storefront/browser.js';
import { findChromium } from '../storefront/chromium.js';
import { signed } from '../support/signed-webhook.js';
import { buyOnPhone, lookAround } from './buyer.js';
import { eventually, readerOf, SCREENSHOTS } from './reader.js';
import { happenings, STATES } from './states.js';

/** A page with a mistake has a status of its own, and the browser reports every such status. */
const ONLY_A_STATUS = /Failed to load resource: the server responded with a status of 4\d\d/;
/** The title of the page behind a link that leads nowhere. */
const NOT_VALID = 'This page cannot be opened';
const ORDER_LINK = /http:\S+\/shops\/[\w-]+\/orders\/[\w/-]+/;
/** Emails have no landmarks: the page of the mail program around them has those. */
const IN_A_MAIL_PROGRAM = { 'landmark-one-main': { enabled: false }, region: { enabled: false } };
/** Of the page that sets a password: it knows the token, and not the address. */
const NO_ADDRESS = /Password forms should have \(optionally hidden\) username fields/;

/** The emails that the service wrote so far, oldest first. */
function readMails(dataDir) {
  const folder = join(dataDir, 'mail');
  const names = readdirSync(folder).filter((name) => name.endsWith('.eml'));
  return Promise.all(names.sort().map((name) => PostalMime.parse(readFileSync(join(folder, name)))));
}

/** The first match in the emails to an address. */
function inMail(dataDir, address, pattern) {
  let mails = [];
  return eventually(
    async () => {
      mails = (await readMails(dataDir)).filter(({ to }) => to[0].address === address);
      return mails.map(({ text }) => pattern.exec(text)?.[0]).find(Boolean);
    },
    () => `no email to ${address} matches ${pattern}: ${JSON.stringify(mails.map(({ text }) => text))}`,
  );
}

/** A shop with a product, a game server, a plugin key and test payments. */
async function makeShop({ url, dataDir }) {
  const send = async (method, path, body, headers = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const envelope = await response.json();
    assert.equal(response.status, 200, `${method} ${path}: ${envelope.error}`);
    return envelope.data;
  };
  const owner = { email: 'owner@example.com', password: 'correct horse battery', name: 'Olivia' };
  const { accessToken } = await send('POST', '/auth/register', owner);
  const asOwner = { Authorization: `Bearer ${accessToken}` };
  const settings = { uniqueName: 'sky-realm', displayName: 'Sky Realm', currency: 'EUR', timezone: 'Europe/Berlin' };
  const look = {
    supportEmail: 'help@sky-realm.example',
    accentColor: '#facc15',
    nicknameRule: { preset: 'minecraft-java' },
    legal: { pages: { terms: { text: 'Be **kind**.' } } },
  };
  const { _id: shopId } = await send('POST', '/shops', { ...settings, ...look }, asOwner);
  const server = await send(
    'POST',
    `/servers/${shopId}`,
    { name: 'Survival', game: 'minecraft', address: 'play.sky-realm.example' },
    asOwner,
  );
  const product = { name: 'VIP rank for one month', price: 9.99, commands: ['lp user {nickname} parent add vip'] };
  const { id: categoryId } = await send('POST', `/categories/${shopId}`, { name: 'Ranks', slug: 'ranks' }, asOwner);
  const { id: productId } = await send('POST', `/products/${shopId}`, { ...product, categoryId }, asOwner);
  await send('POST', `/discounts/${shopId}`, { code: 'WELCOME', type: 'percent', value: 10 }, asOwner);
  await send('PUT', `/payments/${shopId}/providers/test`, { enabled: true, credentials: {} }, asOwner);
  const custom = await send('PUT', `/payments/${shopId}/providers/custom`, { enabled: true, credentials: {} }, asOwner);
  const key = { shopId, name: 'Plugin', type: 'plugin', permissions: ['deliveries:write'] };
  const asPlugin = { 'X-API-Key': (await send('POST', '/api-keys', key, asOwner)).key };
  // One word is wider than a phone, and the others are written from right to left.
  const rank = {
    name: `${'Dragonblood'.repeat(7)} رتبة التنين`,
    price: 20,
    commands: ['give {nickname}'],
    takeBackCommands: ['take {nickname}'],
  };
  const { id: rankId } = await send('POST', `/products/${shopId}`, { ...rank, requiresOnline: true }, asOwner);
  const items = [{ productId, quantity: 2 }];
  const buyer = { serverId: server.id, nickname: 'Steve_42', email: 'buyer@example.com', discountCode: 'WELCOME' };
  return {
    ...{ send, shopId, asOwner, owner },
    buy: () => send('POST', `/checkout/${shopId}/orders`, { items, ...buyer }),
    refund: (orderId) => send('POST', `/payments/${shopId}/${orderId}/refund`, { reason: 'Sorry' }, asOwner),
    change: (settings) => send('PATCH', `/shops/${shopId}`, settings, asOwner),
    speak: (language) => send('PATCH', `/shops/${shopId}`, { language }, asOwner),
    /** Two orders with nothing to pay. The summary about the second one is due at once. */
    async giveAway() {
      const { id: freeId } = await send('POST', `/products/${shopId}`, { name: 'Starter kit', price: 0 }, asOwner);
      const free = { items: [{ productId: freeId, quantity: 1 }], serverId: server.id };
      for (const nickname of ['Free_1', 'Free_2']) {
        const body = { ...free, nickname, email: `${nickname}@example.com` };
        await send('POST', `/checkout/${shopId}/orders`, body);
      }
      const client = new MongoClient(await servedStoreUri(join(dataDir, 'store')));
      const [notices, waiting] = [client.db().collection('owner_notices'), { waiting: 1 }];
      await eventually(() => notices.findOne(waiting));
      await notices.updateOne(waiting, { $set: { nextAt: new Date() } });
      await client.close();
    },
    buyRank: (nickname) => {
      const body = { items: [{ productId: rankId, quantity: 1 }], serverId: server.id, nickname };
      return send('POST', `/checkout/${shopId}/orders`, { ...body, email: `${nickname}@example.com` });
    },
    /** As the shop's own payment system does. */
    async tell(event) {
      const [body, headers] = signed(event, custom.signingSecret);
      const { status } = await fetch(custom.webhookUrl, { method: 'POST', body, headers });
      assert.equal(status, 200);
    },
    act: (orderId, action, body) => send('POST', `/orders/${shopId}/${orderId}/${action}`, body, asOwner),
    /** Lets the time to pay pass, and waits until the order has expired. */
    async expire(orderId) {
      const client = new MongoClient(await servedStoreUri(join(dataDir, 'store')));
      const [orders, order] = [client.db().collection('orders'), { _id: new ObjectId(orderId) }];
      await orders.updateOne(order, { $set: { expiresAt: new Date(0), expiryDueAt: new Date(0) } });
      await eventually(() => orders.findOne({ ...order, status: 'expired' }));
      await client.close();
    },
    /** As the plugin of the game server does. */
    async report(nickname, status) {
      const players = { serverId: server.id, players: [nickname] };
      const { deliveries } = await send('POST', `/deliveries/${shopId}/lease`, players, asPlugin);
      assert.deepEqual(
        deliveries.map((delivery) => delivery.nickname),
        [nickname],
      );
      const results = deliveries.map(({ deliveryId, attempt }) => ({ deliveryId, attempt, status }));
      await send('POST', `/deliveries/${shopId}/ack`, { results }, asPlugin);
    },
  };
}

function steps({ reader, shop, dataDir, order, storefront }) {
  const mailed = (to, pattern) => inMail(dataDir, to, pattern);
  let address;
  let seen = 0;
  /** Checks each new email as a mail program shows it, and follows its links. */
  const readEmails = async (count) => {
    const mails = await eventually(async () => {
      const all = await readMails(dataDir);
      return all.length >= seen + count && all;
    });
    for (const { subject, html } of mails.slice(seen)) {
      await reader.go(`data:text/html;base64,${Buffer.from(html).toString('base64')}`);
      await reader.shows('h1', /./);
      assert.equal(await reader.run(() => document.title), subject);
      await reader.inspect(`email-${String(++seen).padStart(2, '0')}`, { rules: IN_A_MAIL_PROGRAM });
      for (const link of await reader.run(() => [...document.links].map(({ href }) => href))) {
        await reader.go(link);
        await reader.shows('main h1', /./);
        assert.notEqual(
          await reader.run(() => document.querySelector('h1').innerText),
          NOT_VALID,
          `${subject}: ${link}`,
        );
      }
    }
  };
  /** What happened to an order is on its page when the jobs have run. */
  const showsState = async (link, ...expected) => {
    let shown;
    await eventually(
      async () => {
        await reader.go(link);
        await reader.shows('#delivery', /./);
        shown = await reader.run(() => ['payment', 'delivery'].map((id) => document.getElementById(id).innerText));
        return expected.every((pattern, index) => pattern.test(shown[index]));
      },
      () => `the page shows ${shown}, not ${expected}`,
    );
  };
  const known = new Set();
  /** Checks emails as a mail program shows them on a phone, those that only differ in numbers and names once. */
  const readStateEmails = async (mails, name) => {
    for (const [index, { to, subject, html, text }] of mails.entries()) {
      const copy = `${subject} ${text}`.replace(/http\S+|\b[\da-f]{24}\b|\d+|\b(en|de)_\w+/g, '');
      if (known.has(copy)) continue;
      known.add(copy);
      await reader.go(`data:text/html;base64,${Buffer.from(html).toString('base64')}`);
      await reader.shows('h1', /./);
      const reads = to[0].address === shop.owner.email ? 'owner' : 'buyer';
      await reader.inspect(`${name}-email-${index + 1}-${reads}`, { rules: IN_A_MAIL_PROGRAM, sizes: ['phone'] });
    }
  };
  return [
    [
      'the email about an order leads to its page',
      async () => {
        address = await mailed('buyer@example.com', ORDER_LINK);
        assert.ok(address.includes(order.id));
        await readEmails(1);
      },
    ],
    [
      'an order that is not paid, in English and German, also with the keyboard',
      async () => {
        await reader.go(address);
        await reader.shows('#payment', /^Not paid yet$/);
        assert.equal(await reader.run(() => location.href), address.replace(/\/[^/]+$/, ''));
        await reader.inspect('order-unpaid');
        const { reached, count } = await reader.tabThrough();
        assert.equal(reached, count);
        await reader.speak('de');
        await reader.go(address);
        await reader.shows('#payment', /^Noch nicht bezahlt$/);
        await reader.inspect('order-unpaid-de');
        await reader.speak('en');
      },
    ],
    [
      'the nickname: a wrong code is explained and gets the focus, the right one changes it',
      async () => {
        await reader.go(address);
        await reader.shows('h1', /^Your order waits for the payment$/);
        await reader.click('form[action$=nickname-code] button');
        await reader.shows('[role=status]', /^We have sent a code/);
        await reader.inspect('order-code-sent');
        const code = await mailed('buyer@example.com', /^\d{8}$/m);
        // The link in the email leads back to the form.
        await readEmails(1);
        await reader.type('#verificationCode', code === '00000000' ? '11111111' : '00000000');
        await reader.type('#newNickname', 'Alex_42');
        await reader.click('form[action$="/nickname"] button');
        await reader.shows('[role=alert]', /^The code is wrong/);
        await reader.focuses('[role=alert]');
        assert.equal(await reader.run(() => document.querySelector('#newNickname').value), 'Alex_42');
        await reader.inspect('order-wrong-code');
        await reader.type('#verificationCode', code);
        await reader.click('form[action$="/nickname"] button');
        await reader.shows('[role=status]', /Alex_42/);
      },
    ],
    [
      'the payment: the browser goes to the provider, and comes back to a page that shows it',
      async () => {
        await reader.click('button[name=provider]');
        await reader.shows('h1', /^Test payment$/);
        await reader.click('form[action$=succeed] button');
        await reader.shows('#payment', /^paid$/);
        await reader.run(() => [...document.links].find(({ innerText }) => innerText === 'Back to the shop').click());
        await reader.shows('#payment', /^Paid on /);
        await reader.inspect('order-paid');
      },
    ],
    [
      'the delivery',
      async () => {
        await shop.report('Alex_42', 'delivered');
        await reader.go(address);
        await reader.shows('#delivery', /^Delivered$/);
        await reader.inspect('order-delivered');
      },
    ],
    [
      'the emails about the nickname, the payment, the delivery and a refund, and those of a German shop',
      async () => {
        await shop.refund(order.id);
        // To the buyer: nickname changed, receipt, delivered, refunded. To the owner: sale.
        await readEmails(5);
        await shop.speak('de');
        await shop.buy();
        await readEmails(1);
        await shop.speak('en');
      },
    ],
    ...['en', 'de'].map((language) => [
      `an order in every state, and its emails, in ${language === 'en' ? 'English' : 'German'}`,
      async () => {
        await shop.speak(language);
        await reader.speak(language);
        for (const [name, [payment, delivery, emails, happen]] of Object.entries(STATES)) {
          const nickname = `${language}_${name}`.replaceAll('-', '_').slice(0, 16);
          const bought = await shop.buyRank(nickname);
          await happen(happenings(shop, { ...bought, nickname }));
          let mails = [];
          await eventually(
            async () => {
              // The link to its page has the id. Owners read the number.
              const names = [bought.id, `#${bought.number}`];
              mails = (await readMails(dataDir)).filter(({ text }) => names.some((name) => text.includes(name)));
              return mails.length >= emails;
            },
            () => `${mails.length} of ${emails} emails about an order that is ${name}`,
          );
          const link = mails.map(({ text }) => ORDER_LINK.exec(text)?.[0]).find(Boolean);
          if (language === 'en') await showsState(link, payment, delivery);
          else {
            await reader.go(link);
            await reader.shows('#delivery', /./);
          }
          await reader.inspect(`state-${name}-${language}`, { sizes: ['phone'] });
          await readStateEmails(mails, `state-${name}-${language}`);
        }
        seen = (await readMails(dataDir)).length;
        await shop.speak('en');
        await reader.speak('en');
      },
    ]),
    [
      'the pages of the storefront on which nobody buys',
      () => lookAround({ reader, start: storefront, origin: new URL(storefront).origin }),
    ],
    ...['en', 'de'].map((language) => [
      `a buyer on a phone, from the search to the delivery, in ${language === 'en' ? 'English' : 'German without scripts'}`,
      async () => {
        await reader.command('Network.clearBrowserCookies');
        await reader.withoutScripts(language === 'de');
        const name = language === 'en' ? 'storefront' : null;
        const deliver = (nickname) => shop.report(nickname, 'delivered');
        const hasScripts = language === 'en';
        await buyOnPhone({
          reader,
          start: storefront,
          language,
          nickname: `phone_${language}`,
          name,
          deliver,
          hasScripts,
        });
        await reader.withoutScripts(false);
        await reader.speak('en');
      },
    ]),
    [
      'a shop with an Arabic name, its email and its test payment',
      async () => {
        await shop.change({ displayName: 'متجر الألعاب' });
        const { id } = await shop.buyRank('Arabic_42');
        const link = await mailed('arabic_42@example.com', ORDER_LINK);
        assert.ok(link.includes(id));
        await readEmails(1);
        await reader.go(link);
        await reader.shows('h1', /^Your order waits for the payment$/);
        await reader.inspect('order-arabic');
        await reader.click('button[name=provider]');
        await reader.shows('h1', /^Test payment$/);
        await reader.inspect('test-payment-arabic', { rules: IN_A_MAIL_PROGRAM });
        await shop.change({ displayName: 'Sky Realm' });
      },
    ],
    [
      'the summary to the owner about orders with nothing to pay',
      async () => {
        await shop.giveAway();
        await mailed(shop.owner.email, /Since the last emails about them/);
        const mails = await readMails(dataDir);
        await readStateEmails(mails.slice(-1), 'owner-summary');
        seen = mails.length;
      },
    ],
    [
      'a browser without cookies, in English and German',
      async () => {
        await reader.command('Network.clearBrowserCookies');
        for (const [language, title] of [
          ['de', /^Diese Seite braucht Cookies$/],
          ['en', /^This page needs cookies$/],
        ]) {
          await reader.speak(language);
          await reader.go(address.replace(/\/[^/]+$/, ''));
          await reader.shows('h1', title);
          await reader.inspect(`no-cookies-${language}`);
        }
      },
    ],
    [
      'a link that is not valid',
      async () => {
        await reader.go(`${address}x`);
        await reader.shows('h1', new RegExp(`^${NOT_VALID}$`));
        await reader.inspect('not-found');
      },
    ],
    [
      'an invitation: a new person makes an account and joins',
      async () => {
        const invited = { email: 'sam@example.com', role: 'support' };
        await shop.send('POST', `/shops/${shop.shopId}/team/invitations`, invited, shop.asOwner);
        const link = await mailed(invited.email, /http:\S+\/pages\/invitations\/[\w/-]+/);
        await readEmails(1);
        await reader.go(link);
        await reader.shows('h1', /^Join the team of Sky Realm$/);
        await reader.inspect('invitation');
        await reader.speak('de');
        await reader.go(link);
        await reader.shows('h1', /^Dem Team von Sky Realm beitreten$/);
        await reader.inspect('invitation-de');
        await reader.speak('en');
        await reader.type('#name', 'Sam');
        await reader.type('#newPassword', 'correct horse battery');
        await reader.click('form[action$=register] button');
        await reader.shows('h1', /^(Du bist jetzt im Team von|You are now in the team of) Sky Realm$/);
        await reader.inspect('invitation-accepted');
      },
    ],
    [
      'a new password',
      async () => {
        const { email } = shop.owner;
        await shop.send('POST', '/auth/password/forgot', { email });
        const link = await mailed(email, /http:\S+\/pages\/password-resets\/[\w/-]+/);
        await readEmails(1);
        await reader.go(link);
        await reader.shows('h1', /^Set a new password$/);
        await reader.inspect('password');
        await reader.type('#newPassword', 'a better horse battery');
        await reader.click('main button');
        await reader.shows('h1', /^Your password is set$/);
        await reader.inspect('password-changed');
        await shop.send('POST', '/auth/login', { email, password: 'a better horse battery' });
      },
    ],
    [
      'the first password of a person whose account the operator has created',
      async () => {
        const env = { PATH: process.env.PATH, DATA_DIR: dataDir, DEMO: 'false' };
        const command = [join(import.meta.dirname, '../../dist/app/cli.js'), 'create-owner', 'new@example.com'];
        const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: dataDir, env });
        const { pathname } = new URL(stdout.trimEnd().split('\n').at(-1));
        await reader.go(new URL(address).origin + pathname);
        await reader.shows('h1', /^Welcome$/);
        await reader.inspect('welcome');
        await reader.type('#newPassword', 'a first horse battery');
        await reader.click('main button');
        await reader.shows('h1', /^Your password is set$/);
        await mailed('new@example.com', /You have set the password/);
        await readEmails(1);
      },
    ],
  ];
}

async function main(chromium) {
  mkdirSync(SCREENSHOTS, { recursive: true });
  const target = await startTarget({ env: { RATE_LIMIT_FACTOR: '100', QUOTAS: 'openOrdersPerAddress=1000' } });
  const browser = await startBrowser(chromium);
  try {
    const shop = await makeShop(target);
    const reader = readerOf(await browser.openPage());
    const order = await shop.buy();
    const storefront = new URL('/shops/sky-realm/', target.url).href;
    for (const [name, step] of steps({ reader, shop, dataDir: target.dataDir, order, storefront })) {
      const isPassword = name === 'a new password';
      await step();
      assert.deepEqual(
        reader.complaints().filter((line) => !ONLY_A_STATUS.test(line) && !(isPassword && NO_ADDRESS.test(line))),
        [],
        name,
      );
      console.log(`ok  ${name}`);
    }
    console.log(`The screenshots are in ${SCREENSHOTS}`);
  } finally {
    await browser.close();
    await target.dispose();
  }
}

const chromium = findChromium();
if (chromium === null)
  console.log('Left out: the pages in a browser, because there is no Chromium and no right to install one.');
else await main(chromium);

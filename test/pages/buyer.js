// The way of a buyer through the storefront, from the search to the delivery, on a phone.
import assert from 'node:assert/strict';

const WORDS = {
  en: {
    name: /^A player cannot have this name|^Enter the name/,
    problems: /email.*pay/is,
    unpaid: /^(Paid|Your order waits)/,
    delivered: /^All yours, /,
  },
  de: {
    name: /^So kann ein Spieler hier nicht heißen|^Gib den Namen/,
    problems: /E-Mail.*Zahlung/is,
    unpaid: /^(Bezahlt|Deine Bestellung wartet)/,
    delivered: /^Alles deins, /,
  },
};

/**
 * Buys the product that the search finds. A browser without scripts does the same: each step is a form or a link of the page.
 * @param name of the pictures; null: the pages were looked at already
 * @param deliver makes the plugin of the game server report the delivery to a player
 * @param hasScripts whether the browser runs the module: then addresses can be copied, the basket counts and the order shows its delivery
 *   without a new page
 */
export async function buyOnPhone({ reader, start, language, nickname, name, deliver, hasScripts }) {
  const words = WORDS[language];
  const look = (page) => (name === null ? null : reader.inspect(`${name}-${page}`, { modes: ['light', 'dark'] }));
  await reader.speak(language);
  await reader.go(start);
  await reader.shows('h1', /./);
  await look('start');
  if (hasScripts) await copyAddress(reader);
  await reader.go(`${start}search?q=vip`);
  await reader.shows('.card h3', /VIP rank/);
  await look('search');
  await reader.click('.card h3 a');
  await reader.shows('.buy-form', /./);
  await look('product');
  await reader.click('.buy-form .btn');
  await reader.shows('main form', /./);
  if (await reader.run(() => location.pathname.endsWith('/name'))) {
    await look('name');
    await reader.type('#nickname', 'no spaces');
    await reader.submit('main form');
    await reader.shows('#problem', words.name);
    await look('name-problem');
    await reader.type('#nickname', nickname);
    await reader.submit('main form');
  }
  await reader.shows('.checkout', /./);
  await look('basket');
  if (hasScripts) await countAtOnce(reader);
  await reader.run(() => {
    for (const box of document.querySelectorAll('[name=provider]')) box.checked = false;
  });
  await reader.click('.paybar .btn');
  await reader.shows('[role=alert]', words.problems);
  assert.equal(await reader.run(() => document.querySelectorAll('[role=alert] a').length), 2);
  await look('basket-problems');
  await reader.type('#email', `${nickname}@example.com`);
  await reader.click('[name=provider]');
  await reader.click('.paybar .btn');
  await reader.shows('h1', /^(Test payment|Testzahlung)$/);
  await reader.click('form[action$=succeed] button');
  await reader.shows('#payment', /^(paid|bezahlt)$/);
  await reader.click('a[href*="/orders/"]');
  await reader.shows('.state h1', words.unpaid);
  await look('order');
  const order = await reader.run(() => location.href);
  await markPage(reader);
  await deliver(nickname);
  if (!hasScripts) await reader.go(order);
  await reader.shows('.state h1', words.delivered);
  assert.equal(await isMarked(reader), hasScripts);
  await look('order-delivered');
}

/** What a new page does not have. */
const markPage = (reader) => reader.run(() => void (globalThis.isSamePage = true));
const isMarked = (reader) => reader.run(() => globalThis.isSamePage === true);

async function copyAddress(reader) {
  await reader.command('Browser.grantPermissions', { permissions: ['clipboardReadWrite', 'clipboardSanitizedWrite'] });
  // The clipboard is only for a page that has the focus.
  await reader.command('Emulation.setFocusEmulationEnabled', { enabled: true });
  await reader.run(() => document.querySelector('.copy:not([hidden])').click());
  await reader.shows('.ip', /^play\.sky-realm\.example$/);
  await reader.shows('[role=status]', /^Copied$/);
  assert.equal(await reader.run(() => navigator.clipboard.readText()), 'play.sky-realm.example');
}

/** Clicks and a typed quantity change the total of the same page, and leave alone what else is entered. */
async function countAtOnce(reader) {
  await markPage(reader);
  await reader.shows('.totals .sum dd', /^€9\.99$/);
  await reader.run(() => {
    const [, more] = document.querySelectorAll('.qty button');
    more.click();
    more.click();
  });
  await reader.shows('.totals .sum dd', /^€29\.97$/);
  await reader.type('[name^=quantity-]', '2');
  await reader.run(() =>
    document.querySelector('[name^=quantity-]').dispatchEvent(new Event('input', { bubbles: true })),
  );
  await reader.shows('.totals .sum dd', /^€19\.98$/);
  await reader.shows('.cart .count', /^2$/);
  await reader.type('#email', 'kept@example.com');
  await reader.click('.qty button');
  await reader.shows('.totals .sum dd', /^€9\.99$/);
  assert.equal(await reader.run(() => document.querySelector('#email').value), 'kept@example.com');
  await reader.type('#email', '');
  assert.equal(await isMarked(reader), true);
}

/** The pages on which nobody buys. */
export async function lookAround({ reader, start, origin }) {
  const pages = {
    root: `${origin}/`,
    category: `${start}c/ranks`,
    'basket-empty': `${start}basket`,
    'find-order': `${start}find-order`,
    'legal-terms': `${start}legal/terms`,
    'page-not-found': `${start}nothing-here`,
    'unknown-shop': `${origin}/shops/nobody-is-here/`,
  };
  for (const [name, url] of Object.entries(pages)) {
    await reader.go(url);
    await reader.shows('h1', /./);
    await reader.inspect(`storefront-${name}`, { modes: ['light', 'dark'] });
  }
}

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
 */
export async function buyOnPhone({ reader, start, language, nickname, name, deliver }) {
  const words = WORDS[language];
  const look = (page) => (name === null ? null : reader.inspect(`${name}-${page}`, { modes: ['light', 'dark'] }));
  await reader.speak(language);
  await reader.go(start);
  await reader.shows('h1', /./);
  await look('start');
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
  await reader.click('a[href*="/pages/orders/"]');
  await reader.shows('.state h1', words.unpaid);
  await look('order');
  const order = await reader.run(() => location.href);
  await deliver(nickname);
  await reader.go(order);
  await reader.shows('.state h1', words.delivered);
  await look('order-delivered');
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

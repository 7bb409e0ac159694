// One person who pretends to be many people, and strangers who try to log in as another person.
import { startTarget } from './target.js';

const json = { 'content-type': 'application/json' };

/** A code for one use per buyer, and one buyer with 40 spellings of one address and one nickname. */
async function buyers() {
  const { url, demo, dispose } = await startTarget({ env: { DEMO: 'true', RATE_LIMIT_FACTOR: '1000' } });
  try {
    const { shopId, productId, serverId, keys } = demo;
    const send = (path, body, headers = {}) =>
      fetch(url + path, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) });
    const code = 'ONCE';
    const terms = { code, type: 'percent', value: 10, maxUsesPerBuyer: 1 };
    await send(`/discounts/${shopId}`, terms, { 'x-api-key': keys.secret });
    const spellings = Array.from({ length: 10 }, (_, number) => [
      { email: `mallory+${number}@gmail.com`, nickname: `Alt_${number}` },
      {
        email: `${'mallory'.slice(0, number % 7)}.${'mallory'.slice(number % 7)}@gmail.com`.replace(/^\./, ''),
        nickname: `Third_${number}`,
      },
      { email: `m.allory+${number}@googlemail.com`, nickname: `Other_${number}` },
      { email: `any-${number}@example.com`, nickname: number % 2 === 0 ? 'mallory' : 'MALLORY' },
    ]).flat();
    let passed = 0;
    for (const buyer of [{ email: 'mallory@gmail.com', nickname: 'Mallory' }, ...spellings]) {
      const order = { items: [{ productId, quantity: 1 }], serverId, ...buyer, discountCode: code };
      if ((await send(`/checkout/${shopId}/orders`, order)).status === 200) passed++;
    }
    return {
      ok: passed === 1,
      figure: `${passed} of ${spellings.length + 1} spellings of one buyer got a code for one use`,
    };
  } finally {
    await dispose();
  }
}

/** A stranger's wrong passwords, and 300 guesses from as many networks, while the owner logs in from home and from elsewhere. */
async function lockout() {
  const { url, dispose } = await startTarget({ env: { TRUST_PROXY: '1' } });
  try {
    const owner = { email: 'owner@example.com', password: 'correct horse battery' };
    const send = async (path, body, address) => {
      const headers = { ...json, 'x-forwarded-for': address };
      return (await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })).status;
    };
    const login = (address, password = owner.password) => send('/auth/login', { ...owner, password }, address);
    const home = '203.0.113.7';
    await send('/auth/register', { ...owner, name: 'Olivia' }, home);
    for (let number = 0; number < 10; number++) await login('198.51.100.1', `wrong ${number}`);
    const afterOne = [await login(home), await login('192.0.2.7')];
    let evaluated = 0;
    for (let number = 0; number < 300; number++) {
      if ((await login(`198.51.${100 + Math.floor(number / 250)}.${2 + (number % 250)}`, `wrong ${number}`)) === 401)
        evaluated++;
    }
    const afterMany = await login(home);
    return {
      ok: afterOne.every((status) => status === 200) && afterMany === 200 && evaluated <= 50,
      figure: `after a stranger's guesses the owner got ${afterOne.join(' and ')}; ${evaluated} of 300 guesses from 300 networks were evaluated, and the owner got ${afterMany}`,
    };
  } finally {
    await dispose();
  }
}

export const peopleAttacks = [
  { name: 'One buyer cannot pass as many', run: buyers },
  { name: 'A stranger cannot lock an owner out, and cannot guess for ever', run: lockout },
];

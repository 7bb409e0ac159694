// One person who pretends to be many, and strangers who pretend to be somebody.
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
      if ((await send(`/orders/public/${shopId}`, order)).status === 200) passed++;
    }
    return {
      ok: passed === 1,
      figure: `${passed} of ${spellings.length + 1} spellings of one buyer got a code for one use`,
    };
  } finally {
    await dispose();
  }
}

export const peopleAttacks = [{ name: 'One buyer cannot pass as many', run: buyers }];

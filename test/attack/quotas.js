// One person, address or shop that takes more than its share.
import { setTimeout as pause } from 'node:timers/promises';
import { startTarget } from './target.js';

const json = { 'content-type': 'application/json' };
const WINDOW_MS = 60_000;
/** A flood takes less than this. A limit counts within one minute, so the flood begins early in it. */
const FLOOD_MS = 20_000;

/** Starts a service with a demo shop, runs an attack against it, and ends it. No time limit counts here. */
async function against(env, attack) {
  const target = await startTarget({ env: { DEMO: 'true', TIME_LIMIT_FACTOR: '30', ...env } });
  const send = (path, body, headers) =>
    fetch(target.url + path, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) });
  try {
    return await attack({ ...target, send, owner: { authorization: `Bearer ${target.demo.owner.accessToken}` } });
  } finally {
    await target.dispose();
  }
}

/** Sends requests at once. Returns how many got each status. */
async function statusesOf(count, send) {
  const responses = await Promise.all(Array.from({ length: count }, (_, turn) => send(turn)));
  const counts = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const shown = (counts) =>
  Object.entries(counts)
    .map(([status, count]) => `${count} times ${status}`)
    .join(', ');

/** A code with 100 uses, and one address that makes 40 unpaid orders with it, each as another buyer. */
const holdCode = () =>
  against({ RATE_LIMIT_FACTOR: '1000' }, async ({ demo, send, owner }) => {
    const { shopId, productId, serverId } = demo;
    await send(`/discounts/${shopId}`, { code: 'HUNDRED', type: 'percent', value: 10, maxUses: 100 }, owner);
    const counts = await statusesOf(40, (turn) =>
      send(`/checkout/${shopId}/orders`, {
        items: [{ productId, quantity: 1 }],
        serverId,
        nickname: `Hoarder_${turn}`,
        email: `hoarder${turn}@example.com`,
        discountCode: 'HUNDRED',
      }),
    );
    const ok = counts[200] === 10 && counts[409] === 30;
    return { ok, figure: `40 checkouts of one address for a code with 100 uses: ${shown(counts)}` };
  });

/** 30 keys of one shop, each of which stays far below its own limit. All limits are a fifth. */
const manyKeys = () =>
  against({ RATE_LIMIT_FACTOR: '0.2' }, async ({ url, demo, send, owner }) => {
    const body = { shopId: demo.shopId, name: 'flood', type: 'secret', permissions: ['products:read'] };
    const keys = [];
    for (let number = 0; number < 30; number++) {
      keys.push((await (await send('/api-keys', body, owner)).json()).data.key);
    }
    while (Date.now() % WINDOW_MS > WINDOW_MS - FLOOD_MS) await pause(100);
    const counts = await statusesOf(300, (turn) =>
      fetch(`${url}/products/${demo.shopId}`, { headers: { 'x-api-key': keys[turn % keys.length] } }),
    );
    const ok = counts[200] === 240 && counts[429] === 60;
    return { ok, figure: `300 requests with 30 keys of one shop, with a limit of 240: ${shown(counts)}` };
  });

/** One new person who makes shops, and one shop that gets products, all at once. */
const pileUp = () =>
  against(
    { RATE_LIMIT_FACTOR: '1000', QUOTAS: 'shopsPerPerson=5,productsPerShop=8' },
    async ({ demo, send, owner }) => {
      const person = { email: 'piler@example.com', password: 'correct horse battery', name: 'Piler' };
      const { data } = await (await send('/auth/register', person)).json();
      const headers = { authorization: `Bearer ${data.accessToken}` };
      const settings = { displayName: 'Pile', currency: 'EUR', timezone: 'UTC', nicknameRule: { preset: 'any' } };
      const shops = await statusesOf(60, (turn) =>
        send('/shops', { uniqueName: `pile-of-${turn}`, ...settings }, headers),
      );
      const products = await statusesOf(60, () => send(`/products/${demo.shopId}`, { name: 'A', price: 1 }, owner));
      const ok = shops[200] === 5 && shops[409] === 55 && (products[200] ?? 0) <= 8 && products[409] >= 52;
      return { ok, figure: `60 shops of one person: ${shown(shops)}; 60 products of one shop: ${shown(products)}` };
    },
  );

export const quotaAttacks = [
  { name: 'One address cannot hold a discount code', run: holdCode },
  { name: 'Many keys of one shop share one limit', run: manyKeys },
  { name: 'One person cannot make shops and products without end', run: pileUp },
];

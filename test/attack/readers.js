// Others whom an attack must not disturb: shops of other people, whose keys read their products.
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { sendJson } from '../support/send-json.js';

const agent = new Agent({ keepAlive: true });

export const send = (url, options = {}) => sendJson(url, { ...options, agent });

/** Returns `data` of the response. */
export async function call(url, options) {
  const { status, text } = await send(url, options);
  if (status !== 200) throw new Error(`${url} returned ${status}: ${text}`);
  return JSON.parse(text).data;
}

/** A small shop of another person. @param name is unique */
export async function openShop(url, name) {
  const person = { email: `${name}@example.com`, password: 'correct horse battery', name: 'Reader' };
  const { accessToken } = await call(`${url}/auth/register`, { method: 'POST', body: person });
  const headers = { authorization: `Bearer ${accessToken}` };
  const create = (path, body) => call(url + path, { method: 'POST', headers, body });
  const settings = { displayName: 'Reader', currency: 'EUR', timezone: 'UTC', nicknameRule: { preset: 'any' } };
  const { _id: shopId } = await create('/shops', { uniqueName: name, ...settings });
  const { id: productId } = await create(`/products/${shopId}`, { name: 'VIP', price: 1 });
  return { shopId, productId, create };
}

/** A key of a shop that reads its products: where, and with which headers. */
export async function readingKey(url, { shopId, create }) {
  const body = { shopId, name: 'Reads', type: 'secret', permissions: ['products:read'] };
  const { key: secret } = await create('/api-keys', body);
  return { url: `${url}/products/${shopId}`, headers: { 'x-api-key': secret } };
}

/** Calls `work` this many times a second, whether or not the calls before have ended. Returns what they returned. */
export async function steadily(perSecond, forMs, work) {
  const began = performance.now();
  const calls = [];
  for (let at = began; at < began + forMs; at += 1_000 / perSecond) {
    await pause(Math.max(0, at - performance.now()));
    calls.push(work(calls.length, at));
  }
  return Promise.all(calls);
}

export const p99 = (times) => times.toSorted((one, other) => one - other)[Math.ceil(times.length * 0.99) - 1];

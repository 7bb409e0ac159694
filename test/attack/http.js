// Requests that must be rejected, or that must get a certain header.
import { createHmac } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { requestText, sendBytes, startTarget } from './target.js';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const ID = '0'.repeat(24);
const ENVELOPE = ['error', 'path', 'statusCode', 'success', 'timestamp'];

let demo;
/** A service with a demo shop, which these attacks share, and whose rate limits they do not reach. */
const demoTarget = () => (demo ??= startTarget({ env: { DEMO: 'true', RATE_LIMIT_FACTOR: '1000' } }));

/** Runs cases, each of which returns null or an error. Returns how many failed, and the first failures. */
async function all(cases, check) {
  const wrong = [];
  for (const one of cases) {
    const problem = await check(one);
    if (problem !== null) wrong.push(problem);
  }
  const first = wrong.length === 0 ? '' : `, such as ${wrong[0]}`;
  return { ok: wrong.length === 0, figure: `${wrong.length} of ${cases.length} were wrong${first}` };
}

const isEnvelope = (text) => {
  try {
    return Object.keys(JSON.parse(text)).sort().join() === ENVELOPE.join();
  } catch {
    return false;
  }
};

async function heads() {
  const { port } = await demoTarget();
  const live = 'GET /api/v2/health/live HTTP/1.1';
  const cases = [
    [[live], 400],
    [[live, 'Host: a', 'Host: a'], 400],
    [[live, 'Host: a', 'Host: b'], 400],
    [[live, 'Host: a', 'Expect: tea'], 417],
    [[live, 'Host: a', `X: ${'x'.repeat(20_000)}`], 431],
    [['nonsense'], 400],
    [[live, 'Host: a', 'Transfer-Encoding: chunked', 'Content-Length: 3'], 400],
  ];
  return all(cases, async ([lines, expected]) => {
    const { status, body } = await sendBytes(port, [...lines, 'Connection: close', '', ''].join('\r\n'));
    return status === expected && isEnvelope(body) ? null : `${status} for ${lines.slice(1).join(', ').slice(0, 40)}`;
  });
}

async function bodies() {
  const { port } = await demoTarget();
  const lines = ['POST /api/v2/auth/login HTTP/1.1', 'Host: a', 'Connection: close', 'Content-Type: application/json'];
  const request = (header, body) =>
    Buffer.concat([Buffer.from([...lines, header, '', ''].join('\r\n')), Buffer.from(body, 'latin1')]);
  const cases = [
    ['a declared length of 1 GB', request('Content-Length: 1000000000', '{'), 413],
    ['40 KB without an end', request('Transfer-Encoding: chunked', `9c40\r\n${'x'.repeat(40_000)}\r\n`), 413],
    ['invalid UTF-8', request('Content-Length: 14', '{"email":"\xc3\x28"}'), 400],
  ];
  let longest = 0;
  const { ok, figure } = await all(cases, async ([name, bytes, expected]) => {
    const began = performance.now();
    const { status } = await sendBytes(port, bytes);
    longest = Math.max(longest, performance.now() - began);
    return status === expected ? null : `${status} for ${name}`;
  });
  return { ok, figure: `${figure}, the slowest response took ${longest.toFixed(0)} ms` };
}

/** The operations of the OpenAPI document: path -> methods. Paths that differ only in the names of parameters are one. */
async function operations(url) {
  const { paths } = await (await fetch(`${url}/openapi.json`)).json();
  const byPath = new Map();
  for (const [path, methods] of Object.entries(paths)) {
    const shape = path.replace(/\{\w+\}/g, '{}');
    const known = byPath.get(shape) ?? { path, methods: {} };
    Object.assign(known.methods, methods);
    byPath.set(shape, known);
  }
  return [...byPath.values()];
}

async function allow() {
  const { url, port } = await demoTarget();
  const cases = (await operations(url)).flatMap(({ path, methods }) => {
    const own = Object.keys(methods).map((method) => method.toUpperCase());
    const allowed = [...own, ...(own.includes('GET') ? ['HEAD'] : [])].sort().join(', ');
    return [...METHODS.filter((method) => !own.includes(method)), 'TRACE'].map((method) => ({ method, path, allowed }));
  });
  return all(cases, async ({ method, path, allowed }) => {
    const target = path.replace(/\{\w+\}/g, ID);
    const { status, head } = await sendBytes(port, requestText(method, target, ['Connection: close']));
    const listed = /^allow: (.*)$/im.exec(head)?.[1];
    return status === 405 && listed === allowed ? null : `${method} ${path}: ${status}, Allow: ${listed}`;
  });
}

async function noStore() {
  const { url, demo: shop } = await demoTarget();
  const { paths } = await (await fetch(`${url}/openapi.json`)).json();
  const ids = {
    shopId: shop.shopId,
    serverId: shop.serverId,
    productId: shop.productId,
    orderId: shop.orderId,
    keyId: shop.keyId,
  };
  const needsCredential = ({ security }) => security.length > 0 && security.every((one) => Object.keys(one).length > 0);
  const cases = Object.entries(paths).filter(([, { get }]) => get !== undefined && needsCredential(get));
  return all(cases, async ([path]) => {
    const target = path.replace('/api/v2', '').replace(/\{(\w+)\}/g, (_, name) => ids[name] ?? ID);
    const { status, headers } = await fetch(url + target, {
      headers: { authorization: `Bearer ${shop.owner.accessToken}` },
    });
    return headers.get('cache-control') === 'no-store'
      ? null
      : `GET ${path} (${status}): ${headers.get('cache-control')}`;
  });
}

async function inputs() {
  const { url, demo: shop } = await demoTarget();
  const key = { 'x-api-key': shop.keys.secret };
  const json = { ...key, 'content-type': 'application/json' };
  const get = (path) => fetch(url + path, { headers: key });
  const post = (path, body) => fetch(url + path, { method: 'POST', headers: json, body: JSON.stringify(body) });
  const product = (imageUrl) => post(`/products/${shop.shopId}`, { name: 'A', price: 1, imageUrls: [imageUrl] });
  const discount = (startsAt) =>
    post(`/discounts/${shop.shopId}`, { code: 'ATTACK', type: 'fixed', value: 1, startsAt });
  const webhook = (id) => {
    const body = JSON.stringify({ type: 'attack' });
    const timestamp = String(Math.floor(Date.now() / 1000));
    const secret = Buffer.from(shop.webhook.signingSecret.replace('whsec_', ''), 'base64');
    const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
    return fetch(shop.webhook.url, {
      method: 'POST',
      headers: { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` },
      body,
    });
  };
  const cases = [
    ...['0x1', '1e1', '%201', '1.0', '-1', '101'].map((limit) => [
      `limit=${limit}`,
      () => get(`/products/${shop.shopId}?limit=${limit}`),
      400,
    ]),
    ...['+99:99', '+24:00', '-00:60'].map((offset) => [
      `the offset ${offset}`,
      () => discount(`2026-11-21T12:00:00${offset}`),
      400,
    ]),
    ...[
      'http://a.example/',
      'javascript:alert(1)',
      'https://',
      'https://a b/',
      'https://u:p@a.example/',
      'https://a.example:99999/',
    ].map((address) => [`imageUrls ${address}`, () => product(address), 400]),
    ['a webhook-id with a dot', () => webhook('msg.1'), 400],
    ['a webhook-id without a dot', () => webhook('msg_1'), 200],
  ];
  return all(cases, async ([name, send, expected]) => {
    const { status } = await send();
    return status === expected ? null : `${status} for ${name}`;
  });
}

async function forwarded() {
  const target = await startTarget({ env: { TRUST_PROXY: '1', RATE_LIMIT_FACTOR: '0.1' } });
  const plain = await startTarget();
  try {
    let passed = 0;
    const ask = ({ url }, port) => fetch(`${url}/nothing`, { headers: { 'x-forwarded-for': `1.2.3.4:${port}` } });
    for (let port = 1; port <= 30; port++) if ((await ask(target, port)).status !== 429) passed++;
    await ask(plain, 1);
    await ask(plain, 2);
    const warnings = plain.output().split('X-Forwarded-For').length - 1;
    return {
      ok: passed === 12 && warnings === 1,
      figure: `${passed} of 30 requests of one address with 30 ports passed a limit of 12; ${warnings} warning without TRUST_PROXY`,
    };
  } finally {
    await Promise.all([target.dispose(), plain.dispose()]);
  }
}

async function files() {
  const { dataDir } = await demoTarget();
  const entries = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() || entry.isDirectory(),
  );
  return all(entries, (entry) => {
    const mode = statSync(join(entry.parentPath, entry.name)).mode & 0o777;
    return mode === (entry.isFile() ? 0o600 : 0o700) ? null : `${entry.name} with ${mode.toString(8)}`;
  });
}

export const httpAttacks = [
  { name: 'Heads that are no HTTP get the error envelope', run: heads },
  { name: 'Bodies are rejected as soon as they are wrong', run: bodies },
  { name: 'Allow lists the methods of the route itself', run: allow },
  { name: 'Nothing that is read with a credential is stored on its way', run: noStore },
  { name: 'Values that only look right are rejected', run: inputs },
  { name: 'A port in X-Forwarded-For makes no other client', run: forwarded },
  { name: 'Only the owner of the process reads its files', run: files },
];

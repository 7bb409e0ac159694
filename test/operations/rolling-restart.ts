import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { aProduct, aServer, aShop } from '../support/actors.js';
import { Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { printFigures } from '../support/figures.js';
import { sendOverTls } from '../support/https.js';
import { type ProxyServer } from '../support/proxy-server.js';
import { idOf, leftOf, recordsOf } from '../support/records.js';
import { freePort } from '../support/free-port.js';
import { ServiceProcess } from '../support/service-process.js';
import { SECRETS } from '../support/test-app.js';
import { testDatabaseUri } from '../support/test-database.js';

/** How many buyers place orders all the time, and how many orders they place before, between and after the two restarts. */
const BUYERS = 8;
const ORDERS = 30;
/** How long a buyer thinks after each order. Without it, eight buyers take all of the two cores. */
const THINKS_MS = 250;
const STOCK = 100_000;
/** The template of a route that buyers read, as it is in the log of a process. */
const PRODUCTS_ROUTE = '/products/public/:shopId';
/** The delay is that of production. The limits are for many clients, and here all have one address. */
const ENVIRONMENT = {
  ...SECRETS,
  ...{ DEMO: 'false', LOG_LEVEL: 'info', TRUST_PROXY: '1', SHUTDOWN_DELAY_SECONDS: '5' },
  RATE_LIMIT_FACTOR: '100000',
  QUOTAS: 'openOrdersPerAddress=1000000,openOrdersPerNickname=1000000',
};

/**
 * Restarts two processes one after the other, while buyers read products and check out through a proxy. A buyer whose checkout gets a
 * 502 sends it again with its Idempotency-Key, as the clients of the API do. Every checkout must have placed exactly one order.
 * @param around what the operator does around the restart of a process
 * @returns how often each result came, such as `GET 200`
 */
export async function restartUnderLoad<Front extends ProxyServer>(
  startProxy: (ports: readonly [number, number]) => Promise<Front>,
  around: (proxy: Front, port: number, restart: () => Promise<void>) => Promise<void>,
): Promise<Readonly<Record<string, number>>> {
  const folder = await mkdtemp(join(tmpdir(), 'shop-platform-rolling-'));
  const databaseUri = testDatabaseUri();
  const start = (port: number): ServiceProcess =>
    ServiceProcess.start(folder, { ...ENVIRONMENT, MONGODB_URI: databaseUri, PORT: String(port) });
  const ports = [await freePort(), await freePort()] as const;
  const processes = new Map(ports.map((port) => [port, start(port)]));
  for (const process of processes.values()) await process.url();
  const api = new Client(`http://127.0.0.1:${ports[0]}`);
  const shop = await aShop(api);
  const [serverId, productId] = [await aServer(api, shop), await aProduct(api, shop, { stock: STOCK })];
  const proxy = await startProxy(ports);
  const target = { httpsPort: proxy.httpsPort, ca: await proxy.ca() };

  const results: Record<string, number> = {};
  const sold: string[] = [];
  let isOver = false;
  const send = async (method: string, path: string, headers = {}, body?: unknown): Promise<string | null> => {
    const response = await sendOverTls(target, `/api/v2${path}`, { method, headers, body }).catch(String);
    const result = `${method} ${typeof response === 'string' ? response : response.status}`;
    results[result] = (results[result] ?? 0) + 1;
    if (typeof response === 'string' || response.status === 502) return null;
    if (response.status >= 400) throw new Error(`${result}: ${response.text}`);
    return response.text;
  };
  const checkOut = async (): Promise<void> => {
    const headers = { 'idempotency-key': randomUUID() };
    const buyer = { nickname: 'Steve_42', email: `buyer-${randomUUID()}@example.com` };
    const order = { items: [{ productId, quantity: 1 }], serverId, ...buyer };
    const text = await eventually(() => send('POST', `/checkout/${shop.shopId}/orders`, headers, order));
    sold.push((JSON.parse(text) as { data: { id: string } }).data.id);
  };
  const buyers = Array.from({ length: BUYERS }, async () => {
    while (!isOver) {
      await send('GET', `/products/public/${shop.shopId}`);
      await checkOut();
      await pause(THINKS_MS);
    }
  });
  /** Waits for a condition, and fails at once when a buyer does. */
  const whileBuying = async (condition: () => boolean): Promise<void> => {
    await Promise.race([
      eventually(
        () => Promise.resolve(isOver || condition()),
        () => results,
      ),
      Promise.all(buyers),
    ]);
  };
  const moreSold = async (): Promise<void> => {
    const enough = sold.length + ORDERS;
    await whileBuying(() => sold.length >= enough);
  };
  try {
    for (const [port, process] of processes) {
      await moreSold();
      await around(proxy, port, async () => {
        const code = await process.stop();
        if (code !== 0) throw new Error(`A stop ended with ${code}. Its last lines:\n${process.output.slice(-4_000)}`);
        processes.set(port, start(port));
        await processes.get(port)?.url();
      });
      // The next one stops only when the proxy has seen that this one is back.
      await whileBuying(() => processes.get(port)?.output.includes(PRODUCTS_ROUTE) === true);
    }
    await moreSold();
  } finally {
    isOver = true;
    await Promise.allSettled(buyers);
    await proxy.close();
    await Promise.all([...processes.values()].map((process) => process.stop()));
  }
  await Promise.all(buyers);

  const records = await recordsOf({ databaseUri });
  const stored = await records.db
    .collection('orders')
    .find({ shopId: idOf(shop.shopId) })
    .toArray();
  printFigures({ orders: stored.length, ...results });
  expect(stored.map(({ _id }) => String(_id)).sort()).toEqual([...sold].sort());
  expect(await leftOf(records.db, productId)).toBe(STOCK - sold.length);
  await records.db.dropDatabase();
  await records.close();
  await rm(folder, { recursive: true, force: true });
  return results;
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { aDeliveringShop, aPaidOrder, type DeliveringShop } from '../deliveries/delivery-actors.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { testDatabaseUri } from '../support/test-database.js';

const CLIENT = join(import.meta.dirname, '..', '..', 'examples', 'plugin-client', 'plugin-client.mjs');
const ORDERS = 15;
const KILLS = 8;

interface JournalEntry {
  readonly event: 'start' | 'done' | 'reported';
  readonly deliveryId: string;
  readonly attempt: number;
  readonly possiblyExecuted?: boolean;
}

let folder: string;
let app: TestApp;
let shop: DeliveringShop;
const databaseUri = testDatabaseUri();
/** The tokens of the owner hold in the next process too. */
const env = { JWT_SECRET: 'a secret of this spec that is long enough for HS256' };
const config = { deliveryLeaseMs: 3_000 };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugin-client-'));
  app = await startTestApp({ databaseUri, config, env });
  shop = await aDeliveringShop(app.api, { commands: ['give {nickname} {orderId}'] });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const fileOf = (client: number, name: string): string => join(folder, `${client}-${name}`);

/** One round of a client. Two clients of one server have a journal each. */
function start(client: number): ChildProcess {
  return spawn(process.execPath, [CLIENT, '--once'], {
    stdio: 'ignore',
    env: {
      SHOP_URL: `${app.baseUrl}/api/v2`,
      SHOP_ID: shop.shopId,
      SERVER_ID: shop.serverId,
      PLUGIN_KEY: shop.pluginKey,
      CONSOLE_FILE: fileOf(client, 'console.log'),
      JOURNAL_FILE: fileOf(client, 'journal.jsonl'),
    },
  });
}

async function linesOf(client: number, name: string): Promise<string[]> {
  const text = await readFile(fileOf(client, name), 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line !== '');
}

async function journals(): Promise<JournalEntry[]> {
  const lines = [...(await linesOf(0, 'journal.jsonl')), ...(await linesOf(1, 'journal.jsonl'))];
  return lines.map((line) => JSON.parse(line) as JournalEntry);
}

it('loses no delivery and runs none twice without possiblyExecuted, while clients and service are killed', async () => {
  const orderIds: string[] = [];
  for (let count = 0; count < ORDERS; count++) orderIds.push((await aPaidOrder(app.api, shop)).id);
  for (let kills = 0; kills < KILLS; kills++) {
    const clients = [start(0), start(1)];
    const exits = clients.map((client) => once(client, 'exit'));
    await sleep(Math.random() * 400);
    for (const client of clients) client.kill('SIGKILL');
    await Promise.all(exits);
    if (kills % 4 === 3) {
      await app.kill();
      app = await startTestApp({ databaseUri, config, env });
    }
  }
  const ended = await eventually(async () => {
    await Promise.all([start(0), start(1)].map((client) => once(client, 'exit')));
    const path = `/deliveries/${shop.shopId}?limit=100`;
    const all = expectSuccess<{ id: string; orderId: string; state: string }[]>(
      await app.api.get(path, { token: shop.owner.token }),
    );
    return all.every(({ state }) => state === 'delivered' || state === 'failed') ? all : undefined;
  });
  expect(ended.map(({ orderId }) => orderId).sort()).toEqual(orderIds.sort());

  const entries = await journals();
  const commands = [...(await linesOf(0, 'console.log')), ...(await linesOf(1, 'console.log'))];
  for (const { id, orderId, state } of ended) {
    const starts = entries.filter(({ event, deliveryId }) => event === 'start' && deliveryId === id);
    expect(starts.filter(({ possiblyExecuted }) => possiblyExecuted === false).length).toBeLessThanOrEqual(1);
    const runs = commands.filter((command) => command.endsWith(orderId)).length;
    expect(runs).toBeLessThanOrEqual(starts.length);
    if (state === 'delivered') expect(runs).toBeGreaterThanOrEqual(1);
  }
});

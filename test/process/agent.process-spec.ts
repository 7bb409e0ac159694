import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { aDeliveringShop, aPaidOrder, type DeliveringShop } from '../deliveries/delivery-actors.js';
import { aKey } from '../support/actors.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { printFigures } from '../support/figures.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { testDatabaseUri } from '../support/test-database.js';

/** `npm run long -- kill-agent` has more. */
const ORDERS = Number(process.env['KILLED_ORDERS'] ?? 12);
const KILLS = Math.max(6, Math.ceil(ORDERS / 8));
const AGENT = join(import.meta.dirname, '..', '..', 'packages', 'agent', 'dist', 'agent.mjs');
const GAME = join(import.meta.dirname, 'fake-game.mjs');

let folder: string;
let app: TestApp;
let shop: DeliveringShop;
let key: string;
let gamePort: number;
let game: ChildProcess | null = null;
const databaseUri = testDatabaseUri();
const config = { deliveryLeaseMs: 3_000 };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-'));
  app = await startTestApp({ databaseUri, config });
  shop = await aDeliveringShop(app.api, { commands: ['give {nickname} {orderId}'] });
  ({ key } = await aKey(app.api, shop, 'plugin', ['deliveries:write', 'servers:report']));
  gamePort = await freePort();
});
afterAll(async () => {
  game?.kill('SIGKILL');
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

async function startGame(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [GAME, String(gamePort), folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}

async function startAgent(): Promise<ChildProcess> {
  const way = { type: 'rcon', host: '127.0.0.1', port: gamePort, password: 'sesame' };
  const server = { serverId: shop.serverId, game: 'minecraft', key, way, quietMs: 50, replyMs: 3_000 };
  const settings = { url: `${app.baseUrl}/api/v2`, shopId: shop.shopId, servers: [server] };
  await writeFile(join(folder, 'agent.json'), JSON.stringify(settings));
  return spawn(process.execPath, [AGENT, 'run', '--config', join(folder, 'agent.json')], { stdio: 'ignore' });
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

/** What waits comes at once, as if time had passed; with `leased`, leases are over, too. */
const letTimePass = (...states: string[]): Promise<unknown> =>
  inDatabase(app, (db) =>
    db
      .collection('deliveries')
      .updateMany({ shopId: idOf(shop.shopId), state: { $in: states } }, { $set: { dueAt: new Date(0) } }),
  );

/** Waits until the agent has sent a command; not for ever, because everything may have run. */
async function hasBegun(): Promise<void> {
  const text = (): Promise<string> => readFile(join(folder, 'agent-journal.jsonl'), 'utf8').catch(() => '');
  const until = Date.now() + 10_000;
  while (!(await text()).includes('"begun"') && Date.now() < until) await sleep(20);
}

const states = (): Promise<{ orderId: string; state: string }[]> =>
  inDatabase(app, async (db) => {
    const found = await db
      .collection('deliveries')
      .find({ shopId: idOf(shop.shopId) })
      .toArray();
    return found.map(({ orderId, state }) => ({ orderId: String(orderId), state: state as string }));
  });

it('gives every item once or says that it is uncertain, while the agent, the game server and the service are killed', async () => {
  const orders: string[] = [];
  for (let kills = 0; kills < KILLS; kills++) {
    // Each kill meets deliveries that run.
    while (orders.length < (ORDERS * (kills + 1)) / KILLS) orders.push((await aPaidOrder(app.api, shop)).id);
    game ??= await startGame();
    await letTimePass('queued', 'leased');
    const agent = await startAgent();
    await hasBegun();
    await sleep(Math.random() * 800);
    if (kills % 3 === 1) {
      await kill(game);
      game = null;
      await sleep(Math.random() * 300);
    }
    await kill(agent);
    if (kills % 6 === 5) {
      await app.kill();
      app = await startTestApp({ databaseUri, config });
    }
  }
  game ??= await startGame();
  await letTimePass('queued', 'leased');
  const agent = await startAgent();
  const ended = await eventually(async () => {
    await letTimePass('queued');
    const all = await states();
    return all.every(({ state }) => ['delivered', 'uncertain', 'failed'].includes(state)) && all;
  });
  await kill(agent);
  await kill(game);
  const inventory = JSON.parse(await readFile(join(folder, 'inventory.json'), 'utf8').catch(() => '[]')) as string[];
  const seen = ended.map(({ orderId, state }) => ({
    state,
    items: inventory.filter((item) => item === orderId).length,
  }));
  printFigures({
    orders: ORDERS,
    kills: KILLS,
    items: inventory.length,
    delivered: seen.filter(({ state }) => state === 'delivered').length,
    uncertain: seen.filter(({ state }) => state === 'uncertain').length,
    lost: seen.filter(({ state, items }) => state === 'delivered' && items === 0).length,
    doubled: seen.filter(({ items }) => items > 1).length,
  });
  expect(ended.map(({ orderId }) => orderId).sort()).toEqual([...orders].sort());
  for (const { state, items } of seen) {
    expect(items).toBeLessThanOrEqual(1);
    if (state === 'delivered') expect(items).toBe(1);
    expect(state).not.toBe('failed');
  }
  // One delivery runs at a time, so each kill leaves at most one in doubt.
  expect(seen.filter(({ state }) => state === 'uncertain').length).toBeLessThanOrEqual(KILLS);
});

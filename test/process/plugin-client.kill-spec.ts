import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { aDeliveringShop, aPaidOrder, type DeliveringShop } from '../deliveries/delivery-actors.js';
import { payment, sendCustom } from '../payments/senders.js';
import { type TestOrder } from '../support/actors.js';
import { eventually } from '../support/eventually.js';
import { printFigures } from '../support/figures.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { testDatabaseUri } from '../support/test-database.js';
import { startPluginClient } from './plugin-client.js';

/** `npm run long -- kill-deliveries` has more. */
const ORDERS = Number(process.env['KILLED_ORDERS'] ?? 15);
const KILLS = Math.max(8, Math.ceil(ORDERS / 10));
/** A round ends before its clients have written this many steps. Each delivery has three. */
const MAX_STEPS = 60;
/** The states in which a delivery waits for no plugin. Its attempts can all be lost to kills: then a person decides. */
const ENDS = ['delivered', 'failed', 'revoked', 'uncertain'];
/** The first word of the commands of each kind of delivery. */
const WORDS: Readonly<Record<string, string>> = { purchase: 'give', take_back: 'take' };

interface StoredDelivery {
  readonly id: string;
  readonly orderId: string;
  readonly kind: string;
  readonly state: string;
  readonly wasDelivered: boolean;
}

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
const config = { deliveryLeaseMs: 3_000 };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugin-client-'));
  app = await startTestApp({ databaseUri, config });
  shop = await aDeliveringShop(app.api, {
    commands: ['give {nickname} {orderId}'],
    takeBackCommands: ['take {nickname} {orderId}'],
  });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const fileOf = (client: number, name: string): string => join(folder, `${client}-${name}`);

/** One round of a client. Two clients of one server have a journal each. */
function start(client: number): ChildProcess {
  return startPluginClient(app, shop, {
    console: fileOf(client, 'console.log'),
    journal: fileOf(client, 'journal.jsonl'),
  });
}

async function linesOf(client: number, name: string): Promise<string[]> {
  const text = await readFile(fileOf(client, name), 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line !== '');
}

/** How many steps both clients have written into their journals so far. */
const countSteps = async (): Promise<number> =>
  (await linesOf(0, 'journal.jsonl')).length + (await linesOf(1, 'journal.jsonl')).length;

async function journals(): Promise<JournalEntry[]> {
  const lines = [...(await linesOf(0, 'journal.jsonl')), ...(await linesOf(1, 'journal.jsonl'))];
  return lines.map((line) => JSON.parse(line) as JournalEntry);
}

/**
 * Sends the refund of an order. Returns the order when the service did not respond: then the provider sends it again.
 */
async function refund(order: TestOrder): Promise<TestOrder[]> {
  const event = payment(order, { type: 'refund.succeeded' });
  try {
    const response = await sendCustom(app.api, shop.webhook, event, { eventId: `refund-${order.id}` });
    return response.status === 200 ? [] : [order];
  } catch {
    return [order];
  }
}

/** Lets two clients work, and the refunds of these orders arrive, until all of them are killed. Returns what was not sent. */
async function killedRound(refunded: readonly TestOrder[], killsService: boolean): Promise<TestOrder[]> {
  const killedAfter = (await countSteps()) + Math.floor(Math.random() * MAX_STEPS);
  const clients = [start(0), start(1)];
  const exits = clients.map((client) => once(client, 'exit'));
  let isOver = false;
  void Promise.all(exits).then(() => (isOver = true));
  const sent = Promise.all(refunded.map(refund));
  await eventually(async () => isOver || (await countSteps()) >= killedAfter);
  for (const client of clients) client.kill('SIGKILL');
  await Promise.all(exits);
  if (killsService) {
    await app.kill();
    app = await startTestApp({ databaseUri, config });
  }
  return (await sent).flat();
}

async function storedDeliveries(): Promise<StoredDelivery[]> {
  const found = await inDatabase(app, (db) =>
    db
      .collection('deliveries')
      .find({ shopId: idOf(shop.shopId) })
      .toArray(),
  );
  return found.map(({ _id, orderId, kind, state, deliveredAt }) => ({
    id: String(_id),
    orderId: String(orderId),
    kind: kind as string,
    state: state as string,
    wasDelivered: deliveredAt !== null,
  }));
}

const title =
  'loses no delivery and no take-back and runs none twice without possiblyExecuted, while clients and service are killed';
it(title, async () => {
  const orders: TestOrder[] = [];
  for (let count = 0; count < ORDERS; count++) orders.push(await aPaidOrder(app.api, shop));
  const refunded = orders.filter((_, index) => index % 2 === 0);
  let unsent = [...refunded];
  for (let kills = 0; kills < KILLS; kills++) {
    const some = unsent.splice(0, Math.ceil(refunded.length / KILLS));
    unsent = [...unsent, ...(await killedRound(some, kills % 4 === 3))];
  }
  // A provider sends an event until it gets a response, and sometimes once more.
  for (const order of refunded) await eventually(async () => (await refund(order)).length === 0);
  const ended = await eventually(async () => {
    await Promise.all([start(0), start(1)].map((client) => once(client, 'exit')));
    const all = await storedDeliveries();
    return all.every(({ state }) => ENDS.includes(state)) && all;
  });

  const purchases = ended.filter(({ kind }) => kind === 'purchase');
  const refundedIds = new Set(refunded.map(({ id }) => id));
  const takenBack = purchases.filter(({ orderId, wasDelivered }) => refundedIds.has(orderId) && wasDelivered);
  expect(purchases.map(({ orderId }) => orderId).sort()).toEqual(orders.map(({ id }) => id).sort());
  expect(ended.filter(({ kind }) => kind === 'take_back').map(({ orderId }) => orderId)).toHaveLength(takenBack.length);
  const takeBackOf = new Map(ended.filter(({ kind }) => kind === 'take_back').map((one) => [one.orderId, one]));
  for (const { orderId } of takenBack) expect(takeBackOf.get(orderId)?.state).toMatch(/^(delivered|failed|uncertain)$/);

  const entries = await journals();
  const commands = [...(await linesOf(0, 'console.log')), ...(await linesOf(1, 'console.log'))];
  const seen = ended.map(({ id, orderId, kind, state }) => {
    const starts = entries.filter(({ event, deliveryId }) => event === 'start' && deliveryId === id);
    return {
      state,
      starts: starts.length,
      firstStarts: starts.filter(({ possiblyExecuted }) => possiblyExecuted === false).length,
      runs: commands.filter((command) => command === `${WORDS[kind] ?? ''} Steve_42 ${orderId}`).length,
    };
  });
  printFigures({
    orders: ORDERS,
    'kills of clients': 2 * KILLS,
    'kills of the service': Math.floor(KILLS / 4),
    deliveries: ended.length,
    attempts: seen.reduce((sum, { starts }) => sum + starts, 0),
    'commands run': commands.length,
    lost: seen.filter(({ state, runs }) => state === 'delivered' && runs === 0).length,
    'repeated with possiblyExecuted': seen.filter(({ runs, firstStarts }) => runs > 1 && firstStarts <= 1).length,
    doubled: seen.filter(({ firstStarts }) => firstStarts > 1).length,
  });
  for (const { state, starts, firstStarts, runs } of seen) {
    expect(firstStarts).toBeLessThanOrEqual(1);
    expect(runs).toBeLessThanOrEqual(starts);
    if (state === 'delivered') expect(runs).toBeGreaterThanOrEqual(1);
  }
});

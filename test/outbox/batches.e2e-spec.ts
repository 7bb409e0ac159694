import { afterAll, afterEach, beforeAll, beforeEach, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type OutboxItem, type OutboxMessage } from '../../src/events/outbox/outbox.types.js';
import { type ApplyingHandler } from '../../src/events/outbox/outbox-handlers.js';
import { type Transaction } from '../../src/infrastructure/database/transactions.js';
import { MINUTE_MS } from '../../src/lib/time/durations.js';
import { eventually } from '../support/eventually.js';
import { aMessage, openOutboxStore, outboxProcess, type OutboxProcess, type OutboxStore } from '../support/outbox.js';
import { openTestStore, type TestStore } from '../support/store.js';

let store: TestStore;
let outbox: OutboxStore;
let running: OutboxProcess[];
/** The payloads that each call of the handler got, also in transactions that were undone. */
let calls: unknown[][];

beforeAll(async () => {
  store = await openTestStore(undefined, { watchCommands: true });
  outbox = await openOutboxStore(store);
});
beforeEach(async () => {
  Logger.overrideLogger(false);
  [running, calls] = [[], []];
  for (const name of ['outbox', 'existing']) await store.connection.collection(name).deleteMany({});
});
afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(running.map(({ sender }) => sender.onApplicationShutdown()));
});
afterAll(() => store.close());

const numbers = (count: number): number[] => [...Array(count).keys()];
/** A handler that writes each payload. @param before runs before the write of a message */
const start = (
  before: (item: OutboxItem, transaction: Transaction) => Promise<void> | void = () => undefined,
  changes: Partial<ApplyingHandler> = {},
): OutboxProcess => {
  const write: ApplyingHandler = {
    apply: async (items, transaction) => {
      calls.push(items.map(({ payload }) => payload));
      for (const item of items) {
        await before(item, transaction);
        await store.connection.collection('existing').insertOne({ payload: item.payload }, { session: transaction });
      }
    },
    retryAfter: () => 1,
    ...changes,
  };
  const started = outboxProcess(outbox, store, { write });
  running.push(started);
  return started;
};
const message = (payload: unknown, stream: string | null = null): OutboxMessage =>
  aMessage(payload, { topic: 'write', stream });
const add = ({ outbox: to }: OutboxProcess, messages: readonly OutboxMessage[]): Promise<string[]> =>
  store.commit((transaction) => to.add(messages, transaction));
/** The payloads in the order in which they were written. */
const written = async (): Promise<unknown[]> =>
  (await store.connection.collection('existing').find().sort({ _id: 1 }).toArray()).map(
    ({ payload }) => payload as unknown,
  );
it('applies what is due in a lane together, at most 20 messages in a transaction, and each once', async () => {
  const process = start();
  await add(
    process,
    numbers(45).map((number) => message(number)),
  );
  await process.sender.idle();
  expect(calls.map(({ length }) => length)).toEqual([20, 20, 5]);
  expect((await written()).toSorted((one, other) => Number(one) - Number(other))).toEqual(numbers(45));
  expect(await store.connection.collection('outbox').distinct('state')).toEqual(['sent']);
});

it('needs three commands for a message beside those of its handler, and no more for 20', async () => {
  const process = start();
  const commandsOf = async (messages: readonly OutboxMessage[]): Promise<(string | undefined)[]> => {
    await add(process, messages);
    store.commands.length = 0;
    await process.sender.idle();
    return store.commands.map((command) => Object.keys(command)[0]).filter((name) => name !== 'insert');
  };
  expect(await commandsOf([message('alone')])).toEqual(['find', 'update', 'commitTransaction']);
  expect(await commandsOf(numbers(20).map((number) => message(number)))).toEqual([
    'find',
    'update',
    'commitTransaction',
  ]);
});

it('applies each message alone when one of a batch fails, counts only its own attempt, and holds back only its stream', async () => {
  const process = start(
    ({ payload }) => {
      if (payload === 'bad') throw new Error('broken');
    },
    { retryAfter: () => 10 * MINUTE_MS },
  );
  const ids = await add(process, [message('bad', 'a'), message('behind', 'a'), message('b'), message('c', 'c')]);
  await process.sender.idle();
  expect((await written()).toSorted()).toEqual(['b', 'c']);
  const stored = await store.connection.collection('outbox').find().sort({ _id: 1 }).toArray();
  expect(stored.map(({ _id, state, attempts }) => [String(_id), state as string, attempts as number])).toEqual([
    [ids[0], 'waiting', 1],
    [ids[1], 'waiting', 0],
    [ids[2], 'sent', 0],
    [ids[3], 'sent', 0],
  ]);
  expect(stored[1]?.['dueAt']).toEqual(stored[0]?.['dueAt']);
});

it('delays no other message by more than its own attempt when one of 1,000 always fails', async () => {
  const attempts: number[] = [];
  const process = start(({ payload, attempts: failed }) => {
    if (payload !== 7) return;
    attempts.push(failed);
    throw new Error('broken');
  });
  await add(
    process,
    numbers(1_000).map((number) => message(number)),
  );
  await eventually(async () => (await written()).length === 999);
  // The batch that had it, and then only by itself.
  expect(calls.filter((payloads) => payloads.includes(7) && payloads.length > 1)).toHaveLength(1);
  expect(attempts.filter((failed) => failed === 0)).toHaveLength(2);
  expect(calls.filter(({ length }) => length === 1).length).toBeLessThanOrEqual(20 + attempts.length);
});

it('retries a message that has failed alone, and continues its stream after it', async () => {
  let broken = true;
  const process = start(({ payload }) => {
    if (broken && payload === 'a0') throw new Error('not now');
  });
  await add(process, [message('a0', 'a'), message('a1', 'a'), message('b0', 'b')]);
  await eventually(async () => (await written()).includes('b0'));
  broken = false;
  await eventually(async () => (await written()).length === 3);
  expect((await written()).filter((payload) => payload !== 'b0')).toEqual(['a0', 'a1']);
});

it('leaves what a handler adds to its lane to the next batch', async () => {
  const process: OutboxProcess = start(async ({ payload }, transaction) => {
    if (payload === 'first') await process.outbox.add([message('added')], transaction);
  });
  await add(process, [message('first'), message('second')]);
  await process.sender.idle();
  expect(calls).toEqual([['first', 'second'], ['added']]);
});

it('undoes a batch that takes longer than two seconds, and applies its messages one by one', async () => {
  let shiftMs = 0;
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + shiftMs);
  const process = start(({ payload }) => {
    if (calls.length === 1 && payload === 1) shiftMs = 2_001;
  });
  await add(
    process,
    numbers(2).map((number) => message(number)),
  );
  await process.sender.idle();
  expect(calls).toEqual([[0, 1], [0], [1]]);
  expect(await written()).toEqual([0, 1]);
});

it('applies each message once, and those of a stream in their order, from processes that share a store', async () => {
  const processes = numbers(3).map(() => start());
  const [count, streams] = [30, ['a', 'b', 'c']];
  for (const number of numbers(count)) {
    const adding = add(
      processes[number % 3] as OutboxProcess,
      streams.map((stream) => message(`${stream}${number}`, stream)),
    );
    await Promise.all([adding, ...processes.map(({ round }) => round())]);
  }
  await eventually(async () => (await written()).length >= 3 * count);
  await Promise.all(processes.map(({ round }) => round()));
  for (const stream of streams) {
    const own = ((await written()) as string[]).filter((payload) => payload.startsWith(stream));
    expect(own).toEqual(numbers(count).map((number) => `${stream}${number}`));
  }
});

it('applies a message that another process has left behind', async () => {
  const dead = start();
  await dead.sender.onApplicationShutdown();
  await add(dead, [message('left behind')]);
  await start().round();
  expect(await written()).toEqual(['left behind']);
});

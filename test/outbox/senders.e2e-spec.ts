import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type OutboxItem, type OutboxMessage } from '../../src/events/outbox/outbox.types.js';
import { type SendingHandler } from '../../src/events/outbox/outbox-handlers.js';
import { eventually, settled } from '../support/eventually.js';
import { aMessage, openOutboxStore, outboxProcess, type OutboxProcess, type OutboxStore } from '../support/outbox.js';
import { openTestStore, type TestStore } from '../support/store.js';

let store: TestStore;
let outbox: OutboxStore;
/** The payloads that were sent, in the order of the attempts that succeeded. */
let sent: unknown[];
let running: OutboxProcess[];

beforeAll(async () => {
  store = await openTestStore();
  outbox = await openOutboxStore(store);
});
beforeEach(async () => {
  Logger.overrideLogger(false);
  [sent, running] = [[], []];
  for (const name of ['outbox', 'outbox_lanes']) await store.connection.collection(name).deleteMany({});
});
afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(running.map(({ sender }) => sender.onApplicationShutdown()));
});
afterAll(() => store.close());

const start = (changes: Partial<SendingHandler> = {}): OutboxProcess => {
  const note: SendingHandler = {
    send: ({ payload }) => Promise.resolve(void sent.push(payload)),
    retryAfter: () => 1,
    ...changes,
  };
  const started = outboxProcess(outbox, store, { note });
  running.push(started);
  return started;
};
const add = (at: OutboxProcess, ...messages: OutboxMessage[]): Promise<string[]> =>
  store.commit((transaction) => at.outbox.add(messages, transaction));
const numbers = (count: number): number[] => [...Array(count).keys()];
const sorted = (): number[] => (sent as number[]).toSorted((left, right) => left - right);

describe('what a transaction adds', () => {
  it('sends a message at once when its transaction commits, and never when it is rolled back', async () => {
    const process = start();
    await store.rollBack((transaction) => process.outbox.add([aMessage('undone')], transaction));
    await add(process, aMessage('done'));
    await process.sender.idle();
    await process.round();
    expect(sent).toEqual(['done']);
  });

  it('encrypts a message while it waits, and removes it when it was sent', async () => {
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    const process = start({ send: () => opened });
    await add(process, aMessage({ code: '12345678' }));
    const [waiting] = await store.connection.collection('outbox').find().toArray();
    expect(JSON.stringify(waiting)).not.toContain('12345678');
    expect(waiting).toMatchObject({ state: 'waiting', sealedPayload: expect.any(String) });
    open();
    await process.sender.idle();
    expect(await store.connection.collection('outbox').find().toArray()).toMatchObject([
      { state: 'sent', sealedPayload: null },
    ]);
  });

  it('sends a message from another process when the one that added it has died', async () => {
    const dead = start();
    await dead.sender.onApplicationShutdown();
    await add(dead, aMessage('left behind'));
    expect(sent).toEqual([]);
    await start().round();
    expect(sent).toEqual(['left behind']);
  });
});

// The rounds would find what was left behind, only later.
describe('without a round of the job', () => {
  it('sends a message as soon as its transaction has committed', async () => {
    const process = start();
    await add(process, aMessage('first'), aMessage('of another lane', { lane: 'other' }));
    await process.sender.idle();
    expect((sent as string[]).toSorted()).toEqual(['first', 'of another lane']);
  });

  it('sends the messages that several steps of a transaction have added to different lanes', async () => {
    const process = start();
    await store.commit(async (transaction) => {
      for (const lane of ['first', 'second']) await process.outbox.add([aMessage(lane, { lane })], transaction);
    });
    await process.sender.idle();
    expect((sent as string[]).toSorted()).toEqual(['first', 'second']);
  });

  it('sends a message of a transaction that continues after it has added the message', async () => {
    const process = start();
    await store.commit(async (transaction) => {
      await process.outbox.add([aMessage('early')], transaction);
      // A tick that began too early has found nothing when it ends.
      await process.sender.idle();
    });
    await process.sender.idle();
    expect(sent).toEqual(['early']);
  });

  it('leaves a lane that is done to the next process at once', async () => {
    const [first, second] = [start(), start()];
    for (const [number, process] of [first, second, first].entries()) {
      await add(process, aMessage(number));
      await process.sender.idle();
      expect(sent).toEqual(numbers(number + 1));
    }
  });

  it('leaves a lane to the next process also when the database failed during the tick', async () => {
    const [first, second] = [start(), start()];
    const due = jest.spyOn(outbox.entries, 'due').mockRejectedValueOnce(new Error('the database is down'));
    await add(first, aMessage('a'));
    await first.sender.idle();
    // Its next tick would wait for a backoff.
    await first.sender.onApplicationShutdown();
    expect([due.mock.calls.length, sent]).toEqual([1, []]);
    await add(second, aMessage('b'));
    await second.sender.idle();
    expect((sent as string[]).toSorted()).toEqual(['a', 'b']);
  });

  it('sends what another process has added to a lane during a tick', async () => {
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    let began = (): void => undefined;
    const begun = new Promise<void>((resolve) => (began = resolve));
    const first = start({
      send: async ({ payload }) => {
        began();
        await opened;
        sent.push(payload);
      },
    });
    const second = start();
    await add(first, aMessage('slow'));
    await settled(begun, 'the first attempt');
    await add(second, aMessage('during the tick'));
    await second.sender.idle();
    expect(sent).toEqual([]);
    open();
    await first.sender.idle();
    expect(sent).toEqual(['slow', 'during the tick']);
  });

  it('sends more messages of a lane than one batch has', async () => {
    const process = start();
    await add(process, ...numbers(45).map((number) => aMessage(number)));
    await process.sender.idle();
    expect(sorted()).toEqual(numbers(45));
  });
});

describe('processes that share a store', () => {
  it('sends each message once from processes that share a store, whoever added it', async () => {
    const processes = numbers(4).map(() => start());
    const adding = numbers(60).map((number) =>
      add(processes[number % 4] as OutboxProcess, aMessage(number, { lane: `desk ${number % 3}` })),
    );
    await Promise.all([...adding, ...processes.map(({ round }) => round())]);
    await eventually(() => Promise.resolve(sent.length >= 60));
    await Promise.all(processes.map(({ round }) => round()));
    expect(sorted()).toEqual(numbers(60));
  });

  it('leaves no message behind that was added while another process had the lane', async () => {
    const [first, second] = [start(), start()];
    for (const number of numbers(30)) await add(number % 2 === 0 ? first : second, aMessage(number));
    // Without a round of the job.
    await eventually(() => Promise.resolve(sent.length === 30));
    expect(sorted()).toEqual(numbers(30));
  });

  it('sends the messages of a stream in their order from processes that share a store', async () => {
    const processes = [start(), start()];
    const count = 12;
    for (const number of numbers(count)) {
      const messages = ['a', 'b', 'c'].map((stream) => aMessage(`${stream}${number}`, { stream }));
      await add(processes[number % 2] as OutboxProcess, ...messages);
    }
    await eventually(() => Promise.resolve(sent.length === 3 * count));
    for (const stream of ['a', 'b', 'c']) {
      const own = (sent as string[]).filter((payload) => payload.startsWith(stream));
      expect(own).toEqual(numbers(count).map((number) => `${stream}${number}`));
    }
  });
});

describe('a message that is not sent', () => {
  it('retries a message, and holds back the later ones of its stream, and no others', async () => {
    let broken = true;
    const send = ({ payload }: OutboxItem): Promise<void> =>
      broken && payload === 'a0' ? Promise.reject(new Error('not now')) : Promise.resolve(void sent.push(payload));
    const process = start({ send });
    const messages = ['a0', 'a1', 'b0'].map((text) => aMessage(text, { stream: text.slice(0, 1) }));
    await add(process, ...messages, aMessage('alone'));
    await eventually(() => Promise.resolve(sent.length === 2));
    expect((sent as string[]).toSorted()).toEqual(['alone', 'b0']);
    broken = false;
    await eventually(() => Promise.resolve(sent.length === 4));
    expect(sent.slice(2)).toEqual(['a0', 'a1']);
  });

  it('sets a message aside after its last attempt, in the transaction of what else is written, and continues its stream', async () => {
    const error = jest.spyOn(Logger.prototype, 'error');
    const setAside: string[] = [];
    const process = start({
      send: ({ payload }) =>
        payload === 'a0' ? Promise.reject(new Error('never')) : Promise.resolve(void sent.push(payload)),
      retryAfter: (attempts) => (attempts < 3 ? 1 : null),
      setAside: async ({ id, attempts }, transaction) => {
        setAside.push(`${id} after ${attempts}`);
        await store.connection.collection('existing').insertOne({ id }, { session: transaction });
      },
    });
    const [id = ''] = await add(process, aMessage('a0', { stream: 'a' }), aMessage('a1', { stream: 'a' }));
    await eventually(() => Promise.resolve(sent.length === 1));
    expect([sent, setAside]).toEqual([['a1'], [`${id} after 3`]]);
    await process.round();
    expect(error.mock.calls[0]?.[1]).toEqual({ id, topic: 'note', shopId: null, attempts: 3, kind: 'Error' });
    expect(await store.connection.collection('existing').countDocuments({ id })).toBe(1);
  });
});

it('sends the messages of another lane while a destination hangs', async () => {
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const send = ({ payload }: OutboxItem): Promise<void> =>
    payload === 'hangs' ? finished : Promise.resolve(void sent.push(payload));
  const process = start({ send });
  await add(process, ...numbers(50).map(() => aMessage('hangs', { lane: 'slow' })));
  await add(process, ...numbers(50).map((number) => aMessage(number, { lane: 'quick' })));
  await eventually(() => Promise.resolve(sent.length === 50));
  expect(sorted()).toEqual(numbers(50));
  finish();
});

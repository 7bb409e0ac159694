import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Document, ObjectId } from 'mongodb';
import { DAY_MS, MINUTE_MS } from '../../src/lib/time/durations.js';
import { type Transaction } from '../../src/infrastructure/database/transactions.js';
import { newObjectId } from '../../src/lib/ids/object-id.js';
import { type WaitingEntry } from '../../src/events/outbox/outbox.types.js';
import { type NewEntry } from '../../src/events/outbox/outbox-entries.repository.js';
import { SHOP } from '../support/contexts.js';
import { openOutboxStore, type OutboxStore } from '../support/outbox.js';
import { openTestStore, type TestStore } from '../support/store.js';

// In the future, so that the store does not delete expired records during the test.
const NOW = new Date('2126-11-23T12:00:00.000Z');
const at = (minutes: number): Date => new Date(NOW.getTime() + minutes * MINUTE_MS);
const LANE = 'note desk';

let store: TestStore;
let outbox: OutboxStore;

beforeAll(async () => {
  store = await openTestStore();
  outbox = await openOutboxStore(store);
});
beforeEach(async () => {
  for (const name of ['outbox', 'outbox_lanes']) await store.connection.collection(name).deleteMany({});
});
afterAll(() => store.close());

const entry = (fields: Partial<NewEntry> = {}): NewEntry => {
  const id = newObjectId();
  return {
    id,
    topic: 'note',
    shopId: null,
    orderId: null,
    lane: LANE,
    stream: id,
    beginsStream: (fields.stream ?? id) === id,
    sealedPayload: `sealed ${id}`,
    ...fields,
  };
};
const insert = async (entries: readonly NewEntry[], now = NOW): Promise<readonly NewEntry[]> => {
  await store.commit((transaction) => outbox.entries.insert(entries, now, transaction));
  return entries;
};
const add = async (fields: Partial<NewEntry> = {}, now = NOW): Promise<string> => {
  const [{ id } = { id: '' }] = await insert([entry(fields)], now);
  return id;
};
const record = (id: string): Promise<Document | null> =>
  store.connection.collection('outbox').findOne({ _id: new ObjectId(id) });
const idsOf = (entries: readonly WaitingEntry[]): string[] => entries.map(({ id }) => id);
const settle = (id: string, state: 'sent' | 'failed', now = NOW): Promise<boolean> =>
  store.commit((transaction) => outbox.entries.settle({ id }, state, now, transaction));

describe('the entries', () => {
  it('tells what became of the messages about an order, without their payloads', async () => {
    const orderId = newObjectId();
    const ids = [await add({ orderId }), await add({ orderId, topic: 'email' })];
    await add();
    await settle(ids[0] ?? '', 'sent');
    const common = { shopId: null, orderId, attempts: 0, lastError: null, createdAt: NOW, dueAt: NOW };
    expect(await outbox.entries.ofOrder(orderId)).toEqual([
      { ...common, id: ids[0], topic: 'note', state: 'sent', settledAt: NOW },
      { ...common, id: ids[1], topic: 'email', state: 'waiting', settledAt: null },
    ]);
  });

  it('stores entries with their transaction, or not at all', async () => {
    const [kept, undone] = [entry({ shopId: SHOP }), entry()];
    await insert([kept]);
    await store.rollBack((transaction) => outbox.entries.insert([undone], NOW, transaction));
    const { beginsStream: _, ...stored } = kept;
    expect(await outbox.entries.due(LANE, NOW, 10)).toEqual([
      { ...stored, position: 0, attempts: 0, createdAt: NOW, dueAt: NOW },
    ]);
    expect(await record(undone.id)).toBeNull();
  });

  it('deletes an entry of the shop that waits, and none that was sent since it was read', async () => {
    const [waiting, sent, foreign] = [await add({ shopId: SHOP }), await add({ shopId: SHOP }), await add()];
    await settle(sent, 'sent');
    await store.commit(async (transaction) => {
      for (const id of [waiting, sent, foreign]) await outbox.entries.delete(SHOP, { id }, transaction);
    });
    expect(await record(waiting)).toBeNull();
    expect([await record(sent), await record(foreign)]).toMatchObject([{ state: 'sent' }, { state: 'waiting' }]);
  });

  it('orders the entries of a stream, also when several transactions add to it at once', async () => {
    const groups = await Promise.all(
      Array.from({ length: 8 }, () => insert([entry({ stream: 'order 1' }), entry({ stream: 'order 1' })])),
    );
    const waiting = await outbox.entries.ofStreams(LANE, ['order 1'], 100, null);
    expect(idsOf(waiting).sort()).toEqual(
      groups
        .flat()
        .map(({ id }) => id)
        .sort(),
    );
    for (const [first, second] of groups.map((group) => group.map(({ id }) => idsOf(waiting).indexOf(id)))) {
      expect(second).toBe(Number(first) + 1);
    }
    expect(await outbox.entries.ofStreams('note other', ['order 1'], 100, null)).toEqual([]);
    expect(await outbox.entries.ofStreams(LANE, ['order 2'], 100, null)).toEqual([]);
  });

  it('puts entries of a stream that one of them begins in their order', async () => {
    const begun = [entry({ stream: 'order 1', beginsStream: true }), entry({ stream: 'order 1' })];
    await insert(begun);
    const next = await add({ stream: 'order 1' });
    const waiting = await outbox.entries.ofStreams(LANE, ['order 1'], 100, null);
    expect(idsOf(waiting)).toEqual([...begun.map(({ id }) => id), next]);
    expect(waiting.map(({ position }) => position)).toEqual([0, 1, 2]);
  });

  it('orders new entries after those that wait, after earlier ones were sent', async () => {
    const [first, second] = [await add({ stream: 'order 1' }), await add({ stream: 'order 1' })];
    await settle(first, 'sent');
    const third = await add({ stream: 'order 1' });
    expect(idsOf(await outbox.entries.ofStreams(LANE, ['order 1'], 100, null))).toEqual([second, third]);
    expect(idsOf(await outbox.entries.ofStreams(LANE, ['order 1'], 1, null))).toEqual([second]);
  });

  it('returns entries from their time on, the longest due first, and no more than the limit', async () => {
    const [later, now] = [await add({}, at(1)), await add()];
    expect(idsOf(await outbox.entries.due(LANE, NOW, 10))).toEqual([now]);
    expect(idsOf(await outbox.entries.due(LANE, at(1), 10))).toEqual([now, later]);
    expect(idsOf(await outbox.entries.due(LANE, at(1), 1))).toEqual([now]);
    expect(await outbox.entries.due('note other', at(1), 10)).toEqual([]);
    expect(await outbox.entries.nextDueAt(LANE)).toEqual(NOW);
    expect(await outbox.entries.nextDueAt('note other')).toBeNull();
  });

  it('lists each lane with waiting messages once, by its name, with its earliest time', async () => {
    await add({ lane: 'note b' }, at(2));
    await add({ lane: 'note b' }, at(1));
    await add({ lane: 'note a' });
    await settle(await add({ lane: 'note c' }), 'sent');
    expect(await outbox.entries.nextLane('')).toEqual({ lane: 'note a', dueAt: NOW });
    expect(await outbox.entries.nextLane('note a')).toEqual({ lane: 'note b', dueAt: at(1) });
    expect(await outbox.entries.nextLane('note b')).toBeNull();
  });

  it.each([
    ['sent', 7],
    ['failed', 30],
  ] as const)(
    'ends an entry that is %s once, clears its payload at once, and deletes it after %i days',
    async (state, days) => {
      const id = await add();
      expect(await settle(id, state, at(1))).toBe(true);
      const ended = {
        state,
        sealedPayload: null,
        settledAt: at(1),
        forgetAt: new Date(at(1).getTime() + days * DAY_MS),
      };
      expect(await record(id)).toMatchObject(ended);
      for (const next of ['sent', 'failed'] as const) expect(await settle(id, next, at(2))).toBe(false);
      expect(await record(id)).toMatchObject(ended);
      expect(await outbox.entries.due(LANE, at(9), 10)).toEqual([]);
    },
  );

  it('marks entries as sent outside of a transaction, many at once, and only those that wait', async () => {
    const [first, second, failed, waiting] = [await add(), await add(), await add(), await add()];
    await settle(failed, 'failed', NOW);
    const before = await record(waiting);
    await Promise.all([first, second, failed].map((id) => outbox.entries.settle({ id }, 'sent', at(1), null)));
    const sent = {
      state: 'sent',
      sealedPayload: null,
      settledAt: at(1),
      forgetAt: new Date(at(1).getTime() + 7 * DAY_MS),
    };
    for (const id of [first, second]) expect(await record(id)).toMatchObject(sent);
    expect(await record(failed)).toMatchObject({ state: 'failed', settledAt: NOW });
    expect(await record(waiting)).toEqual(before);
  });

  it('ends all entries of a batch as sent, or none when one of them has ended already', async () => {
    const [first, second, ended] = [await add(), await add(), await add()];
    await settle(ended, 'sent');
    const settleAll = (...ids: string[]): Promise<void> =>
      store.commit((transaction) =>
        outbox.entries.settleAll(
          ids.map((id) => ({ id })),
          at(1),
          transaction,
        ),
      );
    await expect(settleAll(first, ended)).rejects.toThrow('1 messages have ended already');
    expect(await record(first)).toMatchObject({ state: 'waiting' });
    await settleAll(first, second);
    for (const id of [first, second])
      expect(await record(id)).toMatchObject({ state: 'sent', sealedPayload: null, settledAt: at(1) });
  });

  it('reads the waiting entries of a lane and of some of its streams, those of a stream in their order', async () => {
    const stream = 'order 1';
    const [second, alone] = [await add({ stream }, at(2)), await add({}, at(1))];
    const third = await add({ stream }, at(0));
    await add({ lane: 'note other' });
    await settle(await add(), 'sent');
    await store.commit(async (transaction) => {
      const { entries } = outbox;
      expect(idsOf(await entries.next(LANE, 10, transaction))).toEqual([third, alone, second]);
      expect(idsOf(await entries.next(LANE, 1, transaction))).toEqual([third]);
      expect(idsOf(await entries.ofStreams(LANE, [stream], 10, transaction))).toEqual([second, third]);
      expect(idsOf(await entries.ofStreams(LANE, [alone, stream], 1, transaction))).toHaveLength(1);
    });
  });

  it('counts a failed attempt of an entry, and waits for the next one', async () => {
    const id = await add();
    const fail = (dueAt: Date | null): Promise<void> =>
      store.commit((transaction) => outbox.entries.countFailure({ id }, 'Error ECONNREFUSED', dueAt, transaction));
    await fail(at(2));
    expect(await record(id)).toMatchObject({ attempts: 1, lastError: 'Error ECONNREFUSED', dueAt: at(2) });
    await fail(null);
    expect(await record(id)).toMatchObject({ attempts: 2, dueAt: at(2) });
    await settle(id, 'failed');
    await fail(at(3));
    expect(await record(id)).toMatchObject({ attempts: 2, dueAt: at(2) });
  });

  it('postpones the entries of one stream of a lane, and never makes them earlier', async () => {
    const [first, other] = [await add({ stream: 'order 1' }), await add({ stream: 'order 2' })];
    const late = await add({ stream: 'order 1' }, at(9));
    const sent = await add({ stream: 'order 1' });
    await settle(sent, 'sent');
    const ofLane = await add({ stream: 'order 1', lane: 'note other' });
    await store.commit((transaction) => outbox.entries.postpone(LANE, 'order 1', at(5), transaction));
    const ids = [first, other, late, sent, ofLane];
    const due = await Promise.all(ids.map(async (id) => (await record(id))?.['dueAt'] as Date));
    expect(due).toEqual([at(5), NOW, at(9), NOW, NOW]);
  });

  it('counts the entries that were set aside from a time on, up to a limit', async () => {
    for (const minutes of [0, 5, 7]) await settle(await add(), 'failed', at(minutes));
    await settle(await add({ topic: 'other' }), 'failed', at(9));
    await settle(await add(), 'sent', at(10));
    const { entries } = outbox;
    expect(await entries.failures('note', NOW, 10)).toEqual({ count: 3, latest: at(7) });
    expect(await entries.failures('note', at(5), 10)).toEqual({ count: 2, latest: at(7) });
    expect(await entries.failures('note', NOW, 1)).toEqual({ count: 1, latest: at(7) });
    expect(await entries.failures('note', at(8), 10)).toEqual({ count: 0, latest: null });
    expect(await entries.failures(null, NOW, 10)).toEqual({ count: 4, latest: at(9) });
  });

  it('counts the entries of a topic that wait, up to a limit, with the oldest and the error of a failed attempt', async () => {
    const { entries } = outbox;
    expect(await entries.backlog('note', 10)).toEqual({ count: 0, oldest: null, lastError: null });
    await add({}, at(1));
    const failed = await add({}, at(2));
    await add({}, at(3));
    await add({ topic: 'other' });
    await settle(await add(), 'sent');
    expect(await entries.backlog('note', 10)).toEqual({ count: 3, oldest: at(1), lastError: null });
    const fail = (transaction: Transaction): Promise<void> =>
      entries.countFailure({ id: failed }, 'Error ESOCKET', at(9), transaction);
    await store.commit(fail);
    expect(await entries.backlog('note', 10)).toEqual({ count: 3, oldest: at(1), lastError: 'Error ESOCKET' });
    expect(await entries.backlog('note', 2)).toEqual({ count: 2, oldest: at(1), lastError: 'Error ESOCKET' });
    await settle(failed, 'failed');
    expect(await entries.backlog('note', 10)).toEqual({ count: 2, oldest: at(1), lastError: null });
  });

  it('encrypts the entries that wait again, if nothing has changed them', async () => {
    const [waiting, sent] = [await add(), await add()];
    await settle(sent, 'sent');
    const listed = await outbox.entries.listAfter(null, 10);
    expect(listed.map(({ id }) => id)).toEqual([waiting]);
    expect(await outbox.entries.listAfter(waiting, 10)).toEqual([]);
    const reseal = (sealedPayload: string): Promise<boolean> =>
      store.commit((transaction) => outbox.entries.reseal({ id: waiting, sealedPayload }, 'new', transaction));
    expect(await reseal('another')).toBe(false);
    expect(await reseal(`sealed ${waiting}`)).toBe(true);
    await settle(waiting, 'sent');
    expect(await reseal('new')).toBe(false);
  });
});

describe('the lease of a lane', () => {
  const lease = (holder: string, now = NOW, lane = LANE): Promise<boolean> =>
    outbox.lanes.lease(lane, holder, now, new Date(now.getTime() + MINUTE_MS));
  const release = (holder: string, now = NOW): Promise<void> => outbox.lanes.release(LANE, holder, now);

  it('keeps a lease for its holder, and ends it with its time or with its release', async () => {
    expect(await lease('a')).toBe(true);
    expect(await lease('a', at(0.5))).toBe(true);
    expect(await lease('b', at(1.4))).toBe(false);
    expect(await lease('b', at(1.5))).toBe(true);
    await release('a', at(1.6));
    expect(await lease('a', at(1.6))).toBe(false);
    await release('b', at(1.6));
    expect(await lease('a', at(1.6))).toBe(true);
  });
});

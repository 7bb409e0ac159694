import { expect, it } from '@jest/globals';
import { type WaitingEntry } from './outbox.types.js';
import { type Batch, batchOf, streamsWithoutFirst } from './outbox-batch-rules.js';

const NOW = new Date('2026-11-23T12:00:00.000Z');
const LATER = new Date(NOW.getTime() + 5_000);

const entry = (id: string, fields: Partial<WaitingEntry> = {}): WaitingEntry => ({
  ...{ id, topic: 'note', shopId: null, orderId: null, lane: 'note desk', stream: id, position: 0 },
  ...{ attempts: 0, createdAt: NOW, dueAt: NOW, sealedPayload: '', ...fields },
});
const ofStream = (position: number, fields: Partial<WaitingEntry> = {}): WaitingEntry =>
  entry(`a${position}`, { stream: 'a', position, ...fields });
const alone = (count: number): WaitingEntry[] => Array.from({ length: count }, (_, index) => entry(String(index)));
const summary = ({ together, alone: failed, ...rest }: Batch): object => ({
  ...{ together: together.map(({ id }) => id), alone: failed.map(({ id }) => id) },
  ...rest,
});
const batch = (waiting: readonly WaitingEntry[], others: readonly WaitingEntry[] = []): object =>
  summary(batchOf(waiting, others, NOW));
const LAST = { alone: [], blocked: [], isLast: true, nextDueAt: null };

it.each<[what: string, waiting: WaitingEntry[], others: WaitingEntry[], expected: object]>([
  ['nothing of an empty lane', [], [], { together: [], ...LAST }],
  [
    'what is due, and reports when the next one is',
    [entry('x'), entry('y', { dueAt: LATER })],
    [],
    { together: ['x'], ...LAST, nextDueAt: LATER },
  ],
  ['a stream in its order', [ofStream(1), ofStream(0)], [], { together: ['a0', 'a1'], ...LAST }],
  [
    'a stream only as far as no message is missing',
    [ofStream(2), ofStream(0)],
    [],
    { together: ['a0'], ...LAST, isLast: false },
  ],
  [
    'a stream whose first message has another position than 0 by what was read of it',
    [ofStream(4)],
    [ofStream(3), ofStream(4)],
    { together: ['a3', 'a4'], ...LAST },
  ],
  [
    'nothing of a stream whose first message is due later',
    [ofStream(1)],
    [ofStream(0, { dueAt: LATER }), ofStream(1)],
    { together: [], ...LAST, blocked: [{ stream: 'a', dueAt: LATER }], isLast: false },
  ],
  [
    'a message that has failed alone, and nothing behind it',
    [ofStream(0, { attempts: 1 }), ofStream(1), entry('x')],
    [],
    { together: ['x'], ...LAST, alone: ['a0'], isLast: false },
  ],
  [
    'a stream up to a message that has failed',
    [ofStream(0), ofStream(1, { attempts: 1 })],
    [],
    { together: ['a0'], ...LAST, isLast: false },
  ],
])('selects %s', (_, waiting, others, expected) => {
  expect(batch(waiting, others)).toEqual(expected);
});

it('selects 20 messages, and reports whether more are due', () => {
  for (const [count, isLast] of [
    [19, true],
    [20, true],
    [21, false],
  ] as const)
    expect(batchOf(alone(count), [], NOW)).toMatchObject({ together: alone(Math.min(count, 20)), isLast });
  const later = [...alone(20), entry('later', { dueAt: LATER })];
  expect(batchOf(later, [], NOW)).toMatchObject({ isLast: true, nextDueAt: LATER });
  const others = Array.from({ length: 30 }, (_, index) => ofStream(index + 5));
  expect(batchOf([ofStream(5)], others, NOW)).toMatchObject({ together: others.slice(0, 20), isLast: false });
});

it('names the streams of which messages are due and the first one was not read', () => {
  const waiting = [ofStream(1), entry('x'), entry('b1', { stream: 'b', position: 1, dueAt: LATER })];
  expect(streamsWithoutFirst(waiting, NOW)).toEqual(['a']);
});

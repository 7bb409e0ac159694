import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { startClock, stopClock } from '../../../test/support/clock.js';
import { type Call, directTransactions, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { type AppConfig } from '../../infrastructure/config/app-config.js';
import { HOUR_MS, MINUTE_MS } from '../../lib/time/durations.js';
import { type OutboxItem, type WaitingEntry } from './outbox.types.js';
import { OutboxDatabase } from './outbox-database.js';
import { OutboxDeliveryService, ATTEMPT_TIMEOUT_MS, type Outcome } from './outbox-delivery.service.js';
import { type OutboxEntriesRepository } from './outbox-entries.repository.js';
import { type OutboxHandler, type SendingHandler } from './outbox-handlers.js';
import { OutboxVault } from './outbox-vault.js';

const NOW = new Date('2026-11-23T12:00:00.000Z');
const ID = '655f1c2ab1e4a9d3f0c81290';
const SECRET = 'code 12345678 for buyer@example.com';

describe('OutboxDeliveryService', () => {
  const vault = new OutboxVault({ encryptionKey: Buffer.alloc(32, 1), previousEncryptionKey: null } as AppConfig);
  const entry: WaitingEntry = {
    id: ID,
    topic: 'note',
    shopId: null,
    orderId: null,
    lane: 'note desk',
    stream: ID,
    position: 0,
    attempts: 2,
    createdAt: NOW,
    // No process ran for an hour.
    dueAt: new Date(NOW.getTime() - HOUR_MS),
    sealedPayload: vault.seal(ID, { text: SECRET }),
  };
  let calls: Call[];
  let logged: unknown[];
  let isWaiting: boolean;
  let delivery: OutboxDeliveryService;

  beforeEach(() => {
    stopClock(NOW);
    [calls, logged, isWaiting] = [[], [], true];
    for (const level of ['warn', 'error'] as const) {
      jest.spyOn(Logger.prototype, level).mockImplementation((...line: unknown[]) => void logged.push(line));
    }
    const entries = recording<OutboxEntriesRepository>(calls, {
      settle: () => Promise.resolve(isWaiting),
      countFailure: () => Promise.resolve(),
      postpone: () => Promise.resolve(),
    });
    delivery = new OutboxDeliveryService(entries, vault, new OutboxDatabase(directTransactions));
  });
  afterEach(() => {
    jest.restoreAllMocks();
    startClock();
  });

  const sending = (send: SendingHandler['send'], waitMs: number | null = MINUTE_MS): OutboxHandler => ({
    send,
    retryAfter: () => waitMs,
    setAside: (aside, transaction) => Promise.resolve(void calls.push(['setAside', aside, transaction])),
  });
  const failing = (): Promise<never> => Promise.reject(new TypeError(SECRET));
  /** Begins an attempt, and collects its outcome: an attempt that never ends has none, and its spec fails at once. */
  const outcomesOf = (handler: OutboxHandler): Outcome[] => {
    const outcomes: Outcome[] = [];
    void delivery.deliver(entry, handler).then((outcome) => outcomes.push(outcome));
    return outcomes;
  };

  it('gives the handler the message with its payload, and then records that it was sent', async () => {
    const items: OutboxItem[] = [];
    const handler = sending((item) => Promise.resolve(void items.push(item)));
    expect(await delivery.deliver(entry, handler)).toBe('sent');
    const payload = { text: SECRET };
    expect(items).toEqual([
      { id: ID, topic: 'note', shopId: null, orderId: null, attempts: 2, createdAt: NOW, payload },
    ]);
    expect(calls).toEqual([['settle', entry, 'sent', NOW, null]]);
    expect(logged).toEqual([]);
  });

  it('counts a failed attempt, and logs the kind of the error without its message', async () => {
    const dueAt = new Date(NOW.getTime() + MINUTE_MS);
    expect(await delivery.deliver(entry, sending(failing))).toBe('retried');
    expect(calls).toEqual([['countFailure', entry, 'TypeError', dueAt, TRANSACTION]]);
    expect(logged).toHaveLength(1);
    expect(JSON.stringify(logged)).not.toMatch(/12345678|buyer/);
  });

  it('holds back the stream of a message that failed', async () => {
    const dueAt = new Date(NOW.getTime() + MINUTE_MS);
    await delivery.deliver({ ...entry, stream: 'order 1' }, sending(failing));
    expect(calls.at(-1)).toEqual(['postpone', 'note desk', 'order 1', dueAt, TRANSACTION]);
  });

  it('passes the number of failed attempts and the error to retryAfter, and sets the message aside when it returns null', async () => {
    const received: unknown[] = [];
    const retryAfter = (...call: unknown[]): null => (received.push(call), null);
    expect(await delivery.deliver(entry, { ...sending(failing), retryAfter })).toBe('set_aside');
    expect(received).toEqual([[3, new TypeError(SECRET)]]);
    expect(calls).toEqual([
      ['countFailure', entry, 'TypeError', null, TRANSACTION],
      ['settle', entry, 'failed', NOW, TRANSACTION],
      [
        'setAside',
        { id: ID, topic: 'note', shopId: null, orderId: null, attempts: 3, createdAt: NOW, payload: { text: SECRET } },
        TRANSACTION,
      ],
    ]);
  });

  it('treats a payload that cannot be decrypted as a failed attempt', async () => {
    const handler = sending(() => Promise.resolve(), null);
    expect(await delivery.deliver({ ...entry, sealedPayload: 'damaged' }, handler)).toBe('set_aside');
    expect(calls.at(-1)).toMatchObject(['setAside', { id: ID, payload: null }, TRANSACTION]);
  });

  it('applies a message after marking it as sent in the same transaction, and never a message that has ended', async () => {
    const handler: OutboxHandler = {
      apply: ([item], transaction) => Promise.resolve(void calls.push(['apply', item?.payload, transaction])),
      retryAfter: () => null,
    };
    expect(await delivery.deliver(entry, handler)).toBe('sent');
    isWaiting = false;
    expect(await delivery.deliver(entry, handler)).toBe('sent');
    const settled = ['settle', entry, 'sent', NOW, TRANSACTION];
    expect(calls).toEqual([settled, ['apply', { text: SECRET }, TRANSACTION], settled]);
  });

  it('ends an attempt that takes too long, even when the handler ignores the signal', async () => {
    const signals: AbortSignal[] = [];
    const handler = sending((_, signal) => (signals.push(signal), new Promise(() => undefined)));
    const outcomes = outcomesOf(handler);
    await jest.advanceTimersByTimeAsync(ATTEMPT_TIMEOUT_MS - 1);
    expect(signals[0]?.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(signals[0]?.aborted).toBe(true);
    expect(outcomes).toEqual(['retried']);
    expect(calls[0]?.slice(0, 3)).toEqual(['countFailure', entry, 'TimeoutError']);
  });

  it('excludes from the count an attempt that a stop of the process has ended', async () => {
    const outcomes = outcomesOf(sending(() => new Promise(() => undefined)));
    delivery.interrupt();
    await jest.advanceTimersByTimeAsync(0);
    expect(outcomes).toEqual(['interrupted']);
    expect(calls).toEqual([]);
  });
});

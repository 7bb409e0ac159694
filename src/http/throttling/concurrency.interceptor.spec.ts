import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type ExecutionContext, StreamableFile } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { lastValueFrom, Subject } from 'rxjs';
import { startClock, stopClock } from '../../../test/support/clock.js';
import { SHOP, OTHER_SHOP } from '../../../test/support/contexts.js';
import { AtOncePerShop, ConcurrencyInterceptor } from './concurrency.interceptor.js';
import { CONCURRENCY } from '../../domain/limits/concurrency.js';
import { type AppConfig } from '../../infrastructure/config/app-config.js';
import { FairSlots } from '../../lib/concurrency/fair-slots.js';
import { ShopTurns } from './shop-turns.js';

class Routes {
  @AtOncePerShop('checkout') placeOrder(): void {}
  @AtOncePerShop('orderExport') exportOrders(): void {}
  @AtOncePerShop('statistics') compare(): void {}
  @AtOncePerShop('statistics') breakDown(): void {}
  unlimited(): void {}
}

interface Sent {
  readonly socket: EventEmitter & { destroyed: boolean };
  readonly response: EventEmitter & { writableEnded: boolean };
  /** Whether the handler was called. */
  readonly isRunning: () => boolean;
  /** Ends the handler with a result. */
  readonly end: (result: unknown) => void;
  readonly fail: (error: Error) => void;
  readonly result: Promise<unknown>;
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('ConcurrencyInterceptor', () => {
  const { running, waiting } = CONCURRENCY.statistics;
  const rejection = expect.objectContaining({ code: 'too_many_at_once', headers: { 'Retry-After': '10' } });
  let interceptor: ConcurrencyInterceptor;
  let slots: FairSlots;

  /** @param from the address of the client, whose request has a slot; null: it needs none */
  const send = (route: keyof Routes = 'compare', shopId = SHOP, from: string | null = null): Sent => {
    const slot = from === null ? undefined : slots.slot();
    void slot?.enter(from ?? '', { maxWaiting: 0, ms: 0 });
    const socket = Object.assign(new EventEmitter(), { destroyed: false });
    const response = Object.assign(new EventEmitter(), { writableEnded: false });
    const results = new Subject<unknown>();
    let isRunning = false;
    const context = {
      getHandler: () => Reflect.get(Routes.prototype, route) as unknown,
      getClass: () => Routes,
      switchToHttp: () => ({
        getRequest: () => ({ socket, params: { shopId }, slot, ip: from ?? undefined }),
        getResponse: () => response,
      }),
    } as unknown as ExecutionContext;
    const handle = (): Subject<unknown> => ((isRunning = true), results);
    const result = lastValueFrom(interceptor.intercept(context, { handle }));
    // Not every spec waits for it.
    result.catch(() => undefined);
    const end = (value: unknown): void => {
      results.next(value);
      results.complete();
    };
    return { socket, response, isRunning: () => isRunning, end, fail: (error) => results.error(error), result };
  };
  const sendMany = (count: number, ...parameters: Parameters<typeof send>): Sent[] =>
    Array.from({ length: count }, () => send(...parameters));
  const runningIn = (sent: readonly Sent[]): boolean[] => sent.map(({ isRunning }) => isRunning());
  const aFile = (): StreamableFile => new StreamableFile(Readable.from([]));

  beforeEach(() => {
    interceptor = new ConcurrencyInterceptor(new Reflector(), new ShopTurns({ timeLimitFactor: 1 } as AppConfig));
    slots = new FairSlots({ total: 2, perCaller: 2 }, () => new Error('no slot'));
  });

  it('lets as many requests run as the limit allows, and the next ones wait for their turn, in the order of arrival', async () => {
    const all = [...sendMany(running), send(), send('compare', SHOP.toUpperCase()), send()];
    const mayRun = async (count: number): Promise<void> => {
      await settle();
      expect(runningIn(all)).toEqual(all.map((_, index) => index < count));
    };
    await mayRun(running);
    all[0]?.end('figures');
    expect(await all[0]?.result).toBe('figures');
    await mayRun(running + 1);
    all[1]?.fail(new Error('the database is slow'));
    await expect(all[1]?.result).rejects.toThrow('the database is slow');
    await mayRun(running + 2);
  });

  it('rejects one request more than may wait, at once', async () => {
    const all = sendMany(running + waiting);
    await expect(send().result).rejects.toEqual(rejection);
    for (const { end } of all) end('figures');
    const first = all.slice(0, running);
    expect(await Promise.all(first.map(({ result }) => result))).toEqual(first.map(() => 'figures'));
  });

  it('counts routes with the same limit together, and other shops, limits and routes alone', async () => {
    const full = [...sendMany(running), send('breakDown')];
    const others = [
      ...[...sendMany(running, 'compare', OTHER_SHOP), ...sendMany(CONCURRENCY.orderExport.running, 'exportOrders')],
      ...sendMany(9, 'unlimited'),
    ];
    await settle();
    expect(runningIn(full)).toEqual(full.map((_, index) => index < running));
    expect(runningIn(others)).toEqual(others.map(() => true));
    await expect(send('exportOrders').result).rejects.toEqual(rejection);
  });

  it('counts a request until its handler has ended, also when the client has left or has a response before that', async () => {
    const [first] = sendMany(running) as [Sent];
    const next = send();
    first.socket.destroyed = true;
    first.socket.emit('close');
    first.response.emit('close');
    await settle();
    expect(next.isRunning()).toBe(false);
    first.end('too late');
    await settle();
    expect(next.isRunning()).toBe(true);
  });

  it.each<[string, (sent: Sent) => unknown]>([
    ['its response is sent', ({ response }) => response.emit('close')],
    ['its connection is closed', ({ socket }) => socket.emit('close')],
  ])('counts a file until %s, and listens to nothing after that', async (_, leave) => {
    const [first] = sendMany(CONCURRENCY.orderExport.running, 'exportOrders') as [Sent, Sent];
    const file = aFile();
    first.end(file);
    expect(await first.result).toBe(file);
    await expect(send('exportOrders').result).rejects.toEqual(rejection);
    leave(first);
    await settle();
    expect([first.socket, first.response].map((emitter) => emitter.listenerCount('close'))).toEqual([0, 0]);
    expect(send('exportOrders').isRunning()).toBe(true);
  });

  it('does not count a file whose client left before it began', async () => {
    const [first] = sendMany(CONCURRENCY.orderExport.running, 'exportOrders') as [Sent, Sent];
    first.socket.destroyed = true;
    first.end(aFile());
    await settle();
    expect(send('exportOrders').isRunning()).toBe(true);
  });

  it('does not count a file that comes after the deadline, when the response has ended', async () => {
    const [late] = sendMany(CONCURRENCY.orderExport.running, 'exportOrders') as [Sent, Sent];
    late.response.writableEnded = true;
    late.response.emit('close');
    late.end(aFile());
    await settle();
    expect(send('exportOrders').isRunning()).toBe(true);
  });

  it.each<[string, (sent: Sent) => unknown]>([
    ['whose client has left', ({ socket }) => (socket.destroyed = true)],
    ['whose deadline has passed', ({ response }) => (response.writableEnded = true)],
  ])('does not begin a request %s while it waited', async (_, leave) => {
    const all = sendMany(running);
    const [left, next] = [send(), send()];
    leave(left);
    all[0]?.end('figures');
    await settle();
    expect(runningIn([left, next])).toEqual([false, true]);
  });

  it('gives back the slot of a request when its handler has ended, and not when its client has left or has a response', async () => {
    const [first, failing] = [send('unlimited', SHOP, '192.0.2.1'), send('unlimited', SHOP, '192.0.2.2')];
    first.socket.destroyed = true;
    first.response.emit('close');
    const [next, after] = [slots.slot(), slots.slot()];
    const wait = { maxWaiting: 1, ms: 60_000 };
    const [entering, enteringAfter] = [next.enter('next', wait), after.enter('after', wait)];
    expect(next.state).toBe('waiting');
    first.end('too late');
    await entering;
    expect([next.state, after.state]).toEqual(['running', 'waiting']);
    failing.fail(new Error('the database is slow'));
    await enteringAfter;
    expect(after.state).toBe('running');
  });

  it('gives back the slot of a file when its handler has ended, not when it is sent: its client may read for hours', async () => {
    const file = send('exportOrders', SHOP, '192.0.2.1');
    file.end(aFile());
    await file.result;
    await settle();
    expect(slots.isIdle).toBe(true);
  });

  it('leaves the slot of a request that waits for its shop to others, and takes one again when it runs', async () => {
    const [first, waiting] = [send('compare', SHOP, '192.0.2.1'), send('compare', SHOP, '192.0.2.2')];
    const one = send('unlimited', SHOP, '192.0.2.3');
    await settle();
    expect(runningIn([first, waiting, one])).toEqual([true, false, true]);
    first.end('figures');
    await first.result;
    await settle();
    expect(runningIn([waiting])).toEqual([true]);
    await expect(slots.slot().enter('next', { maxWaiting: 0, ms: 0 })).rejects.toThrow('no slot');
    for (const { end } of [waiting, one]) end('done');
    await settle();
    expect(slots.isIdle).toBe(true);
  });

  it('gives back both slots of a request that is rejected', async () => {
    const full = sendMany(running + waiting);
    await expect(send('compare', SHOP, '192.0.2.1').result).rejects.toEqual(rejection);
    expect(slots.isIdle).toBe(true);
    for (const { end } of full) end('figures');
  });

  it('rejects a request that has waited for its shop for too long, before its deadline', async () => {
    stopClock(new Date('2026-11-28T12:00:00.000Z'));
    const [, late] = [send(), send()];
    const result = expect(late.result).rejects.toEqual(rejection);
    await jest.advanceTimersByTimeAsync(CONCURRENCY.statistics.waitSeconds * 1_000);
    await result;
    startClock();
  });

  it('lets the callers of a shop check out in turns, however many checkouts of one caller wait', async () => {
    slots = new FairSlots({ total: 1_000, perCaller: 1_000 }, () => new Error('no slot'));
    const crowd = sendMany(CONCURRENCY.checkout.running + 5, 'placeOrder', SHOP, '192.0.2.1');
    const [buyer, elsewhere] = [send('placeOrder', SHOP, '192.0.2.2'), send('placeOrder', OTHER_SHOP, '192.0.2.2')];
    await settle();
    expect(runningIn([...crowd, buyer, elsewhere])).toEqual([
      ...crowd.map((_, index) => index < CONCURRENCY.checkout.running),
      ...[false, true],
    ]);
    crowd[0]?.end('placed');
    await settle();
    expect(runningIn([buyer])).toEqual([true]);
  });
});

import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type ExecutionContext, StreamableFile } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { lastValueFrom, Subject } from 'rxjs';
import { SHOP, OTHER_SHOP } from '../../../test/support/contexts.js';
import { AtOncePerShop, ConcurrencyInterceptor } from './concurrency.interceptor.js';
import { CONCURRENCY } from '../../domain/limits/concurrency.js';

class Routes {
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

  const send = (route: keyof Routes = 'compare', shopId = SHOP, destroyed = false): Sent => {
    const socket = Object.assign(new EventEmitter(), { destroyed });
    const response = Object.assign(new EventEmitter(), { writableEnded: false });
    const results = new Subject<unknown>();
    let isRunning = false;
    const context = {
      getHandler: () => Reflect.get(Routes.prototype, route) as unknown,
      getClass: () => Routes,
      switchToHttp: () => ({ getRequest: () => ({ socket, params: { shopId } }), getResponse: () => response }),
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
    interceptor = new ConcurrencyInterceptor(new Reflector());
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
});

import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { SHOP, OTHER_SHOP } from '../../../test/support/contexts.js';
import { AtOncePerShop, ConcurrencyGuard } from './concurrency.guard.js';

class Routes {
  @AtOncePerShop(2) limited(): void {}
  @AtOncePerShop(2) alsoLimited(): void {}
  unlimited(): void {}
}

/** A request that the guard let in. */
interface Running {
  readonly socket: EventEmitter & { destroyed: boolean };
  readonly response: EventEmitter;
}

describe('ConcurrencyGuard', () => {
  let guard: ConcurrencyGuard;

  const enter = (shopId = SHOP, route: keyof Routes = 'limited', destroyed = false): Running => {
    const socket = Object.assign(new EventEmitter(), { destroyed });
    const response = new EventEmitter();
    const context = {
      getHandler: () => Reflect.get(Routes.prototype, route) as unknown,
      getClass: () => Routes,
      switchToHttp: () => ({ getRequest: () => ({ socket, params: { shopId } }), getResponse: () => response }),
    } as unknown as ExecutionContext;
    expect(guard.canActivate(context)).toBe(true);
    return { socket, response };
  };
  const rejection = expect.objectContaining({ code: 'too_many_at_once', headers: { 'Retry-After': '10' } });

  beforeEach(() => {
    guard = new ConcurrencyGuard(new Reflector());
  });

  it('lets as many requests run as the route allows, and rejects the next one', () => {
    enter();
    enter(SHOP.toUpperCase());
    expect(() => enter()).toThrow(rejection);
  });

  it('counts each shop and each route alone, and no route without a limit', () => {
    for (let count = 0; count < 2; count++) {
      enter();
      enter(OTHER_SHOP);
      enter(SHOP, 'alsoLimited');
    }
    for (let count = 0; count < 5; count++) enter(SHOP, 'unlimited');
    expect(() => enter()).toThrow(rejection);
  });

  it.each<[string, (running: Running) => void]>([
    ['its response is sent', ({ response }) => response.emit('close')],
    ['its connection is closed', ({ socket }) => socket.emit('close')],
    ['both happen', ({ response, socket }) => [response.emit('close'), socket.emit('close')]],
  ])('counts a request until %s, and then once', (_, end) => {
    const first = enter();
    enter();
    end(first);
    expect([first.socket, first.response].map((emitter) => emitter.listenerCount('close'))).toEqual([0, 0]);
    enter();
    expect(() => enter()).toThrow(rejection);
  });

  it('ignores a request whose client has left already', () => {
    enter(SHOP, 'limited', true);
    enter();
    enter();
    expect(() => enter()).toThrow(rejection);
  });

  it('forgets a shop without running requests', () => {
    const running = [enter(), enter()];
    for (const { response } of running) response.emit('close');
    expect((guard as unknown as { running: Map<string, number> }).running.size).toBe(0);
  });
});

import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type ExecutionContext } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { startClock, stopClock } from '../../../test/support/clock.js';
import { REQUEST_SLOTS } from '../../domain/limits/concurrency.js';
import { type AppConfig } from '../../infrastructure/config/app-config.js';
import { type Slot } from '../../lib/concurrency/fair-slots.js';
import { asOwnCall } from '../requests/own-calls.js';
import { RequestSlots, whileOthersRun } from './request-slots.js';
import { SlotGuard } from './slot.guard.js';

const { perCaller, total, verifying, waiting, waitingOfAddress } = REQUEST_SLOTS;
const REJECTION = expect.objectContaining({
  code: 'too_many_at_once',
  message:
    'At most 16 requests of one API key, person or address run at once, and 64 more wait; send the next one when one has finished',
  headers: { 'Retry-After': '1' },
});

interface Sent {
  readonly request: Request & { slot?: Slot };
  readonly response: EventEmitter;
  state: 'waiting' | 'running' | 'rejected';
  error?: unknown;
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
};

describe('RequestSlots', () => {
  let slots: RequestSlots;
  /** Sends a request. @param run what its later steps do */
  const send = (
    { path = '/api/v2/shops', ip = '192.0.2.1', headers = {} } = {},
    run: (sent: Sent) => unknown = () => undefined,
  ): Sent => {
    const response = new EventEmitter();
    const request = { path, ip, headers, res: response } as unknown as Sent['request'];
    const sent: Sent = { request, response, state: 'waiting' };
    slots.take(request, response as unknown as Response, (error?: unknown) => {
      sent.state = error === undefined ? 'running' : 'rejected';
      sent.error = error;
      if (error === undefined) run(sent);
    });
    return sent;
  };
  const sendMany = (count: number, ...parameters: Parameters<typeof send>): Sent[] =>
    Array.from({ length: count }, () => send(...parameters));
  const countOf = async (all: readonly Sent[], state: Sent['state']): Promise<number> => {
    await settle();
    return all.filter((sent) => sent.state === state).length;
  };
  /** Takes all slots, with as many callers as that needs. */
  const takeAll = (): Sent[] =>
    Array.from({ length: total / perCaller }, (_, number) =>
      sendMany(perCaller, { ip: `198.51.100.${number}` }),
    ).flat();

  beforeEach(() => {
    stopClock(new Date('2026-11-28T12:00:00.000Z'));
    slots = new RequestSlots({ timeLimitFactor: 1, rateLimitFactor: 1 } as AppConfig);
  });
  afterEach(startClock);

  it('lets 16 requests of an address run, 256 wait, and rejects one more, with what to do', async () => {
    const all = sendMany(perCaller + waitingOfAddress + 1);
    expect([await countOf(all, 'running'), await countOf(all, 'waiting')]).toEqual([perCaller, waitingOfAddress]);
    expect(all.at(-1)?.error).toEqual(REJECTION);
    expect(await countOf([send({ ip: '192.0.2.2' })], 'running')).toBe(1);
  });

  it.each([
    ['requests with one key', '/api/v2/shops', { 'x-api-key': 'one' }, { 'x-api-key': 'other' }],
    ['requests of one person', '/api/v2/shops', { authorization: 'Bearer one' }, { authorization: 'Bearer other' }],
  ])(
    'lets those of others at the address wait in turns with %s, and those without a credential run',
    async (...row) => {
      const [, path, one, other] = row;
      const burst = sendMany(verifying + waitingOfAddress, { path, headers: one });
      const another = send({ path, headers: other });
      expect([await countOf(burst, 'rejected'), await countOf([another], 'waiting')]).toEqual([1, 1]);
      expect(await countOf(sendMany(perCaller, { path }), 'running')).toBe(perCaller);
      for (const { request } of burst.slice(0, 2)) request.slot?.leave();
      expect(await countOf([another], 'running')).toBe(1);
    },
  );

  it('lets the webhooks of one path wait in turns with the others of their address', async () => {
    const path = (secret: string): string => `/api/v2/payments/webhooks/stripe/${'a'.repeat(24)}/${secret}`;
    const burst = sendMany(verifying + waitingOfAddress, { path: path('one') });
    const another = send({ path: path('other') });
    for (const { request } of burst.slice(0, 2)) request.slot?.leave();
    expect([await countOf(burst, 'rejected'), await countOf([another], 'running')]).toEqual([1, 1]);
  });

  it('counts the addresses of a /64 as one', async () => {
    const all = Array.from({ length: perCaller + 1 }, (_, host) => send({ ip: `2001:db8::${host + 1}` }));
    expect([await countOf(all, 'running'), await countOf([send({ ip: '2001:db8:0:1::1' })], 'running')]).toEqual([
      16, 1,
    ]);
  });

  it('moves requests from their address to the key or the person, of whom 64 more wait, and others behind the address run', async () => {
    const moved: unknown[] = [];
    const move = ({ request }: Sent): void => {
      moved.push(slots.move(request, 'key:1')?.catch((error: unknown) => error));
    };
    const all = sendMany(perCaller + waiting + 1, {}, move);
    await settle();
    expect(moved.filter((result) => result === undefined)).toHaveLength(perCaller);
    expect(await moved.at(-1)).toEqual(REJECTION);
    expect(await countOf(sendMany(perCaller), 'running')).toBe(perCaller);
    for (const { request } of all) request.slot?.leave();
  });

  const KEY = { 'x-api-key': 'shp_1' };
  it.each<[string, string, object | undefined, Sent['state']]>([
    ['a key for the key', '/api/v2/shops', { principal: 'key:1', publicView: false }, 'waiting'],
    ['a storefront key for the address', '/api/v2/shops', { principal: 'key:1', publicView: true }, 'running'],
    ['a key that nobody verified for the address', '/api/v2/shops', undefined, 'running'],
    ['a webhook, until its secret is verified, for neither', `/api/v2/payments/webhooks/a/b/c`, undefined, 'running'],
  ])('after the guard, counts a request with %s', async (_, path, auth, expected) => {
    const guard = new SlotGuard(slots);
    const enter = (ip: string): Sent =>
      send({ path, ip, headers: KEY }, (sent) => {
        Object.assign(sent.request, { auth });
        const context = { switchToHttp: () => ({ getRequest: () => sent.request }) } as unknown as ExecutionContext;
        const passed = guard.canActivate(context);
        if (passed !== true) sent.state = 'waiting';
      });
    for (let number = 0; number < perCaller; number++) enter(`192.0.2.${number}`);
    const last = enter('203.0.113.1');
    expect(await countOf([last], expected)).toBe(1);
    const whose = expected === 'waiting' ? 'key:1' : path.includes('webhooks') ? 'webhooks of' : 'address';
    expect(last.request.slot?.caller?.key).toMatch(whose);
  });

  it.each(['/api/v2/health/ready', '/API/v2/health/live', '/api/v2/openapi.json', '/api/v2/docs/swagger-ui.css'])(
    'never lets %s wait',
    async (path) => {
      takeAll();
      sendMany(perCaller + 1);
      expect(await countOf([send({ path })], 'running')).toBe(1);
      expect(await countOf([send({ path: '/api/v2/healthy', ip: '192.0.2.3' })], 'waiting')).toBe(1);
    },
  );

  it('counts webhooks of payments by webhook once their secret is verified, and apart from the other requests of their address', async () => {
    const path = `/api/v2/payments/webhooks/stripe/${'a'.repeat(24)}/secret`;
    const moved: unknown[] = [];
    const run = (name: string) => (): void => void moved.push(slots.moveCurrent(`webhook ${name}`, 0));
    sendMany(perCaller + 1);
    sendMany(perCaller, { path }, run('one'));
    sendMany(total - 2 * perCaller + 1, { path }, run('one'));
    sendMany(1, { path }, run('other'));
    await settle();
    // All slots are taken: the rest waits for them, and not for the address.
    expect(moved).toEqual(Array(total - perCaller).fill(undefined));
  });

  it('lets a call of the service to itself take no slot, and no call that only pretends to be one', async () => {
    const path = `/api/v2/payments/webhooks/test/${'a'.repeat(24)}/secret`;
    takeAll();
    await asOwnCall(async (headers) => {
      expect(await countOf([send({ path, headers })], 'running')).toBe(1);
      expect(await countOf([send({ path, headers: { 'x-own-call': 'guess' } })], 'waiting')).toBe(1);
      expect(await countOf([send({ headers, ip: '192.0.2.4' })], 'waiting')).toBe(1);
      Object.assign(globalThis, { kept: headers });
    });
    const { kept } = globalThis as unknown as { readonly kept: Record<string, string> };
    expect(await countOf([send({ path, headers: kept })], 'waiting')).toBe(1);
  });

  it('rejects a request that has waited for 3 seconds in all', async () => {
    const all = takeAll();
    for (const { request } of all.slice(0, perCaller)) expect(slots.move(request, 'key:1')).toBeUndefined();
    let moved: unknown;
    const waits = send({}, ({ request }) => {
      moved = slots.move(request, 'key:1')?.catch((error: unknown) => error);
    });
    await jest.advanceTimersByTimeAsync(2_000);
    all.at(-1)?.request.slot?.leave();
    expect(await countOf([waits], 'running')).toBe(1);
    await jest.advanceTimersByTimeAsync(1_000);
    expect([waits.request.slot?.waitedMs, await moved]).toEqual([3_000, REJECTION]);
  });

  it('does not begin a request whose client leaves while it waits, and listens to nothing after that', async () => {
    const all = sendMany(perCaller + 2);
    const [left, next] = all.slice(-2) as [Sent, Sent];
    left.response.emit('close');
    all[0]?.request.slot?.leave();
    expect([await countOf([left], 'rejected'), await countOf([next], 'running')]).toEqual([1, 1]);
    expect([left, next].map(({ response }) => response.listenerCount('close'))).toEqual([0, 0]);
  });

  it('leaves its slot to others while it waits for a server of somebody else', async () => {
    let respond = (): void => undefined;
    const responded = new Promise<void>((resolve) => (respond = resolve));
    const results: string[] = [];
    const call = async (): Promise<void> => {
      results.push(await whileOthersRun(() => responded.then(() => 'paid')));
    };
    for (let number = 0; number < total / perCaller; number++)
      sendMany(perCaller, { ip: `198.51.100.${number}` }, call);
    const others = takeAll();
    const same = send({ ip: '198.51.100.0' });
    expect([await countOf([same], 'running'), await countOf(others, 'running')]).toEqual([0, 0]);
    const stranger = sendMany(perCaller, { ip: '203.0.113.1' });
    expect(await countOf(stranger, 'running')).toBe(perCaller);
    respond();
    await settle();
    expect(results).toHaveLength(total - perCaller);
    for (const { request } of stranger) request.slot?.leave();
    await settle();
    expect(results).toHaveLength(total);
    expect(await whileOthersRun(() => Promise.resolve('outside of a request'))).toBe('outside of a request');
  });

  it('makes the queues longer with RATE_LIMIT_FACTOR, and never shorter', async () => {
    for (const [rateLimitFactor, more] of [
      [2, 2],
      [0.1, 1],
    ] as const) {
      slots = new RequestSlots({ timeLimitFactor: 1, rateLimitFactor } as AppConfig);
      expect(await countOf(sendMany(1_000), 'waiting')).toBe(more * waitingOfAddress);
    }
  });
});

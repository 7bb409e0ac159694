import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type ExecutionContext } from '@nestjs/common';
import { ImageBodyGuard } from './image-body.guard.js';

interface Sent {
  readonly socket: EventEmitter & { destroyed: boolean };
  readonly response: EventEmitter & { writableEnded: boolean };
  readonly result: Promise<boolean>;
}

const rejection = (message: string): unknown =>
  expect.objectContaining({ code: 'too_many_at_once', message, headers: { 'Retry-After': '5' } });

describe('ImageBodyGuard', () => {
  let guard: ImageBodyGuard;
  beforeEach(() => {
    guard = new ImageBodyGuard();
  });

  /** Sends an upload without a body. @param hasLeft whether its client has left already */
  const send = (userId: string, hasLeft = false): Sent => {
    const socket = Object.assign(new EventEmitter(), { destroyed: hasLeft });
    const response = Object.assign(new EventEmitter(), { writableEnded: false });
    const context = {
      switchToHttp: () => ({
        getRequest: () => ({ socket, headers: {}, auth: { userId } }),
        getResponse: () => response,
      }),
    } as unknown as ExecutionContext;
    return { socket, response, result: guard.canActivate(context) };
  };

  it('lets one person upload two images, and all together sixteen, until their responses are sent', async () => {
    const all = Array.from({ length: 16 }, (_, number) => send(`person ${number % 8}`));
    expect(await Promise.all(all.map(({ result }) => result))).toEqual(all.map(() => true));
    const [one, others] = ['At most 2 images of one person', 'At most 16 images of all persons together'];
    await expect(send('person 0').result).rejects.toEqual(rejection(`${one} are uploaded at once`));
    await expect(send('person 9').result).rejects.toEqual(rejection(`${others} are uploaded at once`));
    all[0]?.response.emit('close');
    await Promise.resolve();
    expect(await send('person 0').result).toBe(true);
  });

  it('does not count an upload whose client left before it, or while its response waits behind others', async () => {
    const left = [send('Alex', true), send('Alex', true)];
    await Promise.all(left.map(({ result }) => result));
    const waiting = [send('Alex'), send('Alex')];
    await Promise.all(waiting.map(({ result }) => result));
    for (const { socket } of waiting) socket.emit('close');
    await Promise.resolve();
    expect(await send('Alex').result).toBe(true);
  });
});

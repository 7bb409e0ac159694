import { once } from 'node:events';
import { type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { pino } from 'pino';
import { startClock, stopTimers } from '../../test/support/clock.js';
import { eventually } from '../../test/support/eventually.js';
import { Connections } from '../http/server/connections.js';
import { SECOND_MS } from '../lib/time/durations.js';
import { Shutdown } from './shutdown.js';

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const HALF_SENT = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n{';

describe('A stop', () => {
  let connections: Connections;
  /** The responses that the service works on. */
  let working: ServerResponse[];
  let shutdown: Shutdown;
  let exit: jest.SpiedFunction<typeof process.exit>;
  let sockets: Socket[];
  let earlier: NodeJS.SignalsListener[];

  beforeEach(async () => {
    [working, sockets] = [[], []];
    connections = new Connections(
      (_request, response) => working.push(response),
      1,
      () => null,
    );
    await once(connections.server.listen(0, '127.0.0.1'), 'listening');
    exit = jest.spyOn(process, 'exit').mockReturnValue(undefined as never);
    earlier = process.listeners('SIGTERM');
    stopTimers();
    shutdown = new Shutdown(pino({ enabled: false }), 0);
  });
  afterEach(() => {
    startClock();
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      for (const listener of process.listeners(signal)) if (!earlier.includes(listener)) process.off(signal, listener);
    for (const socket of sockets) socket.destroy();
    connections.destroyAll();
    connections.server.close();
  });

  /** Opens a connection and returns what it reads. */
  const open = async (bytes: string): Promise<() => string> => {
    const socket = connect({ port: (connections.server.address() as AddressInfo).port, host: '127.0.0.1' });
    sockets.push(socket);
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString())).on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(bytes);
    return () => text;
  };
  const expectOpen = (count: number): Promise<unknown> =>
    eventually(() => Promise.resolve(connections.count === count));
  /** Sends SIGTERM, and waits until the service does not listen any more. */
  const stop = async (): Promise<void> => {
    // The second that connections have for one more request is a real one.
    const count = jest.spyOn(connections, 'count', 'get').mockReturnValue(0);
    const closing = new Promise<void>((resolve) => {
      const app = {
        getHttpAdapter: () => ({ connections }),
        get: () => ({ stop: () => undefined }),
        close: () => {
          resolve();
          return connections.close();
        },
      };
      shutdown.serve(app as unknown as NestExpressApplication);
    });
    process.emit('SIGTERM');
    await closing;
    count.mockRestore();
  };
  const expectExit = (code: number): Promise<unknown> =>
    eventually(() => Promise.resolve(exit.mock.calls.some(([given]) => given === code)));

  it('sends the response of a request that takes 5 s, and destroys half-sent requests after 2 s', async () => {
    const read = await open(GET);
    await open(HALF_SENT);
    await eventually(() => Promise.resolve(working.length === 2));
    await stop();
    jest.advanceTimersByTime(2 * SECOND_MS - 1);
    await expectOpen(2);
    jest.advanceTimersByTime(1);
    await expectOpen(1);
    jest.advanceTimersByTime(3 * SECOND_MS);
    working[0]?.end('done');
    await eventually(() => Promise.resolve(read().endsWith('done')));
    await expectExit(0);
  });

  it('destroys a request that takes 12 s, and exits with 0', async () => {
    await open(GET);
    await eventually(() => Promise.resolve(working.length === 1));
    await stop();
    jest.advanceTimersByTime(12 * SECOND_MS - 1);
    expect(working[0]?.destroyed).toBe(false);
    jest.advanceTimersByTime(1);
    await expectOpen(0);
    await expectExit(0);
  });

  it('exits with 1 after 20 s when a part of the service hangs', async () => {
    const hanging = new Promise<void>((resolve) => {
      shutdown.add(() => {
        resolve();
        return new Promise(() => undefined);
      });
    });
    await stop();
    await hanging;
    jest.advanceTimersByTime(20 * SECOND_MS - 1);
    expect(exit).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(exit).toHaveBeenCalledWith(1);
  });

  it('exits with 1 when a step fails', async () => {
    shutdown.add(() => Promise.reject(new Error('the disk is gone')));
    await stop();
    await expectExit(1);
  });
});

import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { eventually, settled } from '../../../test/support/eventually.js';
import { MINUTE_MS } from '../../lib/time/durations.js';
import { RedisStorage } from './redis-storage.js';

/** A Redis (RESP) that accepts connections, and gives no response to a request that is to be counted. */
let redis: Server;
let sockets: Socket[];
let storage: RedisStorage;
/** How many requests it was to count. */
let counts: number;

beforeEach(async () => {
  Logger.overrideLogger(false);
  [sockets, counts] = [[], 0];
  redis = createServer((socket) => {
    sockets.push(socket);
    socket.on('data', (chunk: Buffer) => {
      for (const command of chunk.toString().split(/^(?=\*\d)/m)) {
        if (/eval/i.test(command)) counts++;
        else socket.write(/info/i.test(command) ? '$9\r\nloading:0\r\n' : '+OK\r\n');
      }
    });
  }).listen(0, '127.0.0.1');
  await once(redis, 'listening');
});
afterEach(() => {
  jest.restoreAllMocks();
  storage.onApplicationShutdown();
  for (const socket of sockets) socket.destroy();
  redis.close();
});

/** Counts a request of a limit that no number of polls reaches. */
const count = (limit: string) =>
  settled(storage.increment('a', MINUTE_MS, 1_000_000, 0, limit), 'the end of the wait for Redis');

describe('RedisStorage', () => {
  it('waits a quarter of a second for Redis, and then sends it nothing for a second', async () => {
    const waits = jest.spyOn(globalThis, 'setTimeout');
    storage = new RedisStorage(`redis://127.0.0.1:${(redis.address() as AddressInfo).port}`, 1);
    const now = jest.spyOn(performance, 'now');
    await eventually(
      async () => {
        // Until the connection is ready, each request pauses the requests to Redis.
        now.mockReturnValue(performance.now() + 2_000);
        expect(await count('anonymous')).toMatchObject({ isBlocked: false });
        return counts === 1;
      },
      () => `${counts} requests to count, ${sockets.length} connections`,
    );
    expect(waits.mock.calls.map(([, delayMs]) => delayMs)).toContain(250);
    await expect(count('login')).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(counts).toBe(1);
  });
});

import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { type Connection } from 'mongoose';
import { startClock, stopClock } from '../../../test/support/clock.js';
import { type AppConfig } from '../config/app-config.js';
import { DatabasePing } from './database-ping.js';

beforeEach(() => {
  stopClock(new Date('2026-11-28T12:00:00.000Z'));
});
afterEach(startClock);

it.each([
  [499, 1, 'alive'],
  [501, 1, 'service_unavailable'],
  [999, 2, 'alive'],
  [1_001, 2, 'service_unavailable'],
])('takes a database that responds after %i ms with the factor %i for: %s', async (responseMs, factor, expected) => {
  const ping = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, responseMs));
  const connection = { db: { admin: () => ({ ping }) } } as unknown as Connection;
  const pinged = new DatabasePing(connection, { timeLimitFactor: factor } as AppConfig).ping().then(
    () => ({ code: 'alive' }),
    (error: unknown) => error,
  );
  await jest.advanceTimersByTimeAsync(responseMs);
  expect(await pinged).toMatchObject({ code: expected });
  expect(jest.getTimerCount()).toBe(0);
});

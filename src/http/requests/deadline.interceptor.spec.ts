import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { type CallHandler, type ExecutionContext } from '@nestjs/common';
import { firstValueFrom, from } from 'rxjs';
import { startClock, stopClock } from '../../../test/support/clock.js';
import { type AppConfig } from '../../infrastructure/config/app-config.js';
import { DeadlineInterceptor } from './deadline.interceptor.js';

beforeEach(() => {
  stopClock(new Date('2026-11-28T12:00:00.000Z'));
});
afterEach(startClock);

/** The response to a request whose handler takes a time. */
function responseAfter(handlerMs: number, timeLimitFactor = 1, slot?: { waitedMs: number }): Promise<unknown> {
  const handler = new Promise((resolve) => setTimeout(() => resolve('done'), handlerMs));
  const next: CallHandler = { handle: () => from(handler) };
  const interceptor = new DeadlineInterceptor({ timeLimitFactor } as AppConfig);
  const context = { switchToHttp: () => ({ getRequest: () => ({ slot }) }) } as unknown as ExecutionContext;
  const response = firstValueFrom(interceptor.intercept(context, next)).catch((error: unknown) => error);
  return jest.advanceTimersByTimeAsync(handlerMs).then(() => response);
}

it.each([
  [9_999, 1],
  [19_999, 2],
])('returns what a handler returns after %i ms with the factor %i', async (handlerMs, factor) => {
  expect(await responseAfter(handlerMs, factor)).toBe('done');
});

it.each([
  [10_001, 1],
  [20_001, 2],
])('returns 503 when a handler takes %i ms with the factor %i', async (handlerMs, factor) => {
  expect(await responseAfter(handlerMs, factor)).toMatchObject({ code: 'service_unavailable' });
});

it('counts the time that the request has waited for its slot', async () => {
  expect(await responseAfter(6_999, 1, { waitedMs: 3_000 })).toBe('done');
  expect(await responseAfter(7_001, 1, { waitedMs: 3_000 })).toMatchObject({ code: 'service_unavailable' });
});

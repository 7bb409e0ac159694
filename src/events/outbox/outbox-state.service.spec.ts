import { afterEach, expect, it } from '@jest/globals';
import { startClock, stopDate } from '../../../test/support/clock.js';
import { type Call, recording } from '../../../test/support/fakes.js';
import { type OutboxEntriesRepository } from './outbox-entries.repository.js';
import { OutboxStateService } from './outbox-state.service.js';

const NOW = new Date('2026-11-26T12:00:00.000Z');
const LATEST = new Date('2026-11-26T11:00:00.000Z');

afterEach(startClock);

it('counts the messages that were set aside in the last 24 hours, at most 100', async () => {
  stopDate(NOW);
  const calls: Call[] = [];
  const entries = recording<OutboxEntriesRepository>(calls, {
    failures: () => Promise.resolve({ count: 2, latest: LATEST }),
  });
  const failures = await new OutboxStateService(entries).failures('email');
  expect(failures).toEqual({ failedInLastDay: 2, lastFailedAt: LATEST });
  expect(calls).toEqual([['failures', 'email', new Date('2026-11-25T12:00:00.000Z'), 100]]);
});

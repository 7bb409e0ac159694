import { describe, expect, it } from '@jest/globals';
import {
  type FailedDelivery,
  failureGroups,
  failureOf,
  type LastAttempt,
  MAX_REASON_LENGTH,
  reasonOf,
} from './failure-rules.js';

const AT = new Date('2026-11-21T13:41:22.000Z');
const LEASED_UNTIL = new Date('2026-11-21T13:43:00.000Z');

const delivery = (id: string, changes: Partial<FailedDelivery> = {}): FailedDelivery => ({
  ...{ id, orderId: `order of ${id}`, serverId: 'server-1', nickname: 'Steve_42', attempt: 1, attemptsLeft: 4 },
  ...changes,
});
const attempt = (deliveryId: string, changes: Partial<LastAttempt> = {}): LastAttempt => ({
  ...{ deliveryId, nickname: 'Steve_42', result: 'failed', output: 'Unknown command: lp' },
  ...{ leaseUntil: LEASED_UNTIL, acknowledgedAt: AT },
  ...changes,
});

describe('reasonOf', () => {
  it.each([
    ['Unknown command: lp.\nType "/help"', 'Unknown command: lp. Type "/help"'],
    ['Player steve_42 was not found', 'Player {nickname} was not found'],
    ['Steve_420 is full', 'Steve_# is full'],
    ['id 069a79f4-44e9-4726-a5be-fca90e38aaf5, order 655f1c2ab1e4a9d3f0c81250', 'id #, order #'],
    ['No slot 3 of 12 at 13:41:22', 'No slot # of # at #:#:#'],
    ['deadbeef is a word', 'deadbeef is a word'],
    [' \n ', ''],
  ])('makes %j the reason %j', (output, reason) => {
    expect(reasonOf(output, ['Steve_42'])).toBe(reason);
  });

  it('keeps the beginning of a long output', () => {
    expect(reasonOf('word '.repeat(500), ['Steve_42'])).toHaveLength(MAX_REASON_LENGTH - 1);
  });
});

describe('failureOf', () => {
  it.each<[string, FailedDelivery, LastAttempt | undefined, object]>([
    ['an output', delivery('1'), attempt('1'), { cause: 'printed', reason: 'Unknown command: lp', at: AT }],
    ['no output', delivery('1'), attempt('1', { output: null }), { cause: 'reported', reason: null, at: AT }],
    ['a blank output', delivery('1'), attempt('1', { output: '\n' }), { cause: 'reported', reason: null, at: AT }],
    [
      'no report',
      delivery('1'),
      attempt('1', { result: null, output: null, acknowledgedAt: null }),
      { cause: 'unconfirmed', reason: null, at: LEASED_UNTIL },
    ],
    [
      'no attempt',
      delivery('1', { attempt: 0, attemptsLeft: 5 }),
      undefined,
      { cause: 'not_run', reason: null, at: null },
    ],
    [
      'only attempts before it was queued again',
      delivery('1', { attemptsLeft: 5 }),
      attempt('1'),
      { cause: 'not_run', reason: null, at: null },
    ],
  ])('says why a delivery with %s failed', (_, failed, last, failure) => {
    expect(failureOf(failed, last)).toEqual(failure);
  });

  it('finds the nickname that the attempt ran with, also when staff have changed that of the delivery', () => {
    const last = attempt('1', { nickname: 'Stve_42', output: 'Stve_42 is not here' });
    expect(failureOf(delivery('1'), last).reason).toBe('{nickname} is not here');
  });
});

describe('failureGroups', () => {
  const later = new Date(AT.getTime() + 60_000);

  it('groups by reason, the largest group first, with its servers, its times and its newest delivery', () => {
    const failed = [
      delivery('5', { serverId: null }),
      delivery('4'),
      delivery('3', { serverId: 'server-2' }),
      delivery('2', { nickname: 'Alex' }),
    ];
    const attempts = [
      attempt('5', { output: null }),
      attempt('4', { output: 'Steve_42 left' }),
      attempt('3', { output: 'Steve_42 left', acknowledgedAt: later }),
      attempt('2', { output: 'Alex left', nickname: 'Alex' }),
    ];
    const groups = failureGroups(failed, attempts);
    expect(groups).toMatchObject([
      {
        ...{ cause: 'printed', reason: '{nickname} left', count: 3, serverIds: ['server-1', 'server-2'] },
        ...{ firstAt: AT, lastAt: later, latest: { id: '4', orderId: 'order of 4' } },
      },
      { cause: 'reported', reason: null, count: 1, serverIds: [null] },
    ]);
    expect(groups.map(({ key }) => key)).toEqual([
      expect.stringMatching(/^[\da-f]{24}$/),
      expect.not.stringMatching(groups[0]?.key ?? ''),
    ]);
  });

  it('has no times when no attempt tells', () => {
    const [group] = failureGroups([delivery('1', { attemptsLeft: 5 })], []);
    expect(group).toMatchObject({ cause: 'not_run', firstAt: null, lastAt: null });
  });
});

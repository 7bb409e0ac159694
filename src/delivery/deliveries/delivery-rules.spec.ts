import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aDelivery } from '../../../test/support/deliveries.js';
import { DAY_MS, MINUTE_MS } from '../../lib/time/durations.js';
import {
  begin,
  decide,
  decided,
  type Decision,
  endedLeases,
  isRenamable,
  isUnreported,
  storedOutput,
  leased,
  MAX_OUTPUT_LENGTH,
  shownState,
  stateOfAll,
  unsafeCommand,
} from './delivery-rules.js';
import {
  ATTEMPT_RESULTS,
  type AttemptResult,
  type Delivery,
  DELIVERY_STATES,
  type DeliveryAttempt,
  type DeliveryState,
  isDone,
  type Renamer,
} from './delivery.types.js';
import { NO_COMMANDS } from '../../../test/support/commands.js';

const order = {
  id: '655f1c2ab1e4a9d3f0c81250',
  nickname: 'Steve 42',
  items: [
    { quantity: 1, commands: ['say hello', 'log {orderId}'] },
    { quantity: 1000, commands: ['give "{nickname}" key {quantity}'] },
    { quantity: 2, commands: [] },
  ],
};

const SERVER = '655f1c2ab1e4a9d3f0c81260';
const UNTIL = new Date(Date.UTC(2026, 10, 21, 12, 2));

const NOW = new Date(Date.UTC(2026, 10, 21, 12));

const delivery = aDelivery({ orderId: order.id });

const attemptOf = (attempt: number, result: AttemptResult | null = null): DeliveryAttempt => ({
  id: '655f1c2ab1e4a9d3f0c812b0',
  shopId: delivery.shopId,
  deliveryId: delivery.id,
  attempt,
  serverId: SERVER,
  nickname: 'Alex_42',
  leasedBy: 'key:1',
  leasedAt: new Date(0),
  leaseUntil: UNTIL,
  result,
  output: null,
  acknowledgedAt: null,
});

it.each([
  ['leased', UNTIL, 'leased'],
  ['leased', NOW, 'queued'],
  ['queued', UNTIL, 'queued'],
  ['delivered', NOW, 'delivered'],
] as const)('shows a delivery that is %s until %s as %s', (state, dueAt, shown) => {
  expect(shownState({ state, dueAt }, NOW)).toBe(shown);
});

it('finds the orders all of whose leases are over, with their latest attempt', () => {
  const leases = [
    { orderId: 'over', dueAt: NOW, attempt: 2 },
    { orderId: 'over', dueAt: NOW, attempt: 1 },
    { orderId: 'in part', dueAt: UNTIL, attempt: 1 },
    { orderId: 'in part', dueAt: NOW, attempt: 3 },
  ];
  expect([...endedLeases(leases, NOW)]).toEqual([['over', 2]]);
});

describe('unsafeCommand', () => {
  it('finds none when every command can run with the nickname', () => {
    expect(unsafeCommand(order)).toBeNull();
  });

  it('finds the one command of many that is not safe with the nickname', () => {
    const items = [...order.items, { quantity: 1, commands: ['say hello', 'give {nickname} vip', 'say hello'] }];
    expect(unsafeCommand({ ...order, items })).toContain('the nickname may contain only letters from A to Z, digits');
    expect(unsafeCommand({ ...order, items, nickname: 'Steve_42' })).toBeNull();
  });

  it('finds every command for an erased buyer, also one without the nickname', () => {
    const items = [{ quantity: 1, commands: ['say hello'] }];
    const erased = { id: 'o', nickname: 'erased-5d1f0c3b7a9e2468ace01357', items };
    expect(unsafeCommand(erased)).toBe('erased-5d1f0c3b7a9e2468ace01357 stands for an erased buyer');
    expect(unsafeCommand({ ...erased, nickname: 'erased-Steve' })).toBeNull();
  });

  it('finds a template that was stored without its check', () => {
    const items = [{ quantity: 1, commands: ['say x{nickname}'] }];
    expect(unsafeCommand({ ...order, items, nickname: 'Steve_42' })).toBe('A command of this order is not safe to run');
  });
});

describe('leased', () => {
  it('leases the next attempt for the server, with the commands filled in', () => {
    const commands = ['give {nickname} key {quantity}', 'log {orderId} {uuid} {quantity}'];
    expect(leased(delivery, { ...NO_COMMANDS, commands }, SERVER, UNTIL)).toEqual({
      ...delivery,
      state: 'leased',
      serverId: SERVER,
      dueAt: UNTIL,
      attempt: 1,
      attemptsLeft: 4,
      commands: ['give Steve_42 key 3', `log ${order.id} {uuid} 3`],
      possiblyExecuted: false,
    });
  });

  it.each([
    ['first', ['say more'], ['say higher'], 'say new'],
    ['extend', ['say more'], [], 'say more'],
    ['extend', [], ['say higher'], 'say new'],
    ['upgrade', [], ['say higher'], 'say higher'],
    ['upgrade', ['say more'], [], 'say new'],
  ] as const)(
    'runs for the stage %s, of %j and %j, the command %s',
    (stage, extendCommands, upgradeCommands, expected) => {
      const stages = { ...NO_COMMANDS, commands: ['say new'], extendCommands, upgradeCommands };
      expect(leased({ ...delivery, stage, quantity: 1 }, stages, SERVER, UNTIL)).toMatchObject({
        commands: [expected],
      });
    },
  );

  it('runs a command without {quantity} once for each unit, in each stage', () => {
    const stage = ['give {nickname} vip', 'give {nickname} key {quantity}'];
    const expected = [...Array<string>(3).fill('give Steve_42 vip'), 'give Steve_42 key 3'];
    const stages = { ...NO_COMMANDS, commands: stage, takeBackCommands: stage, expiryCommands: stage };
    for (const kind of ['purchase', 'take_back', 'expiry'] as const) {
      expect(leased({ ...delivery, kind }, stages, SERVER, UNTIL)).toMatchObject({ commands: expected });
    }
  });

  it.each([
    [0, 0, false],
    [1, 0, true],
    [1, 1, false],
    [3, 1, true],
    [3, 3, false],
  ])(
    'computes after attempt %i, of which %i was reported, possiblyExecuted: %s',
    (attempt, acknowledgedAttempt, expected) => {
      const next = leased({ ...delivery, attempt, acknowledgedAttempt }, NO_COMMANDS, SERVER, UNTIL);
      expect(next).toMatchObject({ attempt: attempt + 1, possiblyExecuted: expected });
    },
  );

  it.each([
    ['purchase', 'give'],
    ['take_back', 'take'],
    ['expiry', 'end'],
  ] as const)('leases for the kind %s the commands of its stage', (kind, word) => {
    const stages = {
      commands: ['give'],
      takeBackCommands: ['take'],
      expiryCommands: ['end'],
      extendCommands: [],
      upgradeCommands: [],
    };
    expect(leased({ ...delivery, kind, quantity: 1 }, stages, SERVER, UNTIL)).toMatchObject({ kind, commands: [word] });
  });

  it('leases no commands when one of them must not run', () => {
    const stages = { ...NO_COMMANDS, commands: ['say hi', 'give {nickname} key'] };
    const unsafe = leased({ ...delivery, nickname: 'x;quit' }, stages, SERVER, UNTIL);
    expect(Object.keys(unsafe)).toEqual(['problem']);
  });
});

describe('decide', () => {
  const running = { ...delivery, state: 'leased', attempt: 2 } as const;

  it.each<[string, Partial<Delivery>, DeliveryAttempt | undefined, AttemptResult, boolean, DeliveryState | null]>([
    ['an unknown attempt', {}, undefined, 'delivered', false, null],
    ['the attempt that is leased', {}, attemptOf(2), 'delivered', true, 'delivered'],
    ['the failure of the attempt that is leased', {}, attemptOf(2), 'failed', true, 'failed'],
    ['the same report again', { state: 'delivered' }, attemptOf(2, 'delivered'), 'delivered', true, null],
    ['another report of the same attempt', { state: 'delivered' }, attemptOf(2, 'delivered'), 'failed', false, null],
    ['an older attempt that delivered, nothing newer reported', {}, attemptOf(1), 'delivered', true, 'delivered'],
    ['an older attempt that failed: the newer one still runs', {}, attemptOf(1), 'failed', true, 'leased'],
    ['an older attempt after a newer one', { acknowledgedAttempt: 2 }, attemptOf(1), 'delivered', false, null],
    [
      'a late report of an item that counts as failed',
      { state: 'failed' },
      attemptOf(2),
      'delivered',
      true,
      'delivered',
    ],
    ['a late report of an item that was held back', { state: 'revoked' }, attemptOf(2), 'delivered', true, 'delivered'],
    ['a late report of an item queued again', { state: 'queued' }, attemptOf(2), 'delivered', true, 'delivered'],
    ['a late failure of an item queued again', { state: 'queued' }, attemptOf(2), 'failed', true, 'queued'],
    ['a newer failure of a delivered item', { state: 'delivered' }, attemptOf(2), 'failed', true, 'delivered'],
    ['an outcome that nobody saw', {}, attemptOf(2), 'uncertain', true, 'uncertain'],
    ['an unseen outcome of an older attempt', {}, attemptOf(1), 'uncertain', true, 'leased'],
    ['a late unseen outcome of what failed', { state: 'failed' }, attemptOf(2), 'uncertain', true, 'uncertain'],
    ['a late unseen outcome of what was held', { state: 'held' }, attemptOf(2), 'uncertain', true, 'uncertain'],
    ['a failure after the doubt', { state: 'uncertain' }, attemptOf(2, 'uncertain'), 'failed', true, 'failed'],
    ['a delivery after the doubt', { state: 'uncertain' }, attemptOf(2, 'uncertain'), 'delivered', true, 'delivered'],
    ['a failure without a report before', { state: 'uncertain' }, attemptOf(2), 'failed', true, 'failed'],
    ['the same doubt again', { state: 'uncertain' }, attemptOf(2, 'uncertain'), 'uncertain', true, null],
    ['an item that was handed over', {}, attemptOf(2), 'handed_over', true, 'handed_over'],
    [
      'a failure of an item that was handed over',
      { state: 'handed_over' },
      attemptOf(2),
      'failed',
      true,
      'handed_over',
    ],
    ['the release of an older attempt', {}, attemptOf(1), 'released', false, null],
    ['the release of what was held since', { state: 'held' }, attemptOf(2), 'released', false, null],
  ])('decides on %s', (_, before, attempt, status, accepted, state) => {
    const { changes, ...rest } = decide({ ...running, ...before }, attempt, { status }, NOW);
    expect([rest.accepted, changes?.state ?? null]).toEqual([accepted, state]);
    if (changes !== null) expect(changes.acknowledgedAttempt).toBe(attempt?.attempt);
  });

  it('gives a released delivery its attempt back, without a report, until it was released for a week', () => {
    const before = { ...running, attemptsLeft: 3, acknowledgedAttempt: 0 };
    const release = { status: 'released', retrySeconds: 60 } as const;
    const changes = { acknowledgedAttempt: 0, deliveredAt: null, deliveredTo: null, attemptsLeft: 4, releases: 1 };
    const dueAt = new Date(NOW.getTime() + MINUTE_MS);
    expect(decide(before, attemptOf(2), release, NOW).changes).toEqual({
      ...changes,
      ...{ state: 'queued', dueAt, releasedAt: NOW, isUnbegun: false },
    });
    const since = (releasedAt: Date): Decision => decide({ ...before, releasedAt }, attemptOf(2), release, NOW);
    expect(since(new Date(NOW.getTime() - 7 * DAY_MS + 1)).changes?.state).toBe('queued');
    expect(since(new Date(NOW.getTime() - 7 * DAY_MS)).changes?.state).toBe('failed');
  });

  it('gives what begun and then did not run all attempts back but those without a report', () => {
    const begun = { ...running, attempt: 2, attemptsLeft: 0, acknowledgedAttempt: 0 };
    const after = decide(begun, attemptOf(2), { status: 'released' }, NOW).changes;
    expect(after).toMatchObject({ state: 'queued', attemptsLeft: 4, releases: 1 });
  });

  it.each<[string, Partial<Delivery>, boolean]>([
    ['an attempt without a report', { attempt: 1 }, true],
    ['a reported attempt', { attempt: 1, acknowledgedAttempt: 1 }, false],
    ['a released attempt', { attempt: 2, releases: 1, acknowledgedAttempt: 1 }, false],
    ['a released attempt after one without a report', { attempt: 2, releases: 1 }, true],
    ['an attempt of an earlier run', { attempt: 2, earlierAttempts: 2 }, false],
    ['an attempt that can still begin', { state: 'leased', attempt: 1, isUnbegun: true }, true],
    ['an attempt that was held before it began', { state: 'held', attempt: 1, isUnbegun: true }, false],
    ['an attempt that was held before it began, after one without a report', { attempt: 2, isUnbegun: true }, true],
  ])('says of %s whether its commands may have run', (_, fields, expected) => {
    expect(isUnreported(aDelivery(fields))).toBe(expected);
  });

  it('counts only the releases after a late report', () => {
    const late = decide({ ...running, attempt: 4, releases: 2 }, attemptOf(2), { status: 'failed' }, NOW, [
      ...[attemptOf(1, 'released'), attemptOf(2), attemptOf(3, 'released'), attemptOf(4)],
    ]);
    expect(late.changes).toMatchObject({ acknowledgedAttempt: 2, releases: 1, state: 'leased' });
  });

  it.each<[string, Partial<Delivery>, AttemptResult, Date | null, string | null]>([
    ['a delivery', {}, 'delivered', NOW, 'Alex_42'],
    ['a late delivery of an item that was renamed since', { state: 'queued' }, 'delivered', NOW, 'Alex_42'],
    ['a failure', {}, 'failed', null, null],
    ['a failure of an item that was delivered before', { deliveredAt: UNTIL, deliveredTo: 'S' }, 'failed', UNTIL, 'S'],
    [
      'a second report of a delivered item',
      { state: 'delivered', deliveredAt: UNTIL, deliveredTo: 'S' },
      'delivered',
      UNTIL,
      'S',
    ],
  ])('keeps when and to whom an item was delivered: %s', (_, before, status, deliveredAt, deliveredTo) => {
    const { changes } = decide({ ...running, ...before }, attemptOf(2), { status }, NOW);
    expect(changes).toMatchObject({ deliveredAt, deliveredTo });
  });

  it('keeps a delivered item delivered, and accepts nothing twice as something else, in any order of reports', () => {
    const report = fc.record({ attempt: fc.integer({ min: 1, max: 4 }), status: fc.constantFrom(...ATTEMPT_RESULTS) });
    fc.assert(
      fc.property(fc.array(report, { maxLength: 12 }), fc.constantFrom(...DELIVERY_STATES), (reports, state) => {
        let now: Delivery = { ...delivery, state, attempt: 4 };
        const stored = new Map<number, AttemptResult>();
        for (const { attempt, status } of reports) {
          const known = attemptOf(attempt, stored.get(attempt) ?? null);
          const { accepted, changes } = decide(now, known, { status }, NOW);
          const before = stored.get(attempt);
          const isDecided = before === 'uncertain' && (status === 'delivered' || status === 'failed');
          if (before !== undefined && !isDecided) expect([accepted, changes]).toEqual([before === status, null]);
          if (now.state === 'delivered' && changes !== null) expect(changes.state).toBe('delivered');
          if (accepted && status === 'delivered') expect(isDone(changes?.state ?? now.state)).toBe(true);
          if (changes === null) continue;
          expect(changes.acknowledgedAttempt).toBeGreaterThanOrEqual(now.acknowledgedAttempt);
          now = { ...now, ...changes };
          stored.set(attempt, status);
        }
      }),
    );
  });
});

describe('begin', () => {
  const running = { ...delivery, state: 'leased', attempt: 2, attemptsLeft: 4 } as const;

  it('renews the lease of an attempt that has begun, and never leases the delivery again by itself', () => {
    const { accepted, changes } = begin(running, attemptOf(2), UNTIL);
    expect(accepted).toBe(true);
    expect(changes).toMatchObject({ state: 'leased', dueAt: UNTIL, attemptsLeft: 0 });
  });

  it.each<[string, Partial<Delivery>, DeliveryAttempt | undefined]>([
    ['is unknown', {}, undefined],
    ['was followed by another', { attempt: 3 }, attemptOf(2)],
    ['was reported', {}, attemptOf(2, 'failed')],
    ['was held since', { state: 'held' }, attemptOf(2)],
    ['was revoked since', { state: 'revoked' }, attemptOf(2)],
  ])('does not let an attempt begin that %s', (_, before, attempt) => {
    expect(begin({ ...running, ...before }, attempt, UNTIL)).toEqual({ accepted: false, changes: null });
  });
});

it.each([
  ['delivered', { state: 'delivered', deliveredAt: NOW, deliveredTo: delivery.nickname }],
  ['failed', { state: 'failed', deliveredAt: null, deliveredTo: null }],
] as const)('ends the doubt about a delivery that staff call %s', (outcome, changes) => {
  expect(decided({ ...delivery, state: 'uncertain' }, outcome, NOW)).toEqual(changes);
});

describe('keptOutput', () => {
  it.each([
    [undefined, null],
    [null, null],
    ['', ''],
    ['Gave 1 [Diamond]\r\n\tto Steve', 'Gave 1 [Diamond]\n\tto Steve'],
    ['\u001b[31mred\u001b[0m\u0000', '[31mred[0m'],
    ['half \ud83d of a pair', 'half  of a pair'],
  ])('stores the output %j as %j', (output, kept) => {
    expect(storedOutput(output, aDelivery())).toBe(kept);
  });

  it('keeps nothing of what ran for an erased buyer', () => {
    expect(storedOutput('Gave Steve_42 a rank', aDelivery({ nickname: 'erased-5d1f0c3b7a9e2468ace01357' }))).toBeNull();
  });

  it('cuts what is too long and says so, never through a character', () => {
    const kept = storedOutput('x'.repeat(MAX_OUTPUT_LENGTH - 11) + '\u{1f600}'.repeat(20), aDelivery()) ?? '';
    expect(kept.length).toBeLessThanOrEqual(MAX_OUTPUT_LENGTH);
    expect(kept).toMatch(/x\n\.\.\. \(cut\)$/);
    expect(kept).not.toMatch(/\p{Cs}/u);
    const full = 'x'.repeat(MAX_OUTPUT_LENGTH);
    expect(storedOutput(full, aDelivery())).toBe(full);
  });
});

describe('isRenamable', () => {
  it.each<[Partial<Delivery>, Renamer, boolean]>([
    [{ state: 'queued' }, 'buyer', true],
    [{ state: 'held' }, 'buyer', true],
    [{ state: 'held', attempt: 1 }, 'staff', false],
    [{ state: 'queued', attempt: 1 }, 'staff', false],
    [{ state: 'leased', attempt: 1 }, 'staff', false],
    [{ state: 'failed', attempt: 1 }, 'staff', true],
    [{ state: 'failed', attempt: 1 }, 'buyer', false],
    [{ state: 'failed', attempt: 2, deliveredAt: NOW }, 'staff', false],
    [{ state: 'delivered', attempt: 1, deliveredAt: NOW }, 'staff', false],
    [{ state: 'revoked' }, 'staff', false],
  ])('decides whether a delivery %j can be renamed by the %s: %p', (fields, by, expected) => {
    expect(isRenamable(aDelivery(fields), by)).toBe(expected);
  });
});

describe('stateOfAll', () => {
  it.each<[DeliveryState[], DeliveryState]>([
    [['queued'], 'queued'],
    [['queued', 'queued'], 'queued'],
    [['delivered', 'delivered'], 'delivered'],
    [['delivered', 'queued'], 'leased'],
    [['leased', 'queued'], 'leased'],
    [['delivered', 'failed', 'queued'], 'failed'],
    [['revoked', 'failed'], 'failed'],
    [['delivered', 'revoked'], 'revoked'],
    [['revoked', 'queued'], 'revoked'],
    [['held', 'delivered'], 'held'],
    [['held', 'failed'], 'failed'],
    [['delivered', 'handed_over'], 'handed_over'],
    [['uncertain', 'delivered', 'queued'], 'uncertain'],
    [['uncertain', 'failed'], 'failed'],
  ])('computes from the states %j the state %s', (states, expected) => {
    expect(stateOfAll(states)).toBe(expected);
  });

  it('returns delivered only when every delivery is delivered, and the same for any order of the deliveries', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...DELIVERY_STATES), { minLength: 1, maxLength: 6 }), (states) => {
        const state = stateOfAll(states);
        expect(state === 'delivered').toBe(states.every((one) => one === 'delivered'));
        expect(stateOfAll([...states].reverse())).toBe(state);
      }),
    );
  });
});

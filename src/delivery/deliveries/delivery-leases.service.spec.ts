import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { startClock, stopClock } from '../../../test/support/clock.js';
import { SHOP } from '../../../test/support/contexts.js';
import { aDelivery } from '../../../test/support/deliveries.js';
import { type Call, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { type CommandStages } from '../../catalogue/commands/command-list.types.js';
import { type CommandsService } from '../../catalogue/commands/commands.service.js';
import { MINUTE_MS } from '../../lib/time/durations.js';
import { type AppConfig } from '../../infrastructure/config/app-config.js';
import { type AbandonedDeliveriesRepository } from './abandoned-deliveries.repository.js';
import { type DeliveriesRepository } from './deliveries.repository.js';
import { type DeliveryAttemptsRepository } from './delivery-attempts.repository.js';
import { type Acknowledged, DeliveryLeasesService, type Lease } from './delivery-leases.service.js';
import { type Acknowledgement, type AttemptResult, type Delivery, type DeliveryAttempt } from './delivery.types.js';
import { NO_COMMANDS } from '../../../test/support/commands.js';

const NOW = new Date('2026-11-22T12:00:00.000Z');
const UNTIL = new Date(NOW.getTime() + 2 * MINUTE_MS);
const SERVER = '655f1c2ab1e4a9d3f0c81260';
const LISTS: Readonly<Record<string, CommandStages>> = {
  keys: { ...NO_COMMANDS, commands: ['give {nickname} key {quantity}'] },
  vip: { ...NO_COMMANDS, commands: ['give {nickname} vip'] },
};

let calls: Call[];
let service: DeliveryLeasesService;
let due: Delivery[];
let stored: Delivery[];
let attempts: DeliveryAttempt[];
/** How many of the deliveries are no longer due when they are leased. */
let lost: number;

beforeEach(() => {
  stopClock(NOW);
  [calls, due, stored, attempts, lost] = [[], [], [], [], 0];
  const done = (): Promise<void> => Promise.resolve();
  service = new DeliveryLeasesService(
    recording<DeliveriesRepository>(calls, {
      findDue: () => Promise.resolve(due),
      hasDue: () => Promise.resolve(due.length > 0),
      lease: (_, ids) => Promise.resolve(ids.length - lost),
      end: done,
      findByIds: (_, ids) => Promise.resolve(stored.filter(({ id }) => ids.includes(id))),
      acknowledge: done,
    }),
    recording<DeliveryAttemptsRepository>(calls, {
      insertAll: done,
      findOf: () => Promise.resolve(attempts),
      report: done,
      renew: done,
    }),
    recording<AbandonedDeliveriesRepository>(calls, {
      claim: () => Promise.resolve([{ id: 'late', shopId: SHOP, claimedUntil: UNTIL }]),
      end: () => Promise.resolve(['order']),
    }),
    recording<CommandsService>(calls, { ofLists: () => Promise.resolve((id) => LISTS[id] ?? NO_COMMANDS) }),
    { deliveryLeaseMs: 2 * MINUTE_MS } as AppConfig,
  );
});
afterEach(startClock);

describe('A lease', () => {
  const lease = (players: readonly string[] = []): Promise<Lease> =>
    service.lease(SHOP, { serverId: SERVER, players, limit: 9 }, 'key:1', TRANSACTION);
  const read = (playerKeys: readonly string[] = []): Call => [
    'findDue',
    SHOP,
    { serverId: SERVER, playerKeys, now: NOW, limit: 9 },
    TRANSACTION,
  ];
  const keys = aDelivery({ id: 'keys', commandListId: 'keys', attempt: 1, attemptsLeft: 1 });
  const vip = aDelivery({ id: 'vip', commandListId: 'vip', nickname: 'Alex_42', attempt: 0, quantity: 1 });

  it('gives what is due to the server until its end, with the commands filled in, and stores the attempts', async () => {
    due = [keys, vip];
    const until = { serverId: SERVER, state: 'leased', dueAt: UNTIL } as const;
    expect(await lease()).toEqual({
      deliveries: [
        {
          ...{ ...keys, ...until, attempt: 2, attemptsLeft: 0 },
          commands: ['give Steve_42 key 3'],
          possiblyExecuted: true,
        },
        { ...vip, ...until, attempt: 1, attemptsLeft: 4, commands: ['give Alex_42 vip'], possiblyExecuted: false },
      ],
      failed: [],
      uncertain: [],
    });
    const attempt = {
      ...{ serverId: SERVER, leasedBy: 'key:1', leasedAt: NOW, leaseUntil: UNTIL },
      ...{ result: null, output: null, acknowledgedAt: null },
    };
    const inserted = [
      { ...attempt, deliveryId: 'keys', attempt: 2, nickname: 'Steve_42' },
      { ...attempt, deliveryId: 'vip', attempt: 1, nickname: 'Alex_42' },
    ];
    expect(calls).toEqual([
      read(),
      ['ofLists', SHOP, ['keys', 'vip'], TRANSACTION],
      [
        'lease',
        SHOP,
        ['keys', 'vip'],
        { serverId: SERVER, now: NOW, leaseUntil: UNTIL, saysBegun: false },
        TRANSACTION,
      ],
      ['insertAll', SHOP, inserted, TRANSACTION],
    ]);
  });

  it('searches for each player who is online once, in lower case, and writes nothing when nothing is due', async () => {
    expect(await lease(['Steve_42', 'alex', 'STEVE_42'])).toEqual({ deliveries: [], failed: [], uncertain: [] });
    expect(calls).toEqual([read(['steve_42', 'alex']), ['ofLists', SHOP, [], TRANSACTION]]);
  });

  it('takes no lease when nothing is due for the server and these players', async () => {
    const hasDue = (): Promise<boolean> =>
      service.hasDue(SHOP, { serverId: SERVER, players: ['Alex', 'alex'], limit: 9 });
    expect(await hasDue()).toBe(false);
    due = [vip];
    expect(await hasDue()).toBe(true);
    expect(calls[0]).toEqual(['hasDue', SHOP, { serverId: SERVER, playerKeys: ['alex'], now: NOW }]);
  });

  it('marks as failed what has no attempt left or must not run, and gives neither to the server', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const spent = aDelivery({ id: 'spent', commandListId: 'spent', attemptsLeft: 0 });
    const unsafe = aDelivery({ id: 'unsafe', commandListId: 'vip', nickname: 'x;quit' });
    due = [unsafe, spent];
    expect(await lease()).toEqual({ deliveries: [], failed: [unsafe], uncertain: [spent] });
    expect(calls).toEqual([
      read(),
      ['ofLists', SHOP, ['vip'], TRANSACTION],
      ['end', SHOP, ['unsafe'], 'failed', TRANSACTION],
      ['end', SHOP, ['spent'], 'uncertain', TRANSACTION],
    ]);
    expect(error.mock.calls).toEqual([
      [
        expect.stringMatching(/^The delivery unsafe cannot be run: In the commands /),
        { deliveryId: 'unsafe', orderId: unsafe.orderId },
      ],
    ]);
  });

  it('gives the other deliveries to the server when one must not run', async () => {
    jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    due = [aDelivery({ id: 'unsafe', commandListId: 'vip', nickname: 'x;quit' }), vip];
    const { deliveries, failed } = await lease();
    expect([deliveries.map(({ id }) => id), failed.map(({ id }) => id)]).toEqual([['vip'], ['unsafe']]);
  });

  it('stores no attempt, and fails, when a delivery is no longer due', async () => {
    [due, lost] = [[keys, vip], 1];
    await expect(lease()).rejects.toThrow('Only 1 of 2 deliveries could be leased');
    expect(calls.map(([name]) => name)).toEqual(['findDue', 'ofLists', 'lease']);
  });
});

describe('Leases that ended without a report', () => {
  it('claims leases that ended before now without a report, and marks their deliveries as uncertain', async () => {
    const claimed = await service.claimAbandoned(UNTIL, 7, TRANSACTION);
    expect(claimed).toEqual([{ id: 'late', shopId: SHOP, claimedUntil: UNTIL }]);
    expect(await service.endAbandoned(SHOP, ['late'], UNTIL, TRANSACTION)).toEqual(['order']);
  });
});

describe('An acknowledgement', () => {
  const running = aDelivery({ id: 'one', orderId: 'order', state: 'leased', attempt: 2 });
  const attemptOf = (attempt: number, fields: Partial<DeliveryAttempt> = {}): DeliveryAttempt => ({
    ...{ id: `attempt ${attempt}`, shopId: SHOP, deliveryId: 'one', attempt, serverId: SERVER, nickname: 'Alex_42' },
    ...{ leasedBy: 'key:1', leasedAt: new Date(0), leaseUntil: UNTIL },
    ...{ result: null, output: null, acknowledgedAt: null },
    ...fields,
  });
  const report = (attempt: number, status: AttemptResult, deliveryId = 'one'): Acknowledgement => ({
    ...{ deliveryId, attempt, status },
    output: 'Gave\r\n1',
  });
  const acknowledge = (reports: readonly Acknowledgement[], only: string[] | null = null): Promise<Acknowledged> =>
    service.acknowledge(SHOP, reports, only && new Set(only), TRANSACTION);
  const outcome = (attempt: number, status: string, accepted: boolean, deliveryId = 'one'): object => ({
    ...{ deliveryId, attempt, status, accepted },
  });
  const writes = (): Call[] => calls.filter(([name]) => name === 'report' || name === 'acknowledge');
  const written = (
    attempt: DeliveryAttempt,
    status: AttemptResult,
    before: Delivery,
    changes: object,
    at = NOW,
  ): Call[] => [
    ['report', attempt, { result: status, output: 'Gave\n1', acknowledgedAt: at }, TRANSACTION],
    ['acknowledge', before, expect.objectContaining(changes), TRANSACTION],
  ];
  /** When the report at this index of a request counts as done. */
  const millisecond = (index: number): Date => new Date(NOW.getTime() + index);
  const delivered = { state: 'delivered', acknowledgedAttempt: 2, deliveredAt: NOW, deliveredTo: 'Alex_42' } as const;

  beforeEach(() => {
    stored = [running];
    attempts = [attemptOf(1), attemptOf(2)];
  });

  it('stores the report of an acknowledged attempt, and returns the order whose delivery it changed', async () => {
    expect(await acknowledge([report(2, 'delivered')])).toEqual({
      outcomes: [outcome(2, 'delivered', true)],
      orderIds: ['order'],
    });
    expect(writes()).toEqual(written(attemptOf(2), 'delivered', running, delivered));
  });

  it('changes no order when the delivery stays in its state', async () => {
    expect(await acknowledge([report(1, 'failed')])).toEqual({ outcomes: [outcome(1, 'leased', true)], orderIds: [] });
  });

  it('changes nothing a second time, also in the same request', async () => {
    expect(await acknowledge([report(2, 'delivered'), report(2, 'delivered'), report(2, 'failed')])).toEqual({
      outcomes: [outcome(2, 'delivered', true), outcome(2, 'delivered', true), outcome(2, 'delivered', false)],
      orderIds: ['order'],
    });
    expect(writes()).toEqual(written(attemptOf(2), 'delivered', running, delivered));
  });

  it('applies an acknowledgement after those before it in the same request', async () => {
    expect(await acknowledge([report(1, 'failed'), report(2, 'delivered'), report(1, 'delivered')])).toEqual({
      outcomes: [outcome(1, 'leased', true), outcome(2, 'delivered', true), outcome(1, 'delivered', false)],
      orderIds: ['order'],
    });
    const after = { ...running, acknowledgedAttempt: 1, releases: 0 };
    const next = millisecond(1);
    expect(writes()).toEqual([
      ...written(attemptOf(1), 'failed', running, { state: 'leased' }),
      ...written(attemptOf(2), 'delivered', after, { ...delivered, deliveredAt: next }, next),
    ]);
  });

  it('changes the deliveries of several orders, each order once', async () => {
    const other = aDelivery({ id: 'other', orderId: 'order 2', state: 'leased', attempt: 1 });
    const third = aDelivery({ id: 'third', orderId: 'order', state: 'leased', attempt: 1 });
    stored = [third, running, other];
    attempts.push(attemptOf(1, { deliveryId: 'other' }), attemptOf(1, { deliveryId: 'third' }));
    const reports = [report(1, 'failed', 'other'), report(2, 'failed'), report(1, 'delivered', 'third')];
    expect(await acknowledge(reports)).toEqual({
      outcomes: [
        outcome(1, 'failed', true, 'other'),
        outcome(2, 'failed', true),
        outcome(1, 'delivered', true, 'third'),
      ],
      orderIds: ['order 2', 'order'],
    });
  });

  it('rejects an acknowledgement of an attempt that there was not, and shows the state of the delivery', async () => {
    expect(await acknowledge([report(3, 'delivered')])).toEqual({
      outcomes: [outcome(3, 'leased', false)],
      orderIds: [],
    });
    expect(writes()).toEqual([]);
  });

  it('rejects an acknowledgement of a delivery that the shop does not have', async () => {
    stored = [];
    expect(await acknowledge([report(2, 'delivered')])).toEqual({
      outcomes: [outcome(2, 'unknown', false)],
      orderIds: [],
    });
    expect(writes()).toEqual([]);
  });

  it('accepts an acknowledgement of a caller with some game servers for their attempts only, and shows nothing of the others', async () => {
    attempts = [attemptOf(1), attemptOf(2, { serverId: 'other server' })];
    expect(
      await acknowledge([report(2, 'delivered'), report(3, 'delivered'), report(1, 'delivered')], [SERVER]),
    ).toEqual({
      outcomes: [outcome(2, 'unknown', false), outcome(3, 'unknown', false), outcome(1, 'delivered', true)],
      orderIds: ['order'],
    });
    const at = millisecond(2);
    const changes = { ...delivered, acknowledgedAttempt: 1, deliveredAt: at };
    expect(writes()).toEqual(written(attemptOf(1), 'delivered', running, changes, at));
  });
});

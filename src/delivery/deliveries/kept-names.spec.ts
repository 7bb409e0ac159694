import { describe, expect, it } from '@jest/globals';
import { aDelivery } from '../../../test/support/deliveries.js';
import { DAY_MS, HOUR_MS } from '../../lib/time/durations.js';
import { type Delivery, type DeliveryKind } from './delivery.types.js';
import { keepersOf, nextNameCheck, REVOCABLE_DAYS, runningOf } from './kept-names.js';
import { NO_COMMANDS } from '../../../test/support/commands.js';

const NOW = new Date('2026-11-28T12:00:00.000Z');
const inDays = (days: number): Date => new Date(NOW.getTime() + days * DAY_MS);
const ERASED = 'erased-5d1f0c3b7a9e2468ace01357';
const STAGES = { ...NO_COMMANDS, commands: ['give'] };
const REVOCABLE = { ...STAGES, takeBackCommands: ['take'] };

const of = (kind: DeliveryKind, fields: Partial<Delivery>): Delivery => aDelivery({ id: kind, kind, ...fields });
const purchase = (fields: Partial<Delivery> = {}): Delivery =>
  of('purchase', {
    state: 'delivered',
    deliveredAt: inDays(-10),
    deliveredTo: 'Steve_42',
    dueAt: inDays(-10),
    ...fields,
  });
const expiry = (fields: Partial<Delivery> = {}): Delivery =>
  of('expiry', { state: 'queued', dueAt: inDays(20), ...fields });
const takeBack = (fields: Partial<Delivery> = {}): Delivery =>
  of('take_back', { state: 'queued', dueAt: inDays(-1), ...fields });
const ran = { state: 'delivered', deliveredAt: inDays(-1) } as const;

const old = { deliveredAt: inDays(-REVOCABLE_DAYS - 1) };
const none = { purchase: purchase(), takeBack: undefined, expiry: undefined };

describe('The name of an erased buyer', () => {
  it.each([
    ['an item that nothing ends', none, STAGES, []],
    ['an item that can be revoked', none, REVOCABLE, ['purchase']],
    ['an item that can be revoked no longer', { ...none, purchase: purchase(old) }, REVOCABLE, []],
    ['an item that was never delivered', { ...none, purchase: purchase({ deliveredAt: null }) }, REVOCABLE, []],
    ['an item whose time ends', { ...none, expiry: expiry() }, STAGES, ['purchase', 'expiry']],
    [
      'an old item whose time ends',
      { ...none, purchase: purchase(old), expiry: expiry() },
      STAGES,
      ['purchase', 'expiry'],
    ],
    ['an item that is just ending', { ...none, expiry: expiry({ state: 'leased' }) }, STAGES, ['purchase', 'expiry']],
    [
      'an item whose end has failed',
      { ...none, expiry: expiry({ state: 'failed', dueAt: inDays(-1) }) },
      STAGES,
      ['purchase', 'expiry'],
    ],
    [
      'an item whose end failed long ago',
      { ...none, expiry: expiry({ state: 'failed', dueAt: inDays(-REVOCABLE_DAYS) }) },
      STAGES,
      [],
    ],
    ['an item that has ended', { ...none, expiry: expiry(ran) }, REVOCABLE, []],
    ['an item whose end was dropped', { ...none, expiry: expiry({ state: 'revoked' }) }, STAGES, []],
    [
      'an item that is being revoked',
      { ...none, takeBack: takeBack(), expiry: expiry({ state: 'revoked' }) },
      STAGES,
      ['purchase', 'take_back'],
    ],
    ['an item that was revoked', { ...none, takeBack: takeBack(ran) }, REVOCABLE, []],
    [
      'an item that is delivered again',
      { ...none, purchase: purchase({ ...old, state: 'queued' }), expiry: expiry(ran) },
      STAGES,
      ['purchase'],
    ],
    [
      'an item whose player was erased',
      { ...none, purchase: purchase({ deliveredTo: ERASED }), expiry: expiry() },
      REVOCABLE,
      [],
    ],
  ])('is kept for %s in the deliveries that are still to run', (_, item, stages, expected) => {
    expect(keepersOf(item, stages, NOW).map(({ kind }) => kind)).toEqual(expected);
    expect(runningOf(item, stages, NOW) !== null).toBe(expected.length > 0);
  });

  it.each([
    [{ ...none, expiry: expiry() }, STAGES, { expiresAt: inDays(20), isRevoking: false, revocableUntil: null }],
    [none, REVOCABLE, { expiresAt: null, isRevoking: false, revocableUntil: inDays(REVOCABLE_DAYS - 10) }],
    [{ ...none, takeBack: takeBack() }, STAGES, { expiresAt: null, isRevoking: true, revocableUntil: null }],
  ])('is listed with what it is kept for (%#)', (item, stages, expected) => {
    const { orderId, position } = item.purchase;
    expect(runningOf(item, stages, NOW)).toEqual({ orderId, position, ...expected });
  });

  it.each([
    ['a day', [purchase(), expiry()], DAY_MS],
    ['the time when it is due', [purchase(), expiry({ dueAt: new Date(NOW.getTime() + 5 * HOUR_MS) })], 5 * HOUR_MS],
    ['an hour while it is due', [purchase(), takeBack()], HOUR_MS],
    ['a day without anything that waits', [purchase()], DAY_MS],
  ])('is checked again after %s', (_, keepers, afterMs) => {
    expect(nextNameCheck(keepers, NOW).getTime() - NOW.getTime()).toBe(afterMs);
  });
});

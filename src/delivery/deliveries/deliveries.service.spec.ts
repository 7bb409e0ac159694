import { beforeEach, describe, expect, it } from '@jest/globals';
import { SHOP, shopContext } from '../../../test/support/contexts.js';
import { aDelivery } from '../../../test/support/deliveries.js';
import { type Call, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { type CommandStages } from '../../catalogue/commands/command-list.types.js';
import { type CommandsService } from '../../catalogue/commands/commands.service.js';
import { Page } from '../../platform/http/page.js';
import { type DeliveriesRepository } from './deliveries.repository.js';
import { type DeliveryAttemptsRepository } from './delivery-attempts.repository.js';
import { DeliveriesService } from './deliveries.service.js';
import { type DeliverableOrder, type Delivery, type DeliveryAttempt } from './delivery.types.js';
import { type OrderDeliveriesRepository } from './order-deliveries.repository.js';

const ORDER: DeliverableOrder = {
  id: '655f1c2ab1e4a9d3f0c81250',
  shopId: SHOP,
  serverId: '655f1c2ab1e4a9d3f0c81260',
  nickname: 'Steve_42',
  items: [
    { quantity: 1, commandListId: 'quoted', requiresOnline: false, durationDays: null },
    { quantity: 3, commandListId: 'unquoted', requiresOnline: true, durationDays: 30 },
  ],
};
const NONE: CommandStages = { commands: [], takeBackCommands: [], expiryCommands: [] };
const LISTS: Readonly<Record<string, CommandStages>> = {
  quoted: { ...NONE, commands: ['say hi', 'give "{nickname}" vip'] },
  unquoted: { ...NONE, commands: ['give {nickname} key {quantity}'] },
  takeBack: { ...NONE, takeBackCommands: ['take {nickname} key'] },
  expiry: { ...NONE, expiryCommands: ['end {nickname} key'] },
};

let calls: Call[];
let service: DeliveriesService;
let stored: Delivery[];
let attempts: DeliveryAttempt[];

beforeEach(() => {
  [calls, stored, attempts] = [[], [], []];
  const done = (): Promise<void> => Promise.resolve();
  service = new DeliveriesService(
    recording<DeliveriesRepository>(calls, { list: () => Promise.resolve(new Page(stored, 'next')) }),
    recording<OrderDeliveriesRepository>(calls, {
      insertMissing: done,
      movePurchases: done,
      setMoneyIsBack: done,
      rename: done,
      queue: done,
      revoke: done,
      findOf: () => Promise.resolve(stored),
    }),
    recording<DeliveryAttemptsRepository>(calls, { findOf: () => Promise.resolve(attempts) }),
    recording<CommandsService>(calls, { ofLists: () => Promise.resolve((id) => LISTS[id] ?? NONE) }),
  );
});

describe('the commands of an order', () => {
  it('are read from their lists at once, and each must be safe with the nickname', async () => {
    expect(await service.renderingProblem(ORDER)).toBeNull();
    expect(calls).toEqual([['ofLists', SHOP, ['quoted', 'unquoted']]]);
    const problem = await service.renderingProblem({ ...ORDER, nickname: 'Big Steve' });
    expect(problem).toMatch(/^In the commands of this order, the nickname may contain only /);
    const quoted = { ...ORDER, nickname: 'Big Steve', items: ORDER.items.slice(0, 1) };
    expect(await service.renderingProblem(quoted)).toBeNull();
  });

  it.each(['takeBack', 'expiry'])('must also be safe in the stage %s', async (commandListId) => {
    const items = [{ quantity: 1, commandListId, requiresOnline: false, durationDays: null }];
    expect(await service.renderingProblem({ ...ORDER, items })).toBeNull();
    expect(await service.renderingProblem({ ...ORDER, items, nickname: 'Big Steve' })).not.toBeNull();
  });
});

describe('the deliveries of an order', () => {
  const moneyIsBack = (isBack: boolean): Call => ['setMoneyIsBack', SHOP, ORDER.id, isBack, TRANSACTION];
  const moved = (to: string): Call => ['movePurchases', SHOP, ORDER.id, to, TRANSACTION];
  const read: Call = ['findOf', SHOP, [ORDER.id], TRANSACTION];

  it('are queued with one delivery for each item', async () => {
    await service.queue(ORDER, TRANSACTION);
    const deliveries = ORDER.items.map((item, position) => ({
      ...item,
      orderId: ORDER.id,
      serverId: ORDER.serverId,
      kind: 'purchase',
      position,
      nickname: 'Steve_42',
      moneyIsBack: false,
      dueAt: expect.any(Date),
      createdAt: expect.any(Date),
    }));
    expect(calls).toEqual([['insertMissing', SHOP, deliveries, TRANSACTION]]);
  });

  it.each([
    ['shop', 'queued', false],
    ['unclear', 'held', false],
    ['buyer', 'revoked', true],
  ] as const)(
    'whose money is with the %s are %s; what was delivered is to be revoked: %p',
    async (money, to, isBack) => {
      await service.followMoney(SHOP, ORDER.id, money, TRANSACTION);
      expect(calls).toEqual([moneyIsBack(isBack), moved(to)]);
    },
  );

  it('are queued again for their player, and for the one who received them when they were delivered before', async () => {
    const takeBack = aDelivery({ kind: 'take_back', state: 'failed', nickname: 'Old' });
    stored = [aDelivery({ state: 'failed', nickname: 'New' }), takeBack];
    const queued = (delivery: Delivery | undefined, nickname: string): Call => [
      'queue',
      delivery,
      { nickname, dueAt: expect.any(Date) },
      TRANSACTION,
    ];
    expect(await service.queueAgain(ORDER, 'shop', TRANSACTION)).toBe(1);
    expect(calls.splice(0)).toEqual([read, queued(stored[0], 'New')]);
    expect(await service.queueAgain(ORDER, 'buyer', TRANSACTION)).toBe(1);
    expect(calls.splice(0)).toEqual([read, queued(takeBack, 'Old')]);
    expect(await service.queueAgain(ORDER, 'unclear', TRANSACTION)).toBe(0);
    expect(calls.splice(0)).toEqual([read]);
    stored = [aDelivery({ state: 'delivered', nickname: 'New', deliveredTo: 'Old' })];
    await service.queueAgain(ORDER, 'shop', TRANSACTION);
    expect(calls).toEqual([read, queued(stored[0], 'Old')]);
  });

  it('are followed by what must be taken back, queued again or held back, and have one state together', async () => {
    const deliveredAt = new Date(1_000);
    const bought = { state: 'delivered', deliveredAt, deliveredTo: 'Steve_42', moneyIsBack: true } as const;
    const added = aDelivery({ ...bought, commandListId: 'takeBack', durationDays: 1 });
    const again = aDelivery({ ...bought, commandListId: 'takeBack', position: 1 });
    const expiry = aDelivery({ kind: 'expiry', dueAt: new Date(2_000) });
    const takeBack = aDelivery({ kind: 'take_back', position: 1, state: 'revoked' });
    stored = [added, again, expiry, takeBack, aDelivery({ position: 2, commandListId: 'quoted' })];
    expect(await service.follow(SHOP, [ORDER.id], TRANSACTION)).toEqual(new Map([[ORDER.id, 'leased']]));
    expect(calls).toEqual([
      read,
      ['ofLists', SHOP, ['takeBack', 'takeBack']],
      ['insertMissing', SHOP, [expect.objectContaining({ kind: 'take_back', position: 0 })], TRANSACTION],
      ['revoke', expiry, TRANSACTION],
      ['queue', takeBack, expect.objectContaining({ kind: 'take_back', position: 1 }), TRANSACTION],
    ]);
  });

  it('are all for another player, or none of them', async () => {
    stored = [aDelivery(), aDelivery({ position: 1, state: 'held' }), aDelivery({ kind: 'expiry', state: 'leased' })];
    expect(await service.rename(ORDER, 'Alex_42', 'buyer', TRANSACTION)).toBe(true);
    expect(calls.splice(0)).toEqual([read, ['rename', SHOP, stored.slice(0, 2), 'Alex_42', TRANSACTION]]);
    stored = [aDelivery(), aDelivery({ position: 1, state: 'failed' })];
    expect(await service.rename(ORDER, 'Alex_42', 'buyer', TRANSACTION)).toBe(false);
    expect(calls.splice(0)).toEqual([read]);
    expect(await service.rename(ORDER, 'Alex_42', 'staff', TRANSACTION)).toBe(true);
  });

  it('show how far they have come', async () => {
    expect(await service.progressOf(SHOP, ORDER.id)).toEqual({ received: 'nothing', isRenamable: true });
    stored = [aDelivery({ state: 'delivered', deliveredAt: new Date(1) }), aDelivery({ position: 1 })];
    expect(await service.progressOf(SHOP, ORDER.id)).toEqual({ received: 'part', isRenamable: false });
  });
});

describe('the list of deliveries', () => {
  it('has each delivery with its own attempts, on the page that the caller may see', async () => {
    const attempt = (deliveryId: string, number: number): DeliveryAttempt => ({
      ...{ id: `${deliveryId} ${number}`, shopId: SHOP, deliveryId, attempt: number, serverId: 'server' },
      ...{ nickname: 'Steve_42', leasedBy: 'key:1', leasedAt: new Date(0), leaseUntil: new Date(1) },
      ...{ result: null, output: null, acknowledgedAt: null },
    });
    stored = [aDelivery({ id: 'new' }), aDelivery({ id: 'old' }), aDelivery({ id: 'waiting' })];
    attempts = [attempt('new', 1), attempt('old', 1), attempt('old', 2)];
    const filter = { state: 'queued' } as const;
    const page = { after: null, limit: 3 };
    const serverIds = new Set(['server']);
    const { items, nextCursor } = await service.list(shopContext('owner', { serverIds }), filter, page);
    expect(items).toEqual([
      { ...stored[0], attempts: attempts.slice(0, 1) },
      { ...stored[1], attempts: attempts.slice(1) },
      { ...stored[2], attempts: [] },
    ]);
    expect(nextCursor).toBe('next');
    expect(calls).toEqual([
      ['list', SHOP, serverIds, filter, page],
      ['findOf', SHOP, ['new', 'old', 'waiting'], null],
    ]);
  });
});

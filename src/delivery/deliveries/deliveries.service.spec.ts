import { beforeEach, describe, expect, it } from '@jest/globals';
import { SHOP, shopContext } from '../../../test/support/contexts.js';
import { aDelivery } from '../../../test/support/deliveries.js';
import { type Call, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { type CommandStages } from '../../catalogue/commands/command-list.types.js';
import { type CommandsService } from '../../catalogue/commands/commands.service.js';
import { type ServersService } from '../../catalogue/servers/servers.service.js';
import { Page } from '../../lib/paging/page.js';
import { type DeliveriesRepository } from './deliveries.repository.js';
import { type DeliveryAttemptsRepository } from './delivery-attempts.repository.js';
import { DeliveriesService } from './deliveries.service.js';
import {
  type DeliverableOrder,
  type Delivery,
  type DeliveryAttempt,
  type ItemTerms,
  type MoneyHolder,
} from './delivery.types.js';
import { FollowUpsService } from './follow-ups.service.js';
import { type OrderDeliveriesRepository } from './order-deliveries.repository.js';
import { NO_COMMANDS } from '../../../test/support/commands.js';

const ORDER: DeliverableOrder = {
  id: '655f1c2ab1e4a9d3f0c81250',
  shopId: SHOP,
  serverId: '655f1c2ab1e4a9d3f0c81260',
  nickname: 'Steve_42',
  items: [
    { quantity: 1, commandListId: 'quoted', requiresOnline: false },
    { quantity: 3, commandListId: 'unquoted', requiresOnline: true },
  ],
};
/** A game server that the shop has deleted. */
const DELETED = '655f1c2ab1e4a9d3f0c81269';
const LISTS: Readonly<Record<string, CommandStages>> = {
  quoted: { ...NO_COMMANDS, commands: ['say hi', 'give "{nickname}" vip'] },
  unquoted: { ...NO_COMMANDS, commands: ['give {nickname} key {quantity}'] },
  takeBack: { ...NO_COMMANDS, takeBackCommands: ['take {nickname} key'] },
  extend: { ...NO_COMMANDS, extendCommands: ['say {nickname} again'] },
  expiry: { ...NO_COMMANDS, expiryCommands: ['end {nickname} key'] },
};

let calls: Call[];
let service: DeliveriesService;
let followUps: FollowUpsService;
let stored: Delivery[];
let attempts: DeliveryAttempt[];

beforeEach(() => {
  [calls, stored, attempts] = [[], [], []];
  const done = (): Promise<void> => Promise.resolve();
  const ofOrders = recording<OrderDeliveriesRepository>(calls, {
    insertMissing: done,
    movePurchases: done,
    setMoneyIsBack: done,
    rename: done,
    queue: done,
    setStage: done,
    revoke: done,
    failWaiting: done,
    findOf: () => Promise.resolve(stored),
  });
  const commands = recording<CommandsService>(calls, {
    ofLists: (_, ids) => Promise.resolve((id) => (ids.includes(id) ? LISTS[id] : undefined) ?? NO_COMMANDS),
  });
  const servers = recording<ServersService>(calls, {
    deletedOf: (_, ids) => Promise.resolve(ids.filter((id) => id === DELETED)),
  });
  followUps = new FollowUpsService(ofOrders, commands, servers);
  service = new DeliveriesService(
    recording<DeliveriesRepository>(calls, { list: () => Promise.resolve(new Page(stored, 'next')) }),
    ofOrders,
    recording<DeliveryAttemptsRepository>(calls, {
      findOf: (_, ids) => Promise.resolve(attempts.filter((one) => ids.includes(one.deliveryId))),
    }),
    commands,
    servers,
  );
});

const termsOf = ({ moneyIsBack: isRevoked }: Delivery): ItemTerms => {
  return { expiresAt: null, isRevoked, isLost: false, isReplaced: false, stage: 'first' };
};

describe('the commands of an order', () => {
  it('requires each command of an order to be safe with the nickname', async () => {
    expect(await service.renderingProblem(ORDER)).toBeNull();
    const problem = await service.renderingProblem({ ...ORDER, nickname: 'Big Steve' });
    expect(problem).toMatch(/^In the commands of this order, the nickname may contain only /);
    const quoted = { ...ORDER, nickname: 'Big Steve', items: ORDER.items.slice(0, 1) };
    expect(await service.renderingProblem(quoted)).toBeNull();
  });

  it.each(['takeBack', 'expiry', 'extend'])(
    'requires the commands of the stage %s to be safe with the nickname',
    async (commandListId) => {
      const items = [{ quantity: 1, commandListId, requiresOnline: false }];
      expect(await service.renderingProblem({ ...ORDER, items })).toBeNull();
      expect(await service.renderingProblem({ ...ORDER, items, nickname: 'Big Steve' })).not.toBeNull();
    },
  );
});

describe('the deliveries of an order', () => {
  const ofItems = (...positions: number[]): object => ({ orderId: ORDER.id, positions });
  const noServers: Call = ['deletedOf', SHOP, [], TRANSACTION];
  const read: Call = ['findOf', SHOP, [ORDER.id], TRANSACTION];

  it('queues one delivery for each item of an order', async () => {
    await service.queue(ORDER, TRANSACTION);
    const deliveries = ORDER.items.map((item, position) => ({
      ...item,
      orderId: ORDER.id,
      serverId: ORDER.serverId,
      kind: 'purchase',
      position,
      nickname: 'Steve_42',
      isRehearsal: false,
      stage: 'first',
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
    'moves the deliveries of an order whose money is with the %s to %s; what was delivered is to be revoked: %p',
    async (money, to, isBack) => {
      await service.applyMoneyState(ORDER, money, TRANSACTION);
      const items = ofItems(...ORDER.items.keys());
      expect(calls).toEqual([
        ['setMoneyIsBack', SHOP, items, isBack, TRANSACTION],
        ['movePurchases', SHOP, items, to, TRANSACTION],
      ]);
    },
  );

  it('leaves what a refund took back with the buyer when the money of the order is in doubt', async () => {
    const [item] = ORDER.items;
    if (item === undefined) throw new Error('the order has no item');
    await service.applyMoneyState({ ...ORDER, items: [{ ...item, takenBack: true }, item] }, 'unclear', TRANSACTION);
    expect(calls).toEqual([
      ['setMoneyIsBack', SHOP, ofItems(0), true, TRANSACTION],
      ['movePurchases', SHOP, ofItems(0), 'revoked', TRANSACTION],
      ['setMoneyIsBack', SHOP, ofItems(1), false, TRANSACTION],
      ['movePurchases', SHOP, ofItems(1), 'held', TRANSACTION],
    ]);
  });

  it('queues a failed delivery again for its player, and a delivered one for the player who received it', async () => {
    const takeBack = aDelivery({ kind: 'take_back', state: 'failed', nickname: 'Old' });
    stored = [aDelivery({ state: 'failed', nickname: 'New' })];
    const queued = (delivery: Delivery | undefined, nickname: string): Call => [
      'queue',
      delivery,
      { nickname, dueAt: expect.any(Date), stage: 'first' },
      TRANSACTION,
    ];
    expect(await service.queueAgain(ORDER, 'shop', {}, TRANSACTION)).toEqual(stored);
    expect(calls.splice(0)).toEqual([read, noServers, queued(stored[0], 'New')]);
    stored = [...stored, takeBack];
    expect(await service.queueAgain(ORDER, 'buyer', {}, TRANSACTION)).toEqual([takeBack]);
    expect(calls.splice(0)).toEqual([read, noServers, queued(takeBack, 'Old')]);
    stored = [aDelivery({ state: 'delivered', nickname: 'New', deliveredTo: 'Old' })];
    await service.queueAgain(ORDER, 'shop', {}, TRANSACTION);
    expect(calls).toEqual([read, noServers, queued(stored[0], 'Old')]);
  });

  it('adds, queues and revokes the follow-ups of each delivery, and returns one state for the order', async () => {
    const deliveredAt = new Date(1_000);
    const bought = { state: 'delivered', deliveredAt, deliveredTo: 'Steve_42', moneyIsBack: true } as const;
    const added = aDelivery({ ...bought, commandListId: 'takeBack' });
    const again = aDelivery({ ...bought, commandListId: 'takeBack', position: 1 });
    const expiry = aDelivery({ kind: 'expiry', dueAt: new Date(2_000) });
    const takeBack = aDelivery({ kind: 'take_back', position: 1, state: 'revoked' });
    stored = [added, again, expiry, takeBack, aDelivery({ position: 2, commandListId: 'quoted', moneyIsBack: true })];
    expect(await followUps.queue(SHOP, stored, termsOf, TRANSACTION)).toEqual(new Map([[ORDER.id, 'leased']]));
    expect(calls).toEqual([
      ['ofLists', SHOP, ['takeBack', 'takeBack'], TRANSACTION],
      ['insertMissing', SHOP, [expect.objectContaining({ kind: 'take_back', position: 0 })], TRANSACTION],
      ['revoke', expiry, TRANSACTION],
      ['queue', takeBack, expect.objectContaining({ kind: 'take_back', position: 1 }), TRANSACTION],
    ]);
  });

  it('queues a single delivery of an order again', async () => {
    stored = [
      aDelivery({ id: 'failed', state: 'failed' }),
      aDelivery({ id: 'other', state: 'delivered', position: 1 }),
    ];
    expect(await service.queueAgain(ORDER, 'shop', { deliveryId: 'other' }, TRANSACTION)).toEqual(stored.slice(1));
    expect(await service.queueAgain(ORDER, 'shop', { deliveryId: 'failed' }, TRANSACTION)).toEqual(stored.slice(0, 1));
    const unknown = service.queueAgain(ORDER, 'shop', { deliveryId: 'unknown' }, TRANSACTION);
    await expect(unknown).rejects.toMatchObject({ code: 'delivery_not_found' });
  });

  it.each<[string, Partial<Delivery>, MoneyHolder]>([
    ['the money is in doubt', { state: 'failed' }, 'unclear'],
    ['one waits', { state: 'queued' }, 'shop'],
    ['it is uncertain, and nobody allows that it runs twice', { state: 'uncertain' }, 'shop'],
    ['the server was deleted', { state: 'failed', serverId: DELETED }, 'shop'],
  ])('queues no delivery again when %s', async (_, fields, money) => {
    stored = [aDelivery(fields)];
    const again = service.queueAgain(ORDER, money, {}, TRANSACTION);
    await expect(again).rejects.toMatchObject({ code: 'not_redeliverable' });
    expect(calls.map(([name]) => name)).not.toContain('queue');
  });

  it.each<[string, string, Partial<Delivery>]>([
    ['delivery_not_found', 'unknown', {}],
    ['nickname_unchanged', 'one', { nickname: 'Alex_42' }],
    ['nickname_locked', 'one', { state: 'delivered', deliveredAt: new Date(1) }],
    ['nickname_locked', 'one', { state: 'leased', attempt: 1 }],
    ['nickname_locked', 'one', { kind: 'take_back', state: 'failed' }],
  ])('rejects with %s to rename the delivery %s alone when it is %j', async (code, id, fields) => {
    stored = [aDelivery({ id: 'one', ...fields })];
    await expect(service.renameOne(ORDER, id, 'Alex_42', TRANSACTION)).rejects.toMatchObject({ code });
    expect(calls).toEqual([read]);
  });

  it('renames a failed delivery alone, also when others of its order are delivered', async () => {
    const delivered = aDelivery({ id: 'other', state: 'delivered', deliveredAt: new Date(1) });
    const failed = aDelivery({ id: 'one', position: 1, state: 'failed', attempt: 1 });
    stored = [delivered, failed];
    expect(await service.renameOne(ORDER, 'one', 'Alex_42', TRANSACTION)).toBe(failed);
    expect(calls).toEqual([read, ['rename', SHOP, [failed], 'Alex_42', TRANSACTION]]);
  });

  it.each<[string, Partial<Delivery>]>([
    ['is queued', {}],
    ['was leased, and its lease has ended', { state: 'leased' }],
  ])('marks a delivery for a deleted server as failed when it %s', async (_, fields) => {
    stored = [aDelivery({ serverId: DELETED, ...fields }), aDelivery({ position: 1, serverId: ORDER.serverId })];
    await followUps.queue(SHOP, stored, termsOf, TRANSACTION);
    const of = { orderIds: [ORDER.id], serverIds: [DELETED], now: expect.any(Date) };
    expect(calls.slice(-2)).toEqual([['failWaiting', SHOP, of, TRANSACTION], read]);
  });

  it.each<[string, Partial<Delivery>]>([
    ['is leased', { state: 'leased', dueAt: new Date(Date.UTC(2100, 0)) }],
    ['is held', { state: 'held' }],
    ['is delivered', { state: 'delivered' }],
    ['waits for a server that exists', { serverId: ORDER.serverId }],
    ['waits for any server', { serverId: null }],
  ])('marks no delivery as failed when it %s', async (_, fields) => {
    stored = [aDelivery({ serverId: DELETED, ...fields })];
    await followUps.queue(SHOP, stored, termsOf, TRANSACTION);
    expect(calls.map(([name]) => name)).not.toContain('failWaiting');
  });

  it('renames all deliveries of an order, or none of them', async () => {
    stored = [aDelivery(), aDelivery({ position: 1, state: 'held' }), aDelivery({ kind: 'expiry', state: 'leased' })];
    expect(await service.rename(ORDER, 'Alex_42', 'buyer', TRANSACTION)).toBe(true);
    expect(calls.splice(0)).toEqual([read, ['rename', SHOP, stored.slice(0, 2), 'Alex_42', TRANSACTION]]);
    stored = [aDelivery(), aDelivery({ position: 1, state: 'failed' })];
    expect(await service.rename(ORDER, 'Alex_42', 'buyer', TRANSACTION)).toBe(false);
    expect(calls.splice(0)).toEqual([read]);
    expect(await service.rename(ORDER, 'Alex_42', 'staff', TRANSACTION)).toBe(true);
  });

  it('reports what the buyer has received, and whether the order can be renamed', async () => {
    expect(await service.progressOf(SHOP, ORDER.id)).toEqual({
      items: [],
      received: 'nothing',
      endedAttempt: null,
      isRenamable: true,
    });
    const over = { state: 'leased', dueAt: new Date(0), attempt: 2 } as const;
    stored = [aDelivery({ state: 'delivered', deliveredAt: new Date(1) }), aDelivery({ position: 1, ...over })];
    const items = [
      { position: 0, state: 'delivered', requiresOnline: false, deliveredAt: new Date(1), isUnreported: false },
      { position: 1, state: 'queued', requiresOnline: false, deliveredAt: null, isUnreported: true },
    ];
    const progress = { items, received: 'part', endedAttempt: 2, isRenamable: false };
    expect(await service.progressOf(SHOP, ORDER.id)).toEqual(progress);
  });
});

describe('the list of deliveries', () => {
  it('lists each delivery with its own attempts and commands, on the page that the caller is allowed to see', async () => {
    const attempt = (deliveryId: string, number: number): DeliveryAttempt => ({
      ...{ id: `${deliveryId} ${number}`, shopId: SHOP, deliveryId, attempt: number, serverId: 'server' },
      ...{ nickname: 'Steve_42', leasedBy: 'key:1', leasedAt: new Date(0), leaseUntil: new Date(1) },
      ...{ result: null, output: null, acknowledgedAt: null },
    });
    stored = [
      aDelivery({ id: 'new', commandListId: 'unquoted', quantity: 2 }),
      aDelivery({ id: 'old', commandListId: 'expiry', kind: 'expiry', quantity: 1 }),
      aDelivery({ id: 'waiting', commandListId: 'unquoted', nickname: 'Big Steve' }),
    ];
    attempts = [attempt('new', 1), attempt('old', 1), attempt('old', 2)];
    const [filter, page] = [{ state: 'queued' } as const, { after: null, limit: 3 }];
    const serverIds = new Set(['server']);
    const { items, nextCursor } = await service.list(shopContext('owner', { serverIds }), filter, page);
    expect(items).toEqual([
      { ...stored[0], attempts: attempts.slice(0, 1), commands: ['give Steve_42 key 2'] },
      { ...stored[1], attempts: attempts.slice(1), commands: ['end Steve_42 key'] },
      // An unsafe nickname: the commands must not run.
      { ...stored[2], attempts: [], commands: null },
    ]);
    expect(nextCursor).toBe('next');
    expect(calls[0]).toEqual(['list', SHOP, serverIds, filter, page, expect.any(Date)]);
  });
});

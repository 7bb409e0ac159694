import { beforeEach, describe, expect, it } from '@jest/globals';
import { SHOP } from '../../test/support/contexts.js';
import { type Call, recording, TRANSACTION } from '../../test/support/fakes.js';
import { type CommandStages } from '../commands/command-list.types.js';
import { type CommandsService } from '../commands/commands.service.js';
import { type DeliveriesRepository } from './deliveries.repository.js';
import { type DeliveryAttemptsRepository } from './delivery-attempts.repository.js';
import { DeliveriesService } from './deliveries.service.js';
import { type DeliverableOrder } from './delivery.types.js';

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
const NONE: CommandStages = { commands: [], takeBackCommands: [], expiryCommands: [] };
const LISTS: Readonly<Record<string, CommandStages>> = {
  quoted: { ...NONE, commands: ['say hi', 'give "{nickname}" vip'] },
  unquoted: { ...NONE, commands: ['give {nickname} key {quantity}'] },
  takeBack: { ...NONE, takeBackCommands: ['take {nickname} key'] },
  expiry: { ...NONE, expiryCommands: ['end {nickname} key'] },
};

let calls: Call[];
let service: DeliveriesService;
/** How many deliveries there are to queue again, by their state. */
let again: Record<string, number>;

beforeEach(() => {
  calls = [];
  again = {};
  const done = (): Promise<void> => Promise.resolve();
  service = new DeliveriesService(
    recording<DeliveriesRepository>(calls, {
      insertMissing: done,
      move: done,
      rename: done,
      queueAgain: (_shopId: string, { from }: { from: string }) => Promise.resolve(again[from] ?? 0),
      statesOf: () => Promise.resolve(new Map([[ORDER.id, ['delivered', 'queued'] as const]])),
    }),
    recording<DeliveryAttemptsRepository>(calls, { findOf: () => Promise.resolve([]) }),
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
    const items = [{ quantity: 1, commandListId, requiresOnline: false }];
    expect(await service.renderingProblem({ ...ORDER, items })).toBeNull();
    expect(await service.renderingProblem({ ...ORDER, items, nickname: 'Big Steve' })).not.toBeNull();
  });
});

describe('the deliveries of an order', () => {
  const renamed = (nickname: string): Call[] =>
    [false, true].map((requiresOnline) => [
      'rename',
      SHOP,
      { orderId: ORDER.id, nickname, requiresOnline },
      TRANSACTION,
    ]);

  it('are queued with one delivery for each item, and those that were held back are queued again', async () => {
    await service.queue(ORDER, TRANSACTION);
    const deliveries = ORDER.items.map((item, position) => ({
      ...item,
      orderId: ORDER.id,
      serverId: ORDER.serverId,
      kind: 'purchase',
      position,
      nickname: 'Steve_42',
      createdAt: expect.any(Date),
    }));
    expect(calls).toEqual([
      ['insertMissing', SHOP, deliveries, TRANSACTION],
      ['move', SHOP, ORDER.id, 'queued', TRANSACTION],
    ]);
  });

  it('are held back in their shop', async () => {
    await service.revoke(SHOP, ORDER.id, TRANSACTION);
    expect(calls).toEqual([['move', SHOP, ORDER.id, 'revoked', TRANSACTION]]);
  });

  it('are queued again where they failed, and where none failed, if they were delivered', async () => {
    const from = (state: string): Call => ['queueAgain', SHOP, { orderId: ORDER.id, from: state }, TRANSACTION];
    again = { failed: 2, delivered: 1 };
    expect(await service.queueAgain(ORDER, TRANSACTION)).toBe(2);
    expect(calls.splice(0)).toEqual([from('failed'), ...renamed('Steve_42')]);
    again = { delivered: 1 };
    expect(await service.queueAgain(ORDER, TRANSACTION)).toBe(1);
    expect(calls.splice(0)).toEqual([from('failed'), from('delivered'), ...renamed('Steve_42')]);
    again = {};
    expect(await service.queueAgain(ORDER, TRANSACTION)).toBe(0);
    expect(calls).toEqual([from('failed'), from('delivered')]);
  });

  it('have one state together', async () => {
    expect(await service.statesOf(SHOP, [ORDER.id], TRANSACTION)).toEqual(new Map([[ORDER.id, 'leased']]));
  });

  it('get the new nickname of the order', async () => {
    await service.rename({ ...ORDER, nickname: 'Alex_42' }, TRANSACTION);
    expect(calls).toEqual(renamed('Alex_42'));
    calls.splice(0);
    await service.rename({ ...ORDER, items: ORDER.items.slice(0, 1) }, TRANSACTION);
    expect(calls).toEqual(renamed('Steve_42').slice(0, 1));
  });
});

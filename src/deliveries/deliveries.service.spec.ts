import { beforeEach, describe, expect, it } from '@jest/globals';
import { TRANSACTION } from '../../test/support/fakes.js';
import { type DeliveriesRepository } from './deliveries.repository.js';
import { DeliveriesService } from './deliveries.service.js';
import { type DeliverableOrder } from './delivery.types.js';

const ORDER: DeliverableOrder = {
  id: '655f1c2ab1e4a9d3f0c81250',
  shopId: '655f1c2ab1e4a9d3f0c81234',
  serverId: '655f1c2ab1e4a9d3f0c81260',
  nickname: 'Steve_42',
  items: [
    { quantity: 1, commands: ['give {nickname} vip', 'log {orderId}'] },
    { quantity: 3, commands: ['give {nickname} key {quantity}'] },
  ],
};
const RENDERED = [
  {
    orderId: ORDER.id,
    serverId: ORDER.serverId,
    position: 0,
    nickname: 'Steve_42',
    commands: ['give Steve_42 vip', `log ${ORDER.id}`],
    createdAt: expect.any(Date),
  },
  {
    orderId: ORDER.id,
    serverId: ORDER.serverId,
    position: 1,
    nickname: 'Steve_42',
    commands: ['give Steve_42 key 3'],
    createdAt: expect.any(Date),
  },
];

let calls: unknown[][];
let service: DeliveriesService;

beforeEach(() => {
  calls = [];
  const call =
    (name: string) =>
    (...values: unknown[]): Promise<void> =>
      Promise.resolve(void calls.push([name, ...values]));
  const repository = { insertMissing: call('insertMissing'), move: call('move'), rename: call('rename') };
  service = new DeliveriesService(repository as unknown as DeliveriesRepository);
});

describe('the deliveries of an order', () => {
  it('are queued with one delivery for each item, and those that were held back are queued again', async () => {
    await service.queue(ORDER, TRANSACTION);
    expect(calls).toEqual([
      ['insertMissing', ORDER.shopId, RENDERED, TRANSACTION],
      ['move', ORDER.shopId, ORDER.id, 'queued', TRANSACTION],
    ]);
  });

  it('are held back in their shop', async () => {
    await service.revoke(ORDER.shopId, ORDER.id, TRANSACTION);
    expect(calls).toEqual([['move', ORDER.shopId, ORDER.id, 'revoked', TRANSACTION]]);
  });

  it('are rendered again for a new nickname', async () => {
    await service.rename({ ...ORDER, nickname: 'Alex_42', items: ORDER.items.slice(1) }, TRANSACTION);
    const [, renamed] = RENDERED;
    const delivery = { ...renamed, position: 0, nickname: 'Alex_42', commands: ['give Alex_42 key 3'] };
    expect(calls).toEqual([['rename', ORDER.shopId, [delivery], TRANSACTION]]);
  });

  it('are not queued when a command is not safe with the nickname', async () => {
    await expect(service.queue({ ...ORDER, nickname: 'a parent add op' }, TRANSACTION)).rejects.toThrow(
      `Order ${ORDER.id} cannot be delivered`,
    );
    expect(calls).toEqual([]);
  });
});

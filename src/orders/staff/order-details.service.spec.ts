import { beforeEach, expect, it } from '@jest/globals';
import { SHOP, shopContext } from '../../../test/support/contexts.js';
import { type Call, recording } from '../../../test/support/fakes.js';
import { type ActorsService } from '../../access/actors/actors.service.js';
import { type DeliveriesService } from '../../delivery/deliveries/deliveries.service.js';
import { Page } from '../../lib/paging/page.js';
import { type Order } from '../order/order.types.js';
import { type OrdersService } from '../order/orders.service.js';
import { OrderDetailsService } from './order-details.service.js';
import { type OrderSearchRepository } from './order-search.repository.js';

const ORDER = '655f1c2ab1e4a9d3f0c81250';
const SERVERS = new Set(['655f1c2ab1e4a9d3f0c81260']);
const NAMES = new Map([['user:1', 'Alex']]);

let calls: Call[];
let found: Order | null;
let service: OrderDetailsService;

beforeEach(() => {
  calls = [];
  found = { id: ORDER, history: [{ actor: 'user:1' }, { actor: 'buyer' }] } as unknown as Order;
  service = new OrderDetailsService(
    recording<OrderSearchRepository>(calls, { find: () => Promise.resolve(found) }),
    recording<OrdersService>([], { withEndedLeases: (_, all) => Promise.resolve(all) }),
    recording<DeliveriesService>(calls, { list: () => Promise.resolve(new Page([], null)) }),
    recording<ActorsService>(calls, { namesOf: () => Promise.resolve(NAMES) }),
  );
});

it('reads the order within the servers of the caller, at most 100 of its deliveries, and the names in its history', async () => {
  const context = shopContext('support', { serverIds: SERVERS });
  expect(await service.get(context, ORDER)).toEqual({ order: found, deliveries: [], actorNames: NAMES });
  expect(calls).toEqual([
    ['find', SHOP, SERVERS, ORDER],
    ['list', context, { orderId: ORDER }, { after: null, limit: 100 }],
    ['namesOf', SHOP, new Set(['user:1', 'buyer'])],
  ]);
});

it('reads no names for a caller who cannot read the history', async () => {
  await service.get(shopContext('owner', { readsBuyers: false }), ORDER);
  expect(calls.at(-1)).toEqual(['namesOf', SHOP, []]);
});

it('fails for an unknown order', async () => {
  found = null;
  await expect(service.get(shopContext(), ORDER)).rejects.toMatchObject({ code: 'order_not_found' });
});

import { beforeEach, describe, expect, it } from '@jest/globals';
import { SHOP, shopContext } from '../../../test/support/contexts.js';
import { type Call, recording, TRANSACTION, transactionsInTurns } from '../../../test/support/fakes.js';
import { codeInShop } from '../../catalogue/discounts/discount-rules.js';
import { AppError } from '../../domain/errors/app-error.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { type OrderEndingService } from '../ending/order-ending.service.js';
import { type Order } from '../order/order.types.js';
import { type OrdersService } from '../order/orders.service.js';
import { type OrderSettlementService } from '../settling/order-settlement.service.js';
import { StaffOrdersService } from './staff-orders.service.js';

const ORDER = '655f1c2ab1e4a9d3f0c81250';
const STAFF = shopContext('support');
const CODE = { discountId: 'discount', code: 'WELCOME', amountMinor: 100 };

let calls: Call[];
let queues: (string | readonly string[] | undefined)[];
/** The order, as each of the reads returns it; null when it does not exist. */
let reads: (Order | null)[];
let ended: string[];
let problem: Error | null;
let service: StaffOrdersService;

/** An order as one of several reads returns it. */
const read = (itemCount: number, discount: Order['discount'] = CODE): Order =>
  ({ id: ORDER, shopId: SHOP, itemCount, discount }) as Order;

beforeEach(() => {
  [calls, queues] = [[], []];
  reads = [read(1), read(2), read(3)];
  ended = [ORDER];
  problem = null;
  const unused = {} as never;
  service = new StaffOrdersService(
    unused,
    recording<OrdersService>(calls, {
      get: async () => orNotFound(await Promise.resolve(reads.shift() ?? null), 'order_not_found'),
    }),
    unused,
    recording<OrderEndingService>(calls, { end: () => Promise.resolve(ended) }),
    recording<OrderSettlementService>(calls, {
      resolve: () => (problem === null ? Promise.resolve() : Promise.reject(problem)),
    }),
    unused,
    transactionsInTurns(queues),
  );
});

const get = (transaction: unknown): Call => ['get', SHOP, ORDER, transaction];
const cancel = (): Promise<Order> => service.cancel(STAFF, ORDER, 'Requested by the buyer');
const RESOLUTION = { decision: 'accept', reason: 'Seen in the bank' } as const;
const resolve = (): Promise<Order> => service.resolve(STAFF, ORDER, RESOLUTION);

describe('cancel', () => {
  it.each([
    ['with a code', CODE],
    ['without a code', null],
  ])('ends an order %s with the reason, and returns the changed order', async (_, discount) => {
    reads = [1, 2, 3].map((number) => read(number, discount));
    expect(await cancel()).toEqual(read(3, discount));
    const ending = { to: 'cancelled', reason: 'Requested by the buyer' };
    expect(calls).toEqual([
      get(null),
      get(TRANSACTION),
      ['end', STAFF, [ORDER], ending, TRANSACTION],
      get(TRANSACTION),
    ]);
  });

  it('rejects an order that is paid or ended', async () => {
    ended = [];
    await expect(cancel()).rejects.toMatchObject({ code: 'not_cancellable' });
  });
});

describe('resolve', () => {
  it('settles the order as it was read in the same transaction, and returns the changed order', async () => {
    expect(await resolve()).toEqual(read(3));
    expect(calls).toEqual([
      get(null),
      get(TRANSACTION),
      ['resolve', STAFF, read(2), RESOLUTION, TRANSACTION],
      get(TRANSACTION),
    ]);
  });

  it('passes on the error of a decision that is not possible', async () => {
    problem = new AppError('not_resolvable');
    await expect(resolve()).rejects.toBe(problem);
  });
});

describe.each([
  ['cancel', cancel],
  ['resolve', resolve],
])('%s', (_, act) => {
  it('waits for transactions that change the uses of the same code in this shop', async () => {
    await act();
    expect(queues).toEqual([codeInShop(SHOP, 'WELCOME')]);
  });

  it('waits for no transaction when the order has no code', async () => {
    reads = [1, 2, 3].map((number) => read(number, null));
    await act();
    expect(queues).toEqual([undefined]);
  });

  it('rejects an order that the shop does not have, also when it is deleted between two reads', async () => {
    for (const found of [[], [read(1)]]) {
      reads = found;
      await expect(act()).rejects.toMatchObject({ code: 'order_not_found' });
    }
    expect(calls.map(([name]) => name)).toEqual(['get', 'get', 'get']);
  });
});

import { beforeEach, describe, expect, it } from '@jest/globals';
import { SHOP, shopContext } from '../../../test/support/contexts.js';
import { type Call, recording, TRANSACTION, transactionsInTurns } from '../../../test/support/fakes.js';
import { AppError } from '../../platform/errors/app-error.js';
import { codeInShop } from '../../catalogue/discounts/discount-rules.js';
import { OrderActionsService } from './order-actions.service.js';
import { type OrderEndingService } from '../ending/order-ending.service.js';
import { type OrderSettlementService } from '../settling/order-settlement.service.js';
import { type Order } from '../order/order.types.js';
import { type OrdersRepository } from '../order/orders.repository.js';

const ORDER = '655f1c2ab1e4a9d3f0c81250';
const STAFF = shopContext('support');
const CODE = { discountId: 'discount', code: 'WELCOME', amountMinor: 100 };

let calls: Call[];
let queues: (string | readonly string[] | undefined)[];
/** The order, as each of the reads returns it; null: there is no such order any more. */
let reads: (Order | null)[];
let ended: string[];
let problem: Error | null;
let service: OrderActionsService;

/** An order as one of several reads returns it. */
const read = (itemCount: number, discount: Order['discount'] = CODE): Order =>
  ({ id: ORDER, shopId: SHOP, itemCount, discount }) as Order;

beforeEach(() => {
  [calls, queues] = [[], []];
  reads = [read(1), read(2), read(3)];
  ended = [ORDER];
  problem = null;
  service = new OrderActionsService(
    recording<OrdersRepository>(calls, { find: () => Promise.resolve(reads.shift() ?? null) }),
    recording<OrderEndingService>(calls, { end: () => Promise.resolve(ended) }),
    recording<OrderSettlementService>(calls, {
      resolve: () => (problem === null ? Promise.resolve() : Promise.reject(problem)),
    }),
    transactionsInTurns(queues),
  );
});

const find = (transaction: unknown): Call => ['find', SHOP, ORDER, transaction];
const cancel = (): Promise<Order> => service.cancel(STAFF, ORDER, 'Asked by the buyer');
const RESOLUTION = { decision: 'accept', reason: 'Seen in the bank' } as const;
const resolve = (): Promise<Order> => service.resolve(STAFF, ORDER, RESOLUTION);

describe('cancelling an order', () => {
  it.each([
    ['with a code', CODE, true],
    ['without a code', null, false],
  ])('%s ends it with the reason, and returns it as it is then', async (_, discount, hasCode) => {
    reads = [1, 2, 3].map((number) => read(number, discount));
    expect(await cancel()).toEqual(read(3, discount));
    const ending = { to: 'cancelled', reason: 'Asked by the buyer', hasCode };
    expect(calls).toEqual([
      find(null),
      find(TRANSACTION),
      ['end', STAFF, [ORDER], ending, TRANSACTION],
      find(TRANSACTION),
    ]);
  });

  it('is rejected for an order that is paid or ended', async () => {
    ended = [];
    await expect(cancel()).rejects.toMatchObject({ code: 'not_cancellable' });
  });
});

describe('deciding about a payment', () => {
  it('settles the order as it was read in the same transaction, and returns it as it is then', async () => {
    expect(await resolve()).toEqual(read(3));
    expect(calls).toEqual([
      find(null),
      find(TRANSACTION),
      ['resolve', STAFF, read(2), RESOLUTION, TRANSACTION],
      find(TRANSACTION),
    ]);
  });

  it('passes on why that is not possible', async () => {
    problem = new AppError('not_resolvable');
    await expect(resolve()).rejects.toBe(problem);
  });
});

describe.each([
  ['cancelling', cancel],
  ['deciding', resolve],
])('%s', (_, act) => {
  it('waits for what changes the uses of the same code in this shop', async () => {
    await act();
    expect(queues).toEqual([codeInShop(SHOP, 'WELCOME')]);
  });

  it('waits for nothing when the order has no code', async () => {
    reads = [1, 2, 3].map((number) => read(number, null));
    await act();
    expect(queues).toEqual([undefined]);
  });

  it('finds no order that the shop does not have, also when it goes in the meantime', async () => {
    for (const found of [[], [read(1)]]) {
      reads = found;
      await expect(act()).rejects.toMatchObject({ code: 'order_not_found' });
    }
    expect(calls.map(([name]) => name)).toEqual(['find', 'find', 'find']);
  });
});

import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Call, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { type ProductsService } from '../../catalogue/products/products.service.js';
import { type OrderProblem } from '../order/order-problem.js';
import { type OrderUnits, type OrderStockRepository } from './order-stock.repository.js';
import { OrderStockService } from './order-stock.service.js';
import { type BuyerLimit, type Order, type OrderItem } from '../order/order.types.js';

const SHOP = '655f1c2ab1e4a9d3f0c81234';
const STEVE = { buyerKey: 'steve@example.com', nicknameKey: 'steve_42' };

let calls: Call[];
let left: Map<string, number>;
let had: number;
let isTaken: boolean;
let units: OrderUnits[];
let service: OrderStockService;

beforeEach(() => {
  [calls, left, had, isTaken, units] = [[], new Map(), 0, true, []];
  service = new OrderStockService(
    recording<OrderStockRepository>(calls, {
      countUnits: () => Promise.resolve(had),
      unitsOf: () => Promise.resolve(units),
    }),
    recording<ProductsService>(calls, {
      stockOf: (_, ids) => Promise.resolve(new Map([...left].filter(([id]) => ids.includes(id)))),
      takeStock: () => Promise.resolve(isTaken),
      takeStockLate: () => Promise.resolve(),
      releaseStock: () => Promise.resolve(),
    }),
  );
});

const item = (productId: string, quantity: number, takesStock = true): OrderItem => ({
  productId,
  name: productId.toUpperCase(),
  quantity,
  listMinor: 100,
  unitPriceMinor: 100,
  totalMinor: 100 * quantity,
  discountMinor: 0,
  netMinor: 100 * quantity,
  commandListId: 'list',
  requiresOnline: false,
  durationDays: null,
  takesStock,
});

describe('problems', () => {
  const problems = (items: OrderItem[], limits: BuyerLimit[] = [], buyer: typeof STEVE | null = STEVE) =>
    service.problems(SHOP, items, limits, buyer, null);

  it.each<[number, number, string | null]>([
    [3, 3, null],
    [2, 3, 'Only 2 of VIP are left'],
    [0, 1, 'VIP is sold out'],
    [-2, 1, 'VIP is sold out'],
  ])('returns for %s units left and %s ordered: %s', async (units, quantity, message) => {
    left.set('vip', units);
    const expected: OrderProblem[] = message === null ? [] : [{ code: 'out_of_stock', message, productId: 'vip' }];
    expect(await problems([item('vip', quantity)])).toEqual(expected);
  });

  it('returns no problem of the stock while an order is placed, because `take` decides', async () => {
    left.set('vip', 0);
    expect(await service.problems(SHOP, [item('vip', 1)], [], STEVE, TRANSACTION)).toEqual([]);
    expect(calls).toEqual([]);
  });

  it('reads nothing for products without a stock and a limit', async () => {
    expect(await problems([item('vip', 1_000, false)])).toEqual([]);
    expect(calls).toEqual([]);
  });

  it('allows a product whose stock became unlimited a moment ago', async () => {
    expect(await problems([item('vip', 5)])).toEqual([]);
  });

  it.each<[number, boolean]>([
    [0, true],
    [1, true],
    [2, false],
  ])('allows a buyer who had %s of 3 to have 2 more: %s', async (before, allowed) => {
    had = before;
    const limit = { productId: 'vip', name: 'VIP', quantity: 2, maxPerBuyer: 3 };
    const message = `One buyer may have at most 3 of VIP, and this one has ${before}`;
    const expected: OrderProblem[] = allowed ? [] : [{ code: 'product_limit_reached', message, productId: 'vip' }];
    expect(await problems([item('vip', 2, false)], [limit])).toEqual(expected);
    expect(await problems([item('vip', 2, false)], [limit], null)).toEqual([]);
  });
});

describe('take, takeLate and giveBack', () => {
  const items = [item('vip', 2), item('coins', 5), item('rank', 1, false)];

  it.each([
    ['as they are sorted', items.toReversed()],
    ['the other way round', items],
  ])('takes the units of each product in one sequence for all transactions, with items given %s', async (_, given) => {
    await service.take(SHOP, { id: 'order', items: given }, TRANSACTION);
    expect(calls).toEqual([
      ['takeStock', SHOP, { productId: 'coins', quantity: 5 }, 'order', TRANSACTION],
      ['takeStock', SHOP, { productId: 'vip', quantity: 2 }, 'order', TRANSACTION],
    ]);
  });

  it('rejects an order whose product has no stock any more', async () => {
    isTaken = false;
    const taken = service.take(SHOP, { id: 'order', items }, TRANSACTION);
    await expect(taken).rejects.toMatchObject({ code: 'out_of_stock' });
  });

  it('rejects an order when too few units are left, and names the product', async () => {
    isTaken = false;
    left.set('coins', 4).set('vip', 0);
    const message = 'Only 4 of COINS are left';
    const taken = service.take(SHOP, { id: 'order', items }, TRANSACTION);
    await expect(taken).rejects.toMatchObject({ code: 'out_of_stock', message });
  });

  it('takes the units again for a late payment, without a check', async () => {
    await service.takeLate({ shopId: SHOP, items } as unknown as Order, TRANSACTION);
    expect(calls).toEqual([
      ['takeStockLate', SHOP, { productId: 'coins', quantity: 5 }, TRANSACTION],
      ['takeStockLate', SHOP, { productId: 'vip', quantity: 2 }, TRANSACTION],
    ]);
  });

  it('releases the units of several orders together', async () => {
    units = [...items, item('vip', 1), item('rank', 1, false)];
    await service.giveBack(SHOP, ['first', 'second'], TRANSACTION);
    expect(calls).toEqual([
      ['unitsOf', SHOP, ['first', 'second'], TRANSACTION],
      ['releaseStock', SHOP, { productId: 'coins', quantity: 5 }, TRANSACTION],
      ['releaseStock', SHOP, { productId: 'vip', quantity: 3 }, TRANSACTION],
    ]);
  });
});

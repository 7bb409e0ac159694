import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Call, FakeAudit, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { type ProductsService } from '../../catalogue/products/products.service.js';
import { type Delivery } from '../../delivery/deliveries/delivery.types.js';
import { type FollowUpsService } from '../../delivery/deliveries/follow-ups.service.js';
import { type OrderProblem } from '../order/order-problem.js';
import { type OrderUnits, type OrderStockRepository } from './order-stock.repository.js';
import { OrderStockService } from './order-stock.service.js';
import { type OrderItem } from '../order/order.types.js';
import { shardOf } from '../../infrastructure/database/shards.js';
import { type FollowedOrder, type PlacedOrder } from './reservation.js';

const SHOP = '655f1c2ab1e4a9d3f0c81234';
const ORDER = '655f1c2ab1e4a9d3f0c81250';
const STEVE = { buyerKey: 'steve@example.com', nicknameKey: 'steve_42' };

let calls: Call[];
let left: Map<string, number>;
let isTaken: boolean;
let units: OrderUnits[];
let always: Set<string>;
let deliveries: Delivery[];
let audit: FakeAudit;
let service: OrderStockService;

beforeEach(() => {
  [calls, left, isTaken, units] = [[], new Map(), true, []];
  [always, deliveries, audit] = [new Set(), [], new FakeAudit()];
  service = new OrderStockService(
    recording<OrderStockRepository>(calls, {
      unitsOf: () => Promise.resolve(units),
      setRestocked: () => Promise.resolve(),
    }),
    recording<ProductsService>(calls, {
      stockOf: (_, ids) => Promise.resolve(new Map([...left].filter(([id]) => ids.includes(id)))),
      takeStock: () => Promise.resolve(isTaken),
      takeStockLate: () => Promise.resolve(),
      releaseStock: () => Promise.resolve(),
      restockedOnRefund: () => Promise.resolve(always),
    }),
    recording<FollowUpsService>(calls, { deliveriesOf: () => Promise.resolve(deliveries) }),
    audit.asService,
  );
});

const item = (productId: string, quantity: number, takesStock = true): OrderItem => ({
  productId,
  name: productId.toUpperCase(),
  quantity,
  listMinor: 100,
  saleId: null,
  saleMinor: 0,
  unitPriceMinor: 100,
  totalMinor: 100 * quantity,
  discountMinor: 0,
  netMinor: 100 * quantity,
  commandListId: 'list',
  requiresOnline: false,
  durationDays: null,
  repeat: 'parallel',
  countsAs: productId,
  ownedEverywhere: false,
  takesStock,
});

describe('problems', () => {
  const request = (items: OrderItem[]) => ({
    id: ORDER,
    items,
    limits: [],
    buyer: STEVE,
    discountCode: undefined,
    serverId: null,
  });
  const problems = (items: OrderItem[]) => service.problems(SHOP, request(items), null);

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
    expect(await service.problems(SHOP, request([item('vip', 1)]), TRANSACTION)).toEqual([]);
    expect(calls).toEqual([]);
  });

  it('reads nothing for products without a stock', async () => {
    expect(await problems([item('vip', 1_000, false)])).toEqual([]);
    expect(calls).toEqual([]);
  });

  it('allows a product whose stock became unlimited a moment ago', async () => {
    expect(await problems([item('vip', 5)])).toEqual([]);
  });

  it('names a shard of the counter of each product with a stock', () => {
    const named = service.names(SHOP, request([item('vip', 1), item('rank', 1, false)]));
    expect(named).toEqual([`stock:vip:${shardOf(ORDER)}`]);
  });
});

const placed = (items: OrderItem[]): PlacedOrder => {
  return { shopId: SHOP, id: ORDER, items, discount: null, createdAt: new Date(0), ...STEVE };
};

describe('take, settle and release', () => {
  const items = [item('vip', 2), item('coins', 5), item('rank', 1, false)];

  it.each([
    ['as they are sorted', items.toReversed()],
    ['the other way round', items],
  ])('takes the units of each product in one sequence for all transactions, with items given %s', async (_, given) => {
    await service.take(placed(given), TRANSACTION);
    expect(calls).toEqual([
      ['takeStock', SHOP, { productId: 'coins', quantity: 5 }, ORDER, TRANSACTION],
      ['takeStock', SHOP, { productId: 'vip', quantity: 2 }, ORDER, TRANSACTION],
    ]);
  });

  it('rejects an order whose product has no stock any more', async () => {
    isTaken = false;
    const taken = service.take(placed(items), TRANSACTION);
    await expect(taken).rejects.toMatchObject({ code: 'out_of_stock' });
  });

  it('rejects an order when too few units are left, and names the product', async () => {
    isTaken = false;
    left.set('coins', 4).set('vip', 0);
    const message = 'Only 4 of COINS are left';
    const taken = service.take(placed(items), TRANSACTION);
    await expect(taken).rejects.toMatchObject({ code: 'out_of_stock', message });
  });

  it('takes the units again for a payment after the expiry only, without a check', async () => {
    await service.settle({ ...placed(items), status: 'open' }, TRANSACTION);
    expect(calls).toEqual([]);
    await service.settle({ ...placed(items), status: 'expired' }, TRANSACTION);
    expect(calls).toEqual([
      ['takeStockLate', SHOP, { productId: 'coins', quantity: 5 }, TRANSACTION],
      ['takeStockLate', SHOP, { productId: 'vip', quantity: 2 }, TRANSACTION],
    ]);
  });

  it('releases the units of several orders together', async () => {
    units = [...items, item('vip', 1), item('rank', 1, false)];
    await service.release(SHOP, ['first', 'second'], TRANSACTION);
    expect(calls).toEqual([
      ['unitsOf', SHOP, ['first', 'second'], TRANSACTION],
      ['releaseStock', SHOP, { productId: 'coins', quantity: 5 }, TRANSACTION],
      ['releaseStock', SHOP, { productId: 'vip', quantity: 3 }, TRANSACTION],
    ]);
  });
});

describe('follow', () => {
  const AUTHOR = { shopId: SHOP, principal: 'provider:custom' };
  const purchase = (position: number, fields: Partial<Delivery> = {}): Delivery =>
    ({
      ...{ kind: 'purchase', position, deliveredAt: null, attempt: 0, acknowledgedAttempt: 0 },
      ...fields,
    }) as unknown as Delivery;
  const order = (paymentStatus: FollowedOrder['paymentStatus'], items: readonly OrderItem[]): FollowedOrder => ({
    ...{ id: ORDER, status: 'completed', paymentStatus },
    items,
  });
  const changes = async (followed: FollowedOrder): Promise<unknown[]> => {
    await service.follow(AUTHOR, followed, TRANSACTION);
    return calls.flatMap(([name, , ...args]) => (/Stock/.test(name) ? [[name, args[0]]] : []));
  };
  const [vip, coins] = [item('vip', 2), item('coins', 5)];

  it.each<[string, FollowedOrder]>([
    ['the shop has the money', order('paid', [vip])],
    ['the money is in doubt', order('disputed', [{ ...vip, restocked: true }])],
    ['the order took no units', order('refunded', [item('rank', 1, false)])],
  ])('sends no command when %s', async (_, followed) => {
    expect(await changes(followed)).toEqual([]);
    expect(calls).toEqual([]);
  });

  it('gives back only the item that a refund took back of an order, while nobody received it', async () => {
    deliveries = [purchase(0), purchase(1)];
    const followed = order('partially_refunded', [vip, { ...coins, takenBack: true }]);
    expect(await changes(followed)).toEqual([['releaseStock', { productId: 'coins', quantity: 5 }]]);
  });

  it.each<[string, Partial<Delivery>, boolean]>([
    ['waited', {}, true],
    ['has failed', { attempt: 2, acknowledgedAttempt: 2 }, true],
    ['was delivered', { deliveredAt: new Date(), attempt: 1, acknowledgedAttempt: 1 }, false],
    ['may be reported', { attempt: 2, acknowledgedAttempt: 1 }, false],
    ['was revoked by its own commands', { kind: 'take_back', deliveredAt: new Date() }, true],
  ])('decides for each item of a refunded order by its delivery, which %s: %j, %s', async (_, fields, isBack) => {
    deliveries = [purchase(0, fields), purchase(1, { deliveredAt: new Date() })];
    expect(await changes(order('refunded', [vip, coins]))).toEqual(
      isBack ? [['releaseStock', { productId: 'vip', quantity: 2 }]] : [],
    );
    expect(audit.entries).toHaveLength(isBack ? 1 : 0);
  });

  it('gives back units that were delivered when the product says so, and no units twice', async () => {
    always.add('vip');
    deliveries = [purchase(0, { deliveredAt: new Date() })];
    expect(await changes(order('charged_back', [vip]))).toEqual([['releaseStock', { productId: 'vip', quantity: 2 }]]);
    expect(await changes(order('refunded', [{ ...vip, restocked: true }]))).toHaveLength(1);
  });

  it.each<[FollowedOrder['paymentStatus'], Partial<Delivery>]>([
    ['paid', {}],
    ['refunded', { deliveredAt: new Date() }],
  ])('takes the units again when the order is %s and its delivery %j', async (paymentStatus, fields) => {
    deliveries = [purchase(0, fields)];
    expect(await changes(order(paymentStatus, [{ ...vip, restocked: true }]))).toEqual([
      ['takeStockLate', { productId: 'vip', quantity: 2 }],
    ]);
    expect(audit.entries).toHaveLength(1);
  });
});

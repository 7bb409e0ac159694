import { beforeEach, expect, it } from '@jest/globals';
import { type Call, FakeQuotas, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { BuyerLimitsService } from './buyer-limits.service.js';
import { type UnitLimit } from './order-limits.js';
import { type OrderStockRepository } from './order-stock.repository.js';

const SHOP = '655f1c2ab1e4a9d3f0c81234';
const STEVE = { buyerKey: 'steve@example.com', nicknameKey: 'steve_42' };
const LAST_WEEK = new Date('2026-11-22T12:00:00.000Z');
const YESTERDAY = new Date('2026-11-28T12:00:00.000Z');

let calls: Call[];
let quotas: FakeQuotas;
let service: BuyerLimitsService;

beforeEach(() => {
  [calls, quotas] = [[], new FakeQuotas()];
  const units = { quantity: 2, orderedAt: new Date(), isOpen: false, isSameMailbox: true, isSamePlayer: true };
  const orders = recording<OrderStockRepository>(calls, {
    heldBy: () => Promise.resolve([{ ...units, productId: 'vip' }]),
  });
  service = new BuyerLimitsService(orders, quotas.asService);
});

const limitOf = (productId: string, from: Date | null): UnitLimit => ({
  ...{ kind: 'units', productId, name: productId, quantity: 2, of: 'buyer', max: 3, inWords: '' },
  window: { from, freeAt: () => null },
});
const problems = (limits: UnitLimit[], buyer: typeof STEVE | null = STEVE, transaction: Transaction | null = null) =>
  service.problems(
    SHOP,
    { id: 'order', items: [], buyer, discountCode: undefined, serverId: null, limits },
    transaction,
  );

it('reads the orders of a buyer once for all limits, from the earliest window on', async () => {
  const limits = [limitOf('vip', YESTERDAY), limitOf('key', LAST_WEEK), limitOf('vip', LAST_WEEK)];
  expect(await problems(limits)).toMatchObject([{ productId: 'vip' }, { productId: 'vip' }]);
  expect(calls).toEqual([['heldBy', SHOP, STEVE, new Set(['vip', 'key']), LAST_WEEK, null]]);
  await problems([limitOf('vip', null), limitOf('vip', YESTERDAY)]);
  expect(calls[1]).toEqual(['heldBy', SHOP, STEVE, new Set(['vip']), new Date(0), null]);
});

it('reads nothing without a limit, and while the buyer is not known', async () => {
  expect([await problems([]), await problems([limitOf('vip', null)], null)]).toEqual([[], []]);
  expect(calls).toEqual([]);
});

it('claims the buyer in the transaction of an order, and not for a quote', async () => {
  await problems([limitOf('vip', null)]);
  expect(quotas.claimed).toEqual([]);
  await problems([limitOf('vip', null)], STEVE, TRANSACTION);
  expect(quotas.claimed).toEqual([[SHOP, STEVE, TRANSACTION]]);
});

import { beforeEach, expect, it } from '@jest/globals';
import { FakeQuotas, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type OrderProblem } from '../order/order-problem.js';
import { BuyerLimitsService } from './buyer-limits.service.js';
import { type OrderStockRepository } from './order-stock.repository.js';

const SHOP = '655f1c2ab1e4a9d3f0c81234';
const STEVE = { buyerKey: 'steve@example.com', nicknameKey: 'steve_42' };
const LIMIT = { productId: 'vip', name: 'VIP', quantity: 2, maxPerBuyer: 3 };

let had: number;
let quotas: FakeQuotas;
let service: BuyerLimitsService;

beforeEach(() => {
  [had, quotas] = [0, new FakeQuotas()];
  const orders = recording<OrderStockRepository>([], { countUnits: () => Promise.resolve(had) });
  service = new BuyerLimitsService(orders, quotas.asService);
});

const problems = (buyer: typeof STEVE | null, transaction: Transaction | null = null) =>
  service.problems(SHOP, { id: 'order', items: [], buyer, discountCode: undefined, limits: [LIMIT] }, transaction);

it.each<[number, boolean]>([
  [0, true],
  [1, true],
  [2, false],
])('allows a buyer who had %s of 3 to have 2 more: %s', async (before, allowed) => {
  had = before;
  const message = `One buyer may have at most 3 of VIP, and this one has ${before}`;
  const expected: OrderProblem[] = allowed ? [] : [{ code: 'product_limit_reached', message, productId: 'vip' }];
  expect(await problems(STEVE)).toEqual(expected);
  expect(await problems(null)).toEqual([]);
});

it('claims the buyer in the transaction of an order, and not for a quote', async () => {
  await problems(STEVE);
  expect(quotas.claimed).toEqual([]);
  await problems(STEVE, TRANSACTION);
  expect(quotas.claimed).toEqual([[SHOP, STEVE, TRANSACTION]]);
});

import { describe, expect, it } from '@jest/globals';
import { paymentEvent } from '../../../test/support/payment-events.js';
import { aRefund } from '../../../test/support/refunds.js';
import { type Order } from '../../orders/order/order.types.js';
import { itemProblems, itemsProblem, leftOf, partsOf } from './refund-items.js';
import { type Refund } from './refund.types.js';

const order = {
  items: [
    { productId: 'vip', netMinor: 1_000 },
    { productId: 'key', netMinor: 500 },
    { productId: 'gift', netMinor: 0 },
  ],
  payments: [],
} as unknown as Pick<Order, 'items' | 'payments'>;
const named = (fields: Partial<Refund> = {}): Refund =>
  aRefund({ items: [{ position: 1, productId: 'key', amountMinor: 200 }], state: 'succeeded', ...fields });

describe('itemProblems', () => {
  it.each<[object, string[]]>([
    [{}, []],
    [{ items: ['key'], takeBack: true }, []],
    [{ items: ['key', 'crown'] }, ['items has crown, which the order does not have']],
    [{ takeBack: true }, ['items must name what is taken back']],
  ])('finds in %j: %j', (request, problems) => {
    expect(itemProblems(order, { reason: 'Lost', ...request })).toEqual(problems);
  });
});

describe('leftOf', () => {
  it.each<[string, Refund[], number]>([
    ['nothing was refunded', [], 500],
    ['a refund names no item', [aRefund({ state: 'succeeded' })], 500],
    ['one waits for the provider', [named({ state: 'requested' })], 300],
    ['two name it', [named(), named()], 100],
    ['one failed', [named({ state: 'failed' })], 500],
  ])('returns what is left of an item when %s', (_, refunds, amountMinor) => {
    expect(leftOf(order, refunds, ['key'])).toEqual([{ position: 1, productId: 'key', amountMinor }]);
  });

  it('does not count a refund of which an event of the order says that it failed', () => {
    const payments = [paymentEvent('refund.failed', 5, { refundId: 're_1' })];
    const refunds = [named({ refundId: 're_1' })];
    expect(leftOf({ ...order, payments }, refunds, ['key'])).toMatchObject([{ amountMinor: 500 }]);
  });
});

it('limits a refund to what is left of the items that it names', () => {
  const left = leftOf(order, [named()], ['vip', 'key']);
  expect(itemsProblem(left, 1_300, 'EUR')).toBeNull();
  expect(itemsProblem(left, 1_301, 'EUR')).toBe('At most 13.00 EUR of these items can still be refunded');
  expect(itemsProblem(leftOf(order, [], ['gift']), 1, 'EUR')).toMatch(/^Nothing was paid for these items/);
});

it('splits a smaller amount by what is left of each item', () => {
  const amounts = partsOf(leftOf(order, [], ['vip', 'key']), 100).map(({ amountMinor }) => amountMinor);
  expect(amounts).toEqual([67, 33]);
});

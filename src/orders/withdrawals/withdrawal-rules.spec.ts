import { describe, expect, it } from '@jest/globals';
import { orInvalid } from '../../domain/errors/or-invalid.js';
import { readZone } from '../../lib/time/local-time.js';
import { type Order, type OrderConsent } from '../order/order.types.js';
import {
  isPaidBack,
  productProblems,
  withdrawableProducts,
  withdrawableUntil,
  withdrawalProblem,
  withdrawalRight,
} from './withdrawal-rules.js';

const BERLIN = orInvalid(readZone('Europe/Berlin'));
/** A Monday, so that the time ends on a Monday. */
const PAID_AT = new Date('2026-11-16T12:00:00Z');
const ENDS = new Date('2026-11-30T23:00:00Z');
const WAIVER: OrderConsent = { kind: 'immediate_delivery', version: 1, hash: 'a', at: PAID_AT };
const TERMS: OrderConsent = { ...WAIVER, kind: 'terms' };

const orderWith = (fields: Partial<Order> = {}): Order =>
  ({
    ...{ origin: 'checkout', totalMinor: 1_000, paidAt: PAID_AT, paymentStatus: 'paid' },
    items: [{ productId: 'a' }, { productId: 'b' }],
    ...fields,
  }) as Order;

describe('withdrawableUntil', () => {
  it.each([
    ['a Monday', '2026-11-16T12:00:00Z', 'Europe/Berlin', '2026-11-30T23:00:00.000Z'],
    ['a Friday, to the end of the Friday', '2026-11-13T12:00:00Z', 'Europe/Berlin', '2026-11-27T23:00:00.000Z'],
    ['a Saturday, to the end of the next Monday', '2026-11-14T12:00:00Z', 'Europe/Berlin', '2026-11-30T23:00:00.000Z'],
    ['a Sunday, to the end of the next Monday', '2026-11-15T12:00:00Z', 'Europe/Berlin', '2026-11-30T23:00:00.000Z'],
    ['the first minute of a local day', '2026-11-15T23:00:00Z', 'Europe/Berlin', '2026-11-30T23:00:00.000Z'],
    ['the last minute of a day far east', '2026-11-16T09:59:00Z', 'Pacific/Kiritimati', '2026-11-30T10:00:00.000Z'],
    ['a day before the clocks go back', '2026-10-12T12:00:00Z', 'Europe/Berlin', '2026-10-26T23:00:00.000Z'],
  ])('counts 14 days of the shop from %s', (_, paidAt, zone, ends) => {
    expect(withdrawableUntil(new Date(paidAt), orInvalid(readZone(zone))).toISOString()).toBe(ends);
  });
});

describe('withdrawableProducts', () => {
  it.each<[string, Partial<Order>, number[], string[]]>([
    ['a paid order', {}, [], ['a', 'b']],
    ['a delivered order without a waiver', {}, [0, 1], ['a', 'b']],
    ['a delivered order with consent to the terms only', { consents: [TERMS] }, [0, 1], ['a', 'b']],
    ['an order with a waiver that is not delivered', { consents: [WAIVER] }, [], ['a', 'b']],
    ['an order with a waiver that is delivered in part', { consents: [TERMS, WAIVER] }, [0], ['b']],
    ['an order with a waiver that is delivered', { consents: [WAIVER] }, [0, 1], []],
    ['an unpaid order', { paidAt: null, paymentStatus: 'pending' }, [], []],
    ['an order with nothing to pay', { totalMinor: 0 }, [], []],
    ['a gift', { origin: 'grant', paidAt: null, totalMinor: 0 }, [0, 1], []],
    ['a rehearsal', { origin: 'rehearsal', paidAt: null, totalMinor: 0 }, [], []],
    ['a sale that was paid outside', { origin: 'paid_outside' }, [], ['a', 'b']],
    ['an order that is refunded in part', { paymentStatus: 'partially_refunded' }, [], ['a', 'b']],
    ['an order that is disputed', { paymentStatus: 'disputed' }, [], ['a', 'b']],
    ['an order that is refunded', { paymentStatus: 'refunded' }, [], []],
    ['an order that is charged back', { paymentStatus: 'charged_back' }, [], []],
  ])('decides about %s', (_, fields, delivered, products) => {
    expect(withdrawableProducts(orderWith(fields), new Set(delivered))).toEqual(products);
  });
});

describe('withdrawalRight and withdrawalProblem', () => {
  const before = new Date(ENDS.getTime() - 1);
  const withdrawn = { withdrawal: { at: PAID_AT, name: 'Robin', productIds: ['a'] } };
  const nothing = { until: null, productIds: [] };
  it.each<[string, Partial<Order>, Date, object, string | null]>([
    ['until the last moment', {}, before, { until: ENDS, productIds: ['a', 'b'] }, null],
    ['no longer', {}, ENDS, nothing, 'withdrawal_ended'],
    ['from nothing', { paymentStatus: 'refunded' }, before, nothing, 'withdrawal_not_possible'],
    ['from nothing, also later', { paymentStatus: 'refunded' }, ENDS, nothing, 'withdrawal_not_possible'],
  ])('agree that a buyer can withdraw %s', (_, fields, now, right, problem) => {
    const order = orderWith(fields);
    expect(withdrawalRight(order, new Set(), BERLIN, now)).toEqual(right);
    expect(withdrawalProblem(order, new Set(), BERLIN, now)).toBe(problem);
  });

  it('offers no second withdrawal', () => {
    expect(withdrawalRight(orderWith(withdrawn), new Set(), BERLIN, before)).toEqual(nothing);
  });
});

describe('productProblems', () => {
  it('names what nobody can withdraw from', () => {
    expect(productProblems(['a'], ['a', 'b'])).toEqual([]);
    expect(productProblems(['a', 'c'], ['a', 'b'])).toEqual(['items has c, from which nobody can withdraw here']);
  });
});

describe('isPaidBack', () => {
  const items = [
    { productId: 'a', netMinor: 600 },
    { productId: 'b', netMinor: 400 },
  ];
  it.each([
    ['nothing back', ['a', 'b'], [], false],
    ['less back than the items cost', ['a', 'b'], [600, 399], false],
    ['as much back as the items cost', ['a', 'b'], [600, 400], true],
    ['as much back as the one item that was withdrawn from costs', ['b'], [400], true],
  ])('is right with %s', (_, productIds, amounts, expected) => {
    const reversals = amounts.map((amountMinor) => ({ amountMinor }));
    const order = orderWith({ items, reversals, withdrawal: { productIds } } as unknown as Partial<Order>);
    expect(isPaidBack(order)).toBe(expected);
  });
});

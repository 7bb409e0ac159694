import { describe, expect, it } from '@jest/globals';
import { orHigher, tierOf, tierProblems } from './tier-group-rules.js';

const RANKS = { id: 'g', name: 'Ranks', productIds: ['vip', 'mvp'] };

const product = (id: string, fields: { countsAs?: string; durationDays?: number } = {}) => ({
  ...{ id, name: id.toUpperCase(), countsAs: null, durationDays: null },
  ...fields,
});

describe('tierOf', () => {
  it.each<[string, string | undefined, number | null]>([
    ['vip', undefined, 1],
    ['mvp', undefined, 2],
    ['mvp-90-days', 'mvp', 2],
    ['key', undefined, null],
    ['key', 'chest', null],
  ])('finds the rank of %s that counts as %s: %s', (id, countsAs, rank) => {
    const found = tierOf(product(id, countsAs === undefined ? {} : { countsAs }), [RANKS]);
    expect(found).toEqual(rank === null ? null : { group: RANKS, productId: countsAs ?? id, rank });
  });
});

describe('orHigher', () => {
  it.each([
    ['vip', ['vip', 'mvp']],
    ['mvp', ['mvp']],
    ['key', ['key']],
  ])('finds what is as good as %s: %j', (id, expected) => {
    expect(orHigher(id, [RANKS])).toEqual(expected);
  });
});

describe('tierProblems', () => {
  it.each([
    [[product('vip'), product('mvp')], []],
    [[product('vip', { durationDays: 30 }), product('mvp', { durationDays: 30 })], []],
    [
      [product('vip'), product('mvp', { durationDays: 30 })],
      ['MVP must have the durationDays of VIP, as all tiers of a group'],
    ],
    [[product('vip'), product('mvp', { countsAs: 'legend' })], ['MVP counts as another product: name that one']],
  ])('rejects tiers that are not alike: case %#', (products, problems) => {
    expect(tierProblems(products)).toEqual(problems);
  });
});

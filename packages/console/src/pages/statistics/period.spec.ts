import { describe, expect, it } from '@jest/globals';
import { daysBetween, filtersOf, queryOf } from './period.js';

describe('the period of the statistics', () => {
  it('is 30 days against the 30 before when the address says nothing, or nonsense', () => {
    const usual = { period: '30d', compare: 'previous_period', granularity: 'day' };
    expect(queryOf(filtersOf({}))).toMatchObject(usual);
    expect(queryOf(filtersOf({ period: 'century', compare: 'nothing' }))).toMatchObject(usual);
  });

  it.each([
    ['today', 'hour'],
    ['90d', 'day'],
    ['year', 'week'],
  ])('splits %s by %s', (period, granularity) => {
    expect(queryOf(filtersOf({ period }))).toMatchObject({ granularity });
  });

  it.each([
    ['2026-11-01', '2026-11-02', 'hour', '2026-11-03'],
    ['2026-09-01', '2026-11-30', 'day', '2026-12-01'],
    ['2026-01-01', '2026-12-31', 'week', '2027-01-01'],
  ])('splits own dates from %s to %s by %s, and ends before %s', (from, to, granularity, end) => {
    expect(queryOf(filtersOf({ period: 'custom', from, to }))).toMatchObject({ granularity, from, to: end });
  });

  it.each([
    ['', ''],
    ['2026-11-02', '2026-11-01'],
    ['2025-01-01', '2026-11-01'],
    ['2026-13-01', '2026-13-02'],
    ['yesterday', 'today'],
  ])('asks for nothing with own dates from "%s" to "%s"', (from, to) => {
    expect(daysBetween(from, to)).toBeNull();
    expect(queryOf(filtersOf({ period: 'custom', from, to }))).toBeNull();
    expect(queryOf(filtersOf({ compare: 'custom', compareFrom: from, compareTo: to }))).toBeNull();
  });

  it('leaves dates of another choice out', () => {
    const query = queryOf(filtersOf({ period: '7d', from: '2026-01-01', to: '2026-01-02', serverId: 'a' }));
    expect(query).toMatchObject({ period: '7d', from: undefined, to: undefined, serverId: 'a', productId: undefined });
  });
});

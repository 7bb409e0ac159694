import { describe, expect, it } from '@jest/globals';
import { SHOP } from '../../../../test/support/contexts.js';
import { type Call, directTransactions, recording, TRANSACTION } from '../../../../test/support/fakes.js';
import { type PartsQuery } from './breakdown-rules.js';
import { type BuyerSumsRepository } from './buyer-sums.repository.js';
import { type PartSumsService } from './part-sums.service.js';
import { type RollupPhase } from './rollup-phases.js';
import { type RollupStatesRepository } from './rollup-states.repository.js';
import { SalesService } from './sales.service.js';
import { type SalesQuery } from './sales.types.js';
import { type WindowSumsService } from './window-sums.service.js';

const QUERY = { shopId: SHOP } as SalesQuery;
const PARTS_QUERY = { shopId: SHOP } as PartsQuery;
const NOTHING = { buckets: [], uniqueBuyers: 0 };
const SUMS = [{ buyerKey: 'steve', netMinor: 500 }];

/** @param phase of the rollups; null: the shop has no state */
function service(phase: RollupPhase | null, calls: Call[]): SalesService {
  const state = phase && { phase, cursor: null, buyers: 0 };
  return new SalesService(
    recording<RollupStatesRepository>(calls, { find: () => Promise.resolve(state) }),
    recording<WindowSumsService>(calls, { salesOf: () => Promise.resolve({ current: NOTHING, previous: NOTHING }) }),
    recording<PartSumsService>(calls, { partsOf: () => Promise.resolve([]) }),
    recording<BuyerSumsRepository>(calls, { top: () => Promise.resolve(SUMS) }),
    directTransactions,
  );
}

describe('SalesService', () => {
  it.each<[RollupPhase | null, boolean]>([
    [null, false],
    ['clearing', false],
    ['reading', false],
    ['folding', false],
    ['ready', true],
  ])('reads stored sums in one snapshot with their state, which is %s: %s', async (phase, areComplete) => {
    const calls: Call[] = [];
    const sales = service(phase, calls);
    await sales.salesOf(QUERY);
    await sales.partsOf(PARTS_QUERY);
    expect(calls).toEqual([
      ['find', SHOP, TRANSACTION],
      ['salesOf', QUERY, areComplete, TRANSACTION],
      ['find', SHOP, TRANSACTION],
      ['partsOf', PARTS_QUERY, areComplete, TRANSACTION],
    ]);
  });

  it('returns the buyers with the highest sums when the sums are complete', async () => {
    const calls: Call[] = [];
    expect(await service('ready', calls).topBuyers(SHOP, 'EUR', '2026-12', 5)).toBe(SUMS);
    expect(calls.at(-1)).toEqual(['top', SHOP, 'EUR', '2026-12', 5, TRANSACTION]);
  });

  it('returns no top buyers while the sums are not complete', async () => {
    expect(await service('folding', []).topBuyers(SHOP, 'EUR', null, 5)).toEqual([]);
  });
});
